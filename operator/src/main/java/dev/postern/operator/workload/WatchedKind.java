package dev.postern.operator.workload;

import dev.postern.operator.cache.StrippedStore;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** One kind of object in all namespaces, or in each of a list. */
final class WatchedKind<T extends HasMetadata> implements AutoCloseable {

  private final List<SharedIndexInformer<T>> informers = new ArrayList<>();

  /**
   * Begins to watch.
   *
   * @param selector of labels, empty for every object
   * @param strip what of an object is kept
   * @param namespaces empty: all
   * @param changed called with the namespace of each object that came, changed or went
   */
  WatchedKind(
      MixedOperation<T, ?, ? extends Resource<T>> kind,
      String selector,
      UnaryOperator<T> strip,
      List<String> namespaces,
      Consumer<String> changed) {
    if (namespaces.isEmpty()) {
      start(kind.inAnyNamespace(), selector, strip, changed);
    }
    namespaces.forEach(it -> start(kind.inNamespace(it), selector, strip, changed));
  }

  private void start(
      FilterWatchListDeletable<T, ?, ? extends Resource<T>> operation,
      String selector,
      UnaryOperator<T> strip,
      Consumer<String> changed) {
    Informable<T> filtered = selector.isEmpty() ? operation : operation.withLabelSelector(selector);
    SharedIndexInformer<T> informer = filtered.runnableInformer(0);
    informer.itemStore(new StrippedStore<>(strip));
    informer.addEventHandler(new Told<>(changed));
    // Tries on for ever: whoever reads asks synced() first.
    informer.exceptionHandler((_, _) -> true).start();
    informers.add(informer);
  }

  boolean synced() {
    return informers.stream().allMatch(SharedIndexInformer::hasSynced);
  }

  List<T> in(String namespace) {
    return informers.stream()
        .flatMap(it -> it.getIndexer().byIndex(Cache.NAMESPACE_INDEX, namespace).stream())
        .toList();
  }

  Set<String> namespaces() {
    Set<String> found = new HashSet<>();
    informers.forEach(
        informer ->
            informer.getStore().list().forEach(it -> found.add(it.getMetadata().getNamespace())));
    return found;
  }

  @Override
  public void close() {
    informers.forEach(SharedIndexInformer::stop);
  }

  private record Told<T extends HasMetadata>(Consumer<String> changed)
      implements ResourceEventHandler<T> {

    @Override
    public void onAdd(T added) {
      changed.accept(added.getMetadata().getNamespace());
    }

    @Override
    public void onUpdate(T before, T after) {
      changed.accept(after.getMetadata().getNamespace());
    }

    @Override
    public void onDelete(T deleted, boolean finalStateUnknown) {
      changed.accept(deleted.getMetadata().getNamespace());
    }
  }
}
