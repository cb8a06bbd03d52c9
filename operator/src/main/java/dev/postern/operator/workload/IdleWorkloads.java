package dev.postern.operator.workload;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Since when workloads have no pods. Kept in memory: after a restart patience begins anew. Used by
 * one thread.
 */
final class IdleWorkloads {

  private final Duration patience;
  private final Map<String, Map<String, Instant>> sinceByNamespace = new HashMap<>();

  IdleWorkloads(Duration patience) {
    this.patience = patience;
  }

  /**
   * Those that have been idle for longer than patience lasts.
   *
   * @param idle all of the namespace that are idle now
   */
  Set<String> due(String namespace, Set<String> idle, Instant now) {
    Map<String, Instant> since = sinceByNamespace.computeIfAbsent(namespace, _ -> new HashMap<>());
    since.keySet().retainAll(idle);
    idle.forEach(it -> since.putIfAbsent(it, now));
    Set<String> due =
        since.entrySet().stream()
            .filter(it -> !now.isBefore(it.getValue().plus(patience)))
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    if (since.isEmpty()) {
      sinceByNamespace.remove(namespace);
    }
    return due;
  }
}
