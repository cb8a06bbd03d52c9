/**
 * What the operator serves and signs with: the first CA, the webhook's CA and leaf, the caBundle of
 * the webhook configurations, and the webhook server's own reloading identity.
 *
 * <p>Decisions are pure ({@link AuthorityStep}, {@link CaBundles}); the classes that write do so as
 * leader only, by create-or-read or by a PUT with resourceVersion.
 */
package dev.postern.operator.serving;
