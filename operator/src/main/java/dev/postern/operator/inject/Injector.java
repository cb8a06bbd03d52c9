package dev.postern.operator.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.crds.Api;
import dev.postern.operator.inject.ClusterFacts.NamedCertificate;
import dev.postern.operator.inject.SidecarParts.PodNames;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The two decisions of admission. {@code mutate} gives what turns the pod into an injected one;
 * {@code validate} looks at the final pod and refuses one that {@code mutate} would still change.
 * Both are idempotent; neither keeps state, so one instance serves all threads.
 */
public final class Injector {

  private final InjectionSettings settings;
  private final ClusterFacts facts;

  public Injector(InjectionSettings settings, ClusterFacts facts) {
    this.settings = settings;
    this.facts = facts;
  }

  /**
   * Gives the patch that injects the pod.
   *
   * @param namespace of the request; the pod's own may be empty at this time
   * @param pod v1 Pod, not changed
   */
  public Outcome mutate(String namespace, JsonNode pod) {
    return answered(() -> decide(namespace, pod));
  }

  /**
   * Refuses a pod that is not, or no longer, as it would be injected.
   *
   * @param namespace of the request
   * @param pod v1 Pod as it would be stored, not changed
   */
  public Outcome validate(String namespace, JsonNode pod) {
    return answered(
        () ->
            switch (decide(namespace, pod)) {
              case Outcome.Patched patched -> throw FinalPod.refusal(pod, patched.patch());
              case Outcome.Untouched untouched -> untouched;
              case Outcome.Refused refused -> refused;
            });
  }

  private static Outcome answered(Supplier<Outcome> decision) {
    try {
      return decision.get();
    } catch (Refusal refusal) {
      return refusal.outcome();
    } catch (LookupFailedException e) {
      return new Outcome.Refused(
          503, e.getMessage() + "; the pod is not admitted unseen: try again");
    }
  }

  private Outcome decide(String namespace, JsonNode pod) {
    PodAnnotations annotations = PodAnnotations.of(pod);
    Map<String, String> labels = facts.namespaceLabels(namespace);
    BroughtParts brought = BroughtParts.of(pod);
    if (!InjectionChoice.of(labels).injects(annotations)) {
      brought.refuseAny();
      return new Outcome.Untouched(Outcome.Reason.NOT_ASKED);
    }
    ObjectNode target = pod.deepCopy();
    brought.removeFrom(target);
    PodRules.check(target, labels);
    AppPorts ports = AppPorts.of(target, annotations);
    List<String> warnings = PodRules.warnings(target, ports);
    String probes = ProbeTargets.rewrite(target).encoded();
    PodNames names = names(namespace, pod, annotations);
    SidecarParts parts = new SidecarParts(settings, annotations, names, ports, probes);
    brought.refuseOthers(parts);
    Assembly.putInto(target, parts, brought);
    return outcome(JsonDiff.between(pod, target), warnings);
  }

  private static Outcome outcome(ArrayNode patch, List<String> warnings) {
    return patch.isEmpty()
        ? new Outcome.Untouched(Outcome.Reason.ALREADY_INJECTED)
        : new Outcome.Patched(patch, warnings);
  }

  private PodNames names(String namespace, JsonNode pod, PodAnnotations annotations) {
    annotations.policy().ifPresent(policy -> requirePolicy(namespace, policy));
    String serviceAccount = serviceAccount(pod);
    String workload = Workload.of(pod, namespace, facts);
    String secret =
        annotations
            .certificate()
            .map(name -> secretOf(namespace, name, serviceAccount))
            .orElseGet(() -> Api.identityName(workload));
    return new PodNames(workload, secret, serviceAccount);
  }

  private void requirePolicy(String namespace, String policy) {
    if (!facts.hasPolicy(namespace, policy)) {
      throw Refusal.forbidden(
          AnnotationKey.POLICY.key() + ": there is no TLSPolicy " + policy + " in " + namespace);
    }
  }

  private String secretOf(String namespace, String certificate, String serviceAccount) {
    String key = AnnotationKey.CERTIFICATE.key();
    NamedCertificate named =
        facts
            .certificate(namespace, certificate)
            .orElseThrow(
                () ->
                    Refusal.forbidden(
                        key + ": there is no Certificate " + certificate + " in " + namespace));
    String own =
        "spiffe://" + settings.trustDomain() + "/ns/" + namespace + "/sa/" + serviceAccount;
    if (!named.uris().equals(List.of(own))) {
      throw Refusal.forbidden(
          key
              + ": the uris of Certificate "
              + certificate
              + " are "
              + Refusal.quote(String.join(", ", named.uris()))
              + ", not the pod's own: "
              + own);
    }
    return named.secretName();
  }

  private static String serviceAccount(JsonNode pod) {
    String name = pod.at("/spec/serviceAccountName").asText();
    return name.isEmpty() ? "default" : name;
  }
}
