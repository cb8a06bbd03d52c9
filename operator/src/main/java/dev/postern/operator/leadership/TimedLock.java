package dev.postern.operator.leadership;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.Lock;

/** Tells the clock of each renewal that the API server took. */
record TimedLock(Lock lock, LeaseClock clock) implements Lock {

  @Override
  public LeaderElectionRecord get(KubernetesClient client) {
    return lock.get(client);
  }

  @Override
  public void create(KubernetesClient client, LeaderElectionRecord next) {
    long sentNs = clock.now();
    lock.create(client, next);
    written(next, sentNs);
  }

  @Override
  public void update(KubernetesClient client, LeaderElectionRecord next) {
    long sentNs = clock.now();
    lock.update(client, next);
    written(next, sentNs);
  }

  private void written(LeaderElectionRecord next, long sentNs) {
    if (identity().equals(next.getHolderIdentity())) {
      clock.renewed(sentNs);
    } else {
      clock.lapse();
    }
  }

  @Override
  public String identity() {
    return lock.identity();
  }

  @Override
  public String describe() {
    return lock.describe();
  }
}
