/** Informer caches that keep only what is looked at. */
package dev.postern.operator.cache;
