package dev.postern.crds;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * What the sidecars of one workload enforce: key v1.json of ConfigMap postern-policy-WORKLOAD,
 * schema in policy-v1.schema.json.
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
})
public record ResolvedPolicy(
    String version,
    TlsPolicySpec.Mode mode,
    TlsPolicySpec.MinVersion minVersion,
    TlsPolicySpec.ClientCertificate clientCertificate,
    String trustDomain,
    List<PeerRule> peers) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int VERSION_DIGITS = 16;

  public ResolvedPolicy {
    peers = peers == null ? null : List.copyOf(peers);
  }

  /** A policy whose version says its content. */
  public static ResolvedPolicy of(
      TlsPolicySpec.Mode mode,
      TlsPolicySpec.MinVersion minVersion,
      TlsPolicySpec.ClientCertificate clientCertificate,
      String trustDomain,
      List<PeerRule> peers) {
    ResolvedPolicy unnamed =
        new ResolvedPolicy("", mode, minVersion, clientCertificate, trustDomain, peers);
    return new ResolvedPolicy(
        hash(unnamed.toJson()), mode, minVersion, clientCertificate, trustDomain, peers);
  }

  /** The file's content. */
  public String toJson() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new AssertionError("records of strings and enums have a JSON form", e);
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
