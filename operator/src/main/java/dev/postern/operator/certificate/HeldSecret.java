package dev.postern.operator.certificate;

import java.util.Map;

/**
 * What stands under a Certificate's secretName.
 *
 * @param owner the other Certificate's name, for messages; empty when there is none
 * @param data decoded; null when there is no such Secret
 */
record HeldSecret(Holder holder, String owner, Map<String, byte[]> data) {

  /** Whose it is. */
  enum Holder {
    /** There is no such Secret. */
    NOBODY,
    /** Ours: our label, and this Certificate's UID. */
    THIS,
    /** Our label, and the UID of another Certificate that exists. */
    ANOTHER,
    /** Our label, and the UID of a Certificate that is gone. */
    ORPHAN,
    /** Not made for a Certificate. */
    FOREIGN
  }

  static HeldSecret none() {
    return new HeldSecret(Holder.NOBODY, "", null);
  }
}
