package dev.postern.crds;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/**
 * What became of a Certificate.
 *
 * @param conditions Ready and Issuing, each with observedGeneration
 * @param notBefore RFC 3339
 * @param notAfter RFC 3339
 * @param renewalTime RFC 3339
 * @param serialNumber hexadecimal
 * @param revision how often it was issued
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CertificateStatus(
    List<Condition> conditions,
    String notBefore,
    String notAfter,
    String renewalTime,
    String serialNumber,
    Long revision) {

  public CertificateStatus {
    conditions = conditions == null ? List.of() : List.copyOf(conditions);
  }
}
