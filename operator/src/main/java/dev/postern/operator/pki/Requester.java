package dev.postern.operator.pki;

import java.util.Set;

/**
 * Who asks: a namespace and what exists in it.
 *
 * @param namespace the Certificate's own
 * @param serviceAccounts names of the service accounts that exist there
 * @param services names of the Services that exist there
 */
public record Requester(String namespace, Set<String> serviceAccounts, Set<String> services) {
  public Requester {
    serviceAccounts = Set.copyOf(serviceAccounts);
    services = Set.copyOf(services);
  }
}
