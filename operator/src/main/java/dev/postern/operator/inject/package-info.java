/**
 * Decides what becomes of a pod at admission: a JSON Patch, nothing, or a refusal with a sentence.
 *
 * <p>Pure: a pod's JSON, facts asked through {@link dev.postern.operator.inject.ClusterFacts}, and
 * settings go in, an {@link dev.postern.operator.inject.Outcome} comes out. Pods stay {@code
 * JsonNode} from end to end, so that a field newer than our client is never dropped.
 */
package dev.postern.operator.inject;
