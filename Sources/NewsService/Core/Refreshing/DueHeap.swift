/// A binary heap of feeds by due time: insertion and removal of the first take O(log n).
struct DueHeap {
  struct Slot {
    /// Seconds since 1970.
    var due: Int64
    var id: Feed.ID
  }

  private(set) var slots: [Slot] = []

  var first: Slot? { slots.first }

  mutating func reserve(_ count: Int) { slots.reserveCapacity(count) }

  mutating func insert(_ slot: Slot) {
    slots.append(slot)
    var child = slots.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard slots[child].due < slots[parent].due else { return }
      slots.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeFirst() -> Slot? {
    guard let first = slots.first, let last = slots.popLast() else { return nil }
    guard !slots.isEmpty else { return first }
    slots[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < slots.count && slots[child].due < slots[least].due {
        least = child
      }
      guard least != parent else { return first }
      slots.swapAt(least, parent)
      parent = least
    }
  }
}
