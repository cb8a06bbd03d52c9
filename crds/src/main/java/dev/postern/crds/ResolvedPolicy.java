package dev.postern.crds;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * What the sidecars of one workload enforce: key v1.json of ConfigMap postern-policy-WORKLOAD,
 * schema in policy-v1.schema.json; every field is always there.
 *
 * @param version hexadecimal hash of the other fields
 * @param peers null: everyone of the own trust domain; empty: nobody
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
@JsonPropertyOrder({
  "version",
  "mode",
  "minVersion",
  "clientCertificate",
  "trustDomain",
  "peers",
  "path",
  "negotiation",
  "proxyProtocol",
  "limits",
})
public record ResolvedPolicy(
    String version,
    TlsPolicySpec.Mode mode,
    TlsPolicySpec.MinVersion minVersion,
    TlsPolicySpec.ClientCertificate clientCertificate,
    String trustDomain,
    List<PeerRule> peers,
    @JsonUnwrapped Path path,
    @JsonUnwrapped Negotiation negotiation,
    TlsPolicySpec.ProxyProtocol proxyProtocol,
    Limits limits) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int VERSION_DIGITS = 16;

  public ResolvedPolicy {
    peers = peers == null ? null : List.copyOf(peers);
  }

  /** The way of the bytes; fields of the policy itself. */
  public record Path(
      TlsPolicySpec.Records records,
      TlsPolicySpec.Io io,
      int kernelRecordsPercent,
      boolean expectKeyUpdates) {}

  /**
   * What the handshake may agree on; fields of the policy itself.
   *
   * @param cipherSuites null: the sidecar's own, which may be newer than the operator's
   * @param groups null: the sidecar's own
   * @param alpn empty: none is negotiated
   */
  public record Negotiation(
      List<CipherSuite> cipherSuites,
      List<Group> groups,
      List<String> alpn,
      TlsPolicySpec.Resumption resumption) {

    public Negotiation {
      cipherSuites = cipherSuites == null ? null : List.copyOf(cipherSuites);
      groups = groups == null ? null : List.copyOf(groups);
      alpn = List.copyOf(alpn);
    }
  }

  /**
   * What one pod grants its connections.
   *
   * @param ageSeconds 0: any age
   * @param connections 0: the sidecar's own
   */
  public record Limits(long handshakeSeconds, long idleSeconds, long ageSeconds, int connections) {}

  /** The same with a version that says its content. */
  public ResolvedPolicy named() {
    return withVersion(hash(withVersion("").toJson()));
  }

  private ResolvedPolicy withVersion(String name) {
    return new ResolvedPolicy(
        name,
        mode,
        minVersion,
        clientCertificate,
        trustDomain,
        peers,
        path,
        negotiation,
        proxyProtocol,
        limits);
  }

  /** The file's content. */
  public String toJson() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new AssertionError("records of strings, numbers and enums have a JSON form", e);
    }
  }

  private static String hash(String content) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, VERSION_DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
