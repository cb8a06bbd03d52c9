/** Health and metrics over plain HTTP, for the kubelet and Prometheus. */
package dev.postern.operator.health;
