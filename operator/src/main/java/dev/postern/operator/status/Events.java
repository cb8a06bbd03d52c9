package dev.postern.operator.status;

import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Events on objects. One that cannot be written costs a log line, never the work. */
public final class Events {

  /** The two kinds of event. */
  public enum Type {
    Normal,
    Warning
  }

  private static final Logger LOG = LoggerFactory.getLogger(Events.class);
  private static final String COMPONENT = "postern-operator";
  private static final int LONGEST_MESSAGE = 1000; // the API server takes 1024

  private final KubernetesClient client;
  private final InstantSource clock;

  public Events(KubernetesClient client, InstantSource clock) {
    this.client = client;
    this.clock = clock;
  }

  /** Writes one. */
  public void record(HasMetadata about, Type type, String reason, String message) {
    Instant now = clock.instant();
    String own = about.getMetadata().getNamespace();
    // Events about cluster-scoped objects must lie in "default", or the API server refuses them.
    String namespace = own == null ? "default" : own;
    String text =
        message.length() <= LONGEST_MESSAGE ? message : message.substring(0, LONGEST_MESSAGE);
    try {
      client
          .v1()
          .events()
          .inNamespace(namespace)
          .resource(
              new EventBuilder()
                  .withNewMetadata()
                  .withNamespace(namespace)
                  .withGenerateName(about.getMetadata().getName() + ".")
                  .endMetadata()
                  .withNewInvolvedObject()
                  .withApiVersion(about.getApiVersion())
                  .withKind(about.getKind())
                  .withNamespace(own)
                  .withName(about.getMetadata().getName())
                  .withUid(about.getMetadata().getUid())
                  .endInvolvedObject()
                  .withType(type.name())
                  .withReason(reason)
                  .withMessage(text)
                  .withNewSource()
                  .withComponent(COMPONENT)
                  .endSource()
                  .withReportingComponent(COMPONENT)
                  .withFirstTimestamp(now.truncatedTo(ChronoUnit.SECONDS).toString())
                  .withLastTimestamp(now.truncatedTo(ChronoUnit.SECONDS).toString())
                  .withCount(1)
                  .build())
          .create();
    } catch (KubernetesClientException e) {
      LOG.warn(
          "event {} on {} {}: {}",
          reason,
          about.getKind(),
          about.getMetadata().getName(),
          e.getMessage());
    }
  }
}
