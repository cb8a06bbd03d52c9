package dev.postern.crds;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.LabelSelector;
import java.util.List;

/**
 * The rules for the pods that a policy selects.
 *
 * @param podSelector which pods of the namespace; absent: only those that name the policy
 * @param peers who may come; absent: everyone of the own trust domain; empty: nobody
 * @param records who seals them; auto: the kernel where behaviour stays the same
 * @param io what moves the bytes; auto: io_uring where it works
 * @param kernelRecordsPercent share of the connections that may have kernel records
 * @param expectKeyUpdates connections that are likely to rekey keep OpenSSL's records unless the
 *     kernel can rekey
 * @param cipherSuites in order of preference; absent: the sidecar's own
 * @param groups in order of preference; absent: the sidecar's own
 * @param alpn protocols that the app speaks, in order of preference; absent: none is negotiated
 * @param proxyProtocol whether the app is told the client's address, and how
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value =
        "!has(self.cipherSuites) || !has(self.minVersion) || self.minVersion != 'TLS1.3'"
            + " || self.cipherSuites.exists(it, it.startsWith('TLS_'))",
    message = "with minVersion TLS1.3, cipherSuites must name at least one that starts with TLS_")
@ValidationRule(
    value =
        "!has(self.cipherSuites)"
            + " || self.cipherSuites.all(it, self.cipherSuites.exists_one(other, other == it))",
    message = "cipherSuites names one twice")
@ValidationRule(
    value = "!has(self.groups) || self.groups.all(it, self.groups.exists_one(other, other == it))",
    message = "groups names one twice")
@ValidationRule(
    value = "!has(self.alpn) || self.alpn.all(it, self.alpn.exists_one(other, other == it))",
    message = "alpn names one twice")
public record TlsPolicySpec(
    LabelSelector podSelector,
    @Default("Strict") Mode mode,
    @Default("TLS1.2") MinVersion minVersion,
    @Default("Required") ClientCertificate clientCertificate,
    @Size(max = 1000) List<PeerRule> peers,
    @Default("auto") Records records,
    @Default("auto") Io io,
    @Default("100") @Min(0) @Max(100) Integer kernelRecordsPercent,
    @Default("false") Boolean expectKeyUpdates,
    @Size(min = 1, max = 11) List<CipherSuite> cipherSuites,
    @Size(min = 1, max = 5) List<Group> groups,
    @Size(max = 16) List<@Size(min = 1, max = 255) @Pattern("^[!-~]+$") String> alpn,
    @Default("Off") ProxyProtocol proxyProtocol,
    @Default("On") Resumption resumption,
    LimitsSpec limits) {

  /** Who may come, and how; all else as by default. */
  public TlsPolicySpec(
      LabelSelector podSelector,
      Mode mode,
      MinVersion minVersion,
      ClientCertificate clientCertificate,
      List<PeerRule> peers) {
    this(
        podSelector,
        mode,
        minVersion,
        clientCertificate,
        peers,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

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

  /** Who seals and opens records, in the words of the access log and the metrics. */
  public enum Records {
    @JsonProperty("auto")
    AUTO,
    @JsonProperty("kernel")
    KERNEL,
    @JsonProperty("kernel-tx")
    KERNEL_TX,
    @JsonProperty("openssl")
    OPENSSL
  }

  /** What moves the bytes, in the words of the access log and the metrics. */
  public enum Io {
    @JsonProperty("auto")
    AUTO,
    @JsonProperty("io_uring")
    IO_URING,
    @JsonProperty("epoll")
    EPOLL
  }

  /** How the app is told the client's address: version 2 of haproxy's proxy-protocol.txt. */
  public enum ProxyProtocol {
    Off,
    V2
  }

  /** Whether a client may continue an earlier session. */
  public enum Resumption {
    On,
    Off
  }
}
