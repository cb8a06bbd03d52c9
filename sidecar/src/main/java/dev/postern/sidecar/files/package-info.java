/** Reading the mounted files: bounded, through the kubelet's links, with one clear sentence. */
package dev.postern.sidecar.files;
