package dev.postern.operator.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Objects as a function leaves them; one store serves one informer. */
public final class StrippedStore<T extends HasMetadata> implements ItemStore<T> {

  private final Map<String, T> items = new ConcurrentHashMap<>();
  private final UnaryOperator<T> strip;

  /**
   * @param strip must leave name, namespace, UID and resourceVersion
   */
  public StrippedStore(UnaryOperator<T> strip) {
    this.strip = strip;
  }

  @Override
  public String getKey(T item) {
    return Cache.metaNamespaceKeyFunc(item);
  }

  @Override
  public T put(String key, T item) {
    return items.put(key, strip.apply(item));
  }

  @Override
  public T remove(String key) {
    return items.remove(key);
  }

  @Override
  public Stream<String> keySet() {
    return items.keySet().stream();
  }

  @Override
  public Stream<T> values() {
    return items.values().stream();
  }

  @Override
  public int size() {
    return items.size();
  }

  @Override
  public T get(String key) {
    return items.get(key);
  }
}
