package dev.postern.crds;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.ValidationRule;

/**
 * The key of a certificate.
 *
 * @param algorithm default ECDSA
 * @param size bits; ECDSA 256 (default) or 384, RSA 2048 (default), 3072 or 4096
 * @param rotationPolicy Always (default): each certificate gets a new key
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value =
        "!has(self.size) || (has(self.algorithm) && self.algorithm == 'RSA' ? self.size in [2048,"
            + " 3072, 4096] : self.size in [256, 384])",
    message = "size is 256 or 384 for ECDSA, 2048, 3072 or 4096 for RSA, and not given for Ed25519")
public record PrivateKeySpec(Algorithm algorithm, Integer size, RotationPolicy rotationPolicy) {

  /** Key algorithms. */
  public enum Algorithm {
    ECDSA,
    RSA,
    Ed25519
  }

  /** Whether a renewal makes a new key. */
  public enum RotationPolicy {
    Always,
    Never
  }
}
