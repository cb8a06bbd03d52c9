package dev.postern.operator.workload;

import dev.postern.crds.Conditions;
import dev.postern.crds.ConditionsStatus;
import dev.postern.crds.TlsPolicy;
import dev.postern.operator.status.Events;
import dev.postern.operator.status.Observed;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.InstantSource;
import java.util.List;

/** Writes the conditions of policies. */
record PolicyStatuses(KubernetesClient client, Events events, InstantSource clock) {

  void write(PolicyReport report) {
    TlsPolicy policy = report.policy();
    List<Condition> before =
        policy.getStatus() == null ? List.of() : policy.getStatus().conditions();
    Observed observed = new Observed(before, policy.getMetadata().getGeneration(), clock.instant());
    Condition ready =
        observed.condition(Conditions.READY, report.ready(), report.reason(), report.message());
    Condition conflicted =
        observed.condition(
            Conditions.CONFLICTED,
            report.conflicted(),
            report.conflicted() ? "OlderPolicy" : "NoConflict",
            report.conflict());
    ConditionsStatus after = new ConditionsStatus(List.of(ready, conflicted));
    if (after.equals(policy.getStatus())) {
      return;
    }
    if (report.conflicted() && observed.isNews(conflicted)) {
      events.record(policy, Events.Type.Warning, Conditions.CONFLICTED, conflicted.getMessage());
    }
    write(policy, after);
  }

  private void write(TlsPolicy policy, ConditionsStatus after) {
    TlsPolicy changed = new TlsPolicy();
    changed.setMetadata(new ObjectMetaBuilder(policy.getMetadata()).build());
    changed.setSpec(policy.getSpec());
    changed.setStatus(after);
    try {
      client.resource(changed).updateStatus();
    } catch (KubernetesClientException e) {
      // Changed or deleted meanwhile: its event brings the next look.
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT
          && e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw e;
      }
    }
  }
}
