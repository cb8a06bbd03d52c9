package dev.postern.operator.inject;

import java.util.Optional;

/** Follows a pod's owners upwards. */
public interface OwnerLookup {

  /**
   * The controller of an object, or empty when it has none.
   *
   * @throws LookupFailedException when the API server gives no answer, or has no such object with
   *     that UID
   */
  Optional<Owner> controllerOf(String namespace, Owner object);

  /**
   * One reference to an owner.
   *
   * @param uid as the reference states it
   */
  record Owner(String kind, String name, String uid) {}
}
