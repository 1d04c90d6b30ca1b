import NewsCore

/// Delivers finished items in document order.
extension FeedBuilder {
  /// Passes the item to `onItem`, or collects it.
  mutating func deliver() {
    // Move the item, because a copy would retain every field.
    var finished = ParsedItem()
    swap(&finished, &entry.item)
    guard admits(finished) else { return }
    // An inner item waits for the item around it, which comes first in document order.
    if delivery.suspended.contains(where: { !$0.entry.isHandedOver }) {
      delivery.innerBytes += finished.textBytes + 1024
      delivery.innerItems.append(finished)
      if delivery.innerBytes > Self.maximumHeldBytes { handOverSuspended() }
      return
    }
    handOver(finished)
    if !delivery.innerItems.isEmpty { handOverInner() }
  }

  private mutating func handOverInner() {
    let inner = delivery.innerItems
    delivery.innerItems = []
    delivery.innerBytes = 0
    for item in inner { handOver(item) }
  }

  /// Delivers the unfinished outer items with their fields so far, because the items inside them have become too
  /// large to wait.
  private mutating func handOverSuspended() {
    for index in delivery.suspended.indices where !delivery.suspended[index].entry.isHandedOver {
      swap(&entry, &delivery.suspended[index].entry)
      complete()
      var finished = ParsedItem()
      swap(&finished, &entry.item)
      entry.isHandedOver = true
      if admits(finished) { handOver(finished) }
      swap(&entry, &delivery.suspended[index].entry)
    }
    handOverInner()
  }

  private mutating func handOver(_ finished: ParsedItem) {
    guard let onItem = settings.onItem else {
      feed.items.append(finished)
      return
    }
    delivery.handedOver += 1
    guard delivery.handedOver > delivery.itemsToSkip else { return }
    // Hold back entries without authors: the feed's authors may follow its entries (RFC 4287 section 4.1.1).
    if waitsForAuthors || finished.authors.isEmpty && feed.authors.isEmpty && feed.format.hasPrefix("atom") {
      if delivery.heldBytes <= Self.maximumHeldBytes {
        delivery.heldBytes += finished.textBytes + 1024
        delivery.held.append(finished)
        if delivery.heldBytes <= Self.maximumHeldBytes { return }
        deliverHeld()
        return
      }
    }
    onItem(finished)
  }

  private static let maximumHeldBytes = 1 << 20
  private var waitsForAuthors: Bool { !delivery.held.isEmpty }

  /// Delivers the items that were held back, with the feed's authors that are known by now.
  mutating func deliverHeld() {
    let items = delivery.held
    delivery.held = []
    for item in items {
      var item = item
      if item.authors.isEmpty { item.authors = lateAuthors() }
      settings.onItem?(item)
    }
  }

  /// Returns the authors of the feed for an item that was complete before them; none if the items would hold too much.
  mutating func lateAuthors() -> [Author] {
    admits(feed.authors.textBytes) ? feed.authors : []
  }

  /// Adds the texts of the item to the total. If the total exceeds its limit, stops reading and returns false.
  mutating func admits(_ item: borrowing ParsedItem) -> Bool { admits(item.textBytes) }

  private mutating func admits(_ bytes: Int) -> Bool {
    delivery.totalBytes += bytes
    return isWithinTotal(delivery.totalBytes)
  }

  /// Counts bytes that a base adds to an address, before the item that has the address is complete. If bases add more
  /// than all items may hold, stops reading and returns false.
  mutating func admitsGrowth(_ bytes: Int) -> Bool {
    delivery.addedBytes += max(bytes, 0)
    return isWithinTotal(delivery.addedBytes)
  }

  private mutating func isWithinTotal(_ bytes: Int) -> Bool {
    guard bytes > settings.maximumTotalBytes else { return true }
    note(
      .totalBytes,
      "the items hold more than \(settings.maximumTotalBytes) bytes together; the rest was left out"
    )
    stop()
    return false
  }
}
