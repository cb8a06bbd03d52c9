package dev.postern.crds;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.LabelSelector;
import java.util.List;

/**
 * The rules for the pods that a policy selects.
 *
 * @param podSelector which pods of the namespace; absent: only those that name the policy
 * @param peers who may come; absent: everyone of the own trust domain; empty: nobody
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TlsPolicySpec(
    LabelSelector podSelector,
    @Default("Strict") Mode mode,
    @Default("TLS1.2") MinVersion minVersion,
    @Default("Required") ClientCertificate clientCertificate,
    @Size(max = 1000) List<PeerRule> peers) {

  /** What is let in. */
  public enum Mode {
    Strict,
    Permissive,
    Disabled
  }

  /** The oldest protocol version. */
  public enum MinVersion {
    @JsonProperty("TLS1.2")
    TLS1_2,
    @JsonProperty("TLS1.3")
    TLS1_3
  }

  /** Whether a client must show a certificate. */
  public enum ClientCertificate {
    Required,
    Optional,
    None
  }
}
