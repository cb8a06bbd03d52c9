package dev.postern.operator.pki;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * When to renew, with cert-manager's semantics: renewBefore when it fits the life that the
 * certificate really has, else renewBeforePercentage, else at 2/3 of that life; and a jitter, so
 * that certificates of one moment are not renewed in one moment.
 *
 * @param renewBefore how long before the end, null for unset
 * @param renewBeforePercentage the share of the life that is left at renewal, 1 to 99, null for
 *     unset
 * @param uid the Certificate's UID: the same one gives the same jitter
 */
public record RenewalPolicy(Duration renewBefore, Integer renewBeforePercentage, String uid) {
  /** Whatever a spec says: no renewal in this time after notBefore (or half of a shorter life). */
  static final Duration LEAST_AGE = Duration.ofMinutes(5);

  /** At most this part of the time to renewal is taken away from it. */
  private static final int JITTER_DIVISOR = 20;

  /** At 2/3 of the life. */
  public static RenewalPolicy atTwoThirds(String uid) {
    return new RenewalPolicy(null, null, uid);
  }

  /** The moment, in whole seconds; always after notBefore and before notAfter. */
  public Instant renewAt(Instant notBefore, Instant notAfter) {
    Duration life = Duration.between(notBefore, notAfter);
    if (!life.isPositive()) {
      return notAfter;
    }
    Duration age = life.minus(beforeEnd(life));
    Duration jittered = age.minus(jitter(age));
    Duration half = life.dividedBy(2);
    Duration least = LEAST_AGE.compareTo(half) < 0 ? LEAST_AGE : half;
    return notBefore
        .plus(jittered.compareTo(least) < 0 ? least : jittered)
        .truncatedTo(ChronoUnit.SECONDS);
  }

  private Duration beforeEnd(Duration life) {
    if (renewBefore != null && renewBefore.isPositive() && renewBefore.compareTo(life) < 0) {
      return renewBefore;
    }
    if (renewBeforePercentage != null && renewBeforePercentage > 0 && renewBeforePercentage < 100) {
      return life.multipliedBy(renewBeforePercentage).dividedBy(100);
    }
    return life.dividedBy(3);
  }

  /** Earlier only: renewBefore is a promise. */
  private Duration jitter(Duration age) {
    long widestMs = age.toMillis() / JITTER_DIVISOR;
    return widestMs <= 0
        ? Duration.ZERO
        : Duration.ofMillis(Long.remainderUnsigned(seed(), widestMs));
  }

  private long seed() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return ByteBuffer.wrap(digest.digest(uid.getBytes(StandardCharsets.UTF_8))).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
