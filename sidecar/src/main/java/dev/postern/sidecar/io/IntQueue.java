package dev.postern.sidecar.io;

/** A first-in, first-out ring of int that allocates only when it grows. For backends. */
public final class IntQueue {

  private int[] items;
  private int head;
  private int size;

  public IntQueue(int expected) {
    items = new int[Integer.highestOneBit(Math.max(expected, 8)) * 2];
  }

  public void add(int item) {
    if (size == items.length) {
      grow();
    }
    items[index(size++)] = item;
  }

  /** Takes the oldest; there must be one. */
  public int take() {
    assert size > 0 : "the queue is empty";
    int item = items[head];
    head = index(1);
    size--;
    return item;
  }

  /** Removes the oldest entry equal to {@code item}; false when there is none. */
  public boolean remove(int item) {
    for (int i = 0; i < size; i++) {
      if (items[index(i)] == item) {
        for (int j = i; j + 1 < size; j++) {
          items[index(j)] = items[index(j + 1)];
        }
        size--;
        return true;
      }
    }
    return false;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public int size() {
    return size;
  }

  private int index(int offset) {
    return (head + offset) & (items.length - 1);
  }

  private void grow() {
    int[] larger = new int[items.length * 2];
    for (int i = 0; i < size; i++) {
      larger[i] = items[index(i)];
    }
    items = larger;
    head = 0;
  }
}
