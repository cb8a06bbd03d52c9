package dev.postern.crds;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;

/**
 * One entry of bundle.json in ConfigMap postern-trust: roots, and for whom they speak.
 *
 * @param trustDomain of the SPIFFE identities that they vouch for
 * @param pem CERTIFICATE blocks
 * @param crl X509 CRL blocks, empty for none
 */
public record TrustedRoot(String trustDomain, String pem, String crl) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** The content of bundle.json. */
  public static String toJson(List<TrustedRoot> roots) {
    try {
      return JSON.writeValueAsString(roots);
    } catch (JsonProcessingException e) {
      throw new AssertionError("records of strings have a JSON form", e);
    }
  }
}
