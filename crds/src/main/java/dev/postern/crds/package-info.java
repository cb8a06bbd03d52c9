/** The API of Postern: custom resources of group postern.dev and the names that pods carry. */
package dev.postern.crds;
