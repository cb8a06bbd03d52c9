package dev.postern.operator.workload;

import dev.postern.crds.Api;
import dev.postern.operator.status.Events;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes objects that carry our label, by create or by a PUT with resourceVersion. One of that name
 * without the label stays untouched, with an event on it. Used by one thread.
 */
final class OwnObjects {

  private static final Logger LOG = LoggerFactory.getLogger(OwnObjects.class);

  private final KubernetesClient client;
  private final Events events;
  private final BooleanSupplier leading;
  private final Set<String> reported = new HashSet<>();

  OwnObjects(KubernetesClient client, Events events, BooleanSupplier leading) {
    this.client = client;
    this.events = events;
    this.leading = leading;
  }

  /**
   * Makes it so.
   *
   * @param known what a cache says is there, or null
   * @param same whether one that is there says what is wanted
   */
  <T extends HasMetadata> void ensure(T wanted, T known, BiPredicate<T, T> same) {
    if (known != null && same.test(known, wanted)) {
      return;
    }
    try {
      write(wanted, known);
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw e;
      }
      afterConflict(wanted, same);
    }
  }

  /** Deletes exactly the version that is known. */
  void delete(HasMetadata known) {
    checkLeading();
    LOG.info("deleting {}: no pod has needed it for a while", display(known));
    client.resource(known).lockResourceVersion(known.getMetadata().getResourceVersion()).delete();
  }

  /** The cache was behind, or somebody else's object has the name. */
  private <T extends HasMetadata> void afterConflict(T wanted, BiPredicate<T, T> same) {
    T there = client.resource(wanted).get();
    if (there == null) {
      throw new IllegalStateException(display(wanted) + " came and went; trying again");
    }
    if (!isOurs(there)) {
      report(there);
    } else if (!same.test(there, wanted)) {
      write(wanted, there);
    }
  }

  private <T extends HasMetadata> void write(T wanted, T there) {
    checkLeading();
    if (there == null) {
      client.resource(wanted).create();
    } else {
      client
          .resource(wanted)
          .lockResourceVersion(there.getMetadata().getResourceVersion())
          .update();
    }
    LOG.info("{} {}", there == null ? "created" : "changed", display(wanted));
  }

  private void report(HasMetadata foreign) {
    if (reported.add(foreign.getMetadata().getUid())) {
      String message =
          display(foreign)
              + " has a name that Postern needs for a workload and lacks the label "
              + Api.MANAGED_BY_LABEL
              + "="
              + Api.MANAGED_BY
              + "; it stays untouched: rename or delete it";
      LOG.warn("{}", message);
      events.record(foreign, Events.Type.Warning, "Conflict", message);
    }
  }

  private void checkLeading() {
    if (!leading.getAsBoolean()) {
      throw new IllegalStateException("no longer the leader: nothing is written");
    }
  }

  private static boolean isOurs(HasMetadata object) {
    Map<String, String> labels = object.getMetadata().getLabels();
    return labels != null && Api.MANAGED_BY.equals(labels.get(Api.MANAGED_BY_LABEL));
  }

  private static String display(HasMetadata object) {
    return object.getKind()
        + " "
        + object.getMetadata().getNamespace()
        + "/"
        + object.getMetadata().getName();
  }
}
