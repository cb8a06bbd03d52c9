package dev.postern.sidecar.io.uring;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Alternating rounds of several variants; what each costs, and in relation to the first. */
final class Rounds<V extends Enum<V>> {

  private static final int WARM_UP = 3;
  // Longer than the thread of a polled ring spins on: that belongs to nobody's round.
  private static final long PAUSE_NS = 150_000_000;

  /** One variant, which can be run again and again. */
  @FunctionalInterface
  interface Round {
    /** CPU ns of one unit of work. */
    double costNs(long durationNs) throws InterruptedException;
  }

  private final Map<V, Round> variants;
  private final Map<V, List<Double>> costs;

  Rounds(Class<V> names) {
    variants = new EnumMap<>(names);
    costs = new EnumMap<>(names);
  }

  void add(V name, Round round) {
    variants.put(name, round);
    costs.put(name, new ArrayList<>());
  }

  void run(int rounds, double seconds) throws InterruptedException {
    for (int round = -WARM_UP; round < rounds; round++) {
      List<V> order = new ArrayList<>(variants.keySet());
      Collections.rotate(order, round);
      for (V name : order) {
        LockSupport.parkNanos(PAUSE_NS);
        double cost = variants.get(name).costNs((long) (seconds * 1e9));
        if (round >= 0) {
          costs.get(name).add(cost);
        }
      }
    }
  }

  void print() {
    List<Double> first = costs.values().iterator().next();
    costs.forEach(
        (name, cost) -> {
          List<Double> ratios = new ArrayList<>();
          for (int i = 0; i < cost.size(); i++) {
            ratios.add(cost.get(i) / first.get(i));
          }
          System.out.printf(
              "%-24s %6.0f ns, x %.2f (%.2f-%.2f)%n",
              name,
              quantile(cost, 0.5),
              quantile(ratios, 0.5),
              quantile(ratios, 0.1),
              quantile(ratios, 0.9));
        });
  }

  private static double quantile(List<Double> values, double q) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.get((int) Math.round(q * (sorted.size() - 1)));
  }
}
