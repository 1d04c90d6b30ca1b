public import Modules
import NewsCore

/// The part of a list of headlines that has been read from the store.
public struct HeadlineWindow: Sendable {
  public var lines: [HeadlineLine] = []
  public var notes: [DisplayText] = []
  /// True: there may be headlines above the first.
  public var hasMoreAbove = false
  /// True: there may be headlines below the last.
  public var hasMoreBelow = false

  var count: Int { lines.count }

  func index(of id: NewsItem.ID) -> Int? { lines.firstIndex { $0.id == id } }

  /// Maximum number of lines kept, so that scrolling through a million items needs constant memory.
  static let limit = 600
  /// Maximum number of lines read at once, for a movement with a count.
  static let longestJump = 2000

  /// Appends a page that follows the last line. Returns the number of lines removed at the beginning.
  mutating func append(_ page: HeadlineWindow, size: Int, keeping limit: Int = limit) -> Int {
    let known = Set(lines.map(\.id))
    lines += page.lines.filter { !known.contains($0.id) }
    hasMoreBelow = page.count >= size
    let surplus = max(lines.count - limit, 0)
    if surplus > 0 {
      lines.removeFirst(surplus)
      hasMoreAbove = true
    }
    return surplus
  }

  /// Inserts a page that precedes the first line; its items are in order of distance, the nearest first.
  /// Returns how many lines were added.
  mutating func prepend(_ page: HeadlineWindow, size: Int, keeping limit: Int = limit) -> Int {
    let known = Set(lines.map(\.id))
    let added = page.lines.filter { !known.contains($0.id) }
    lines.insert(contentsOf: added.reversed(), at: 0)
    hasMoreAbove = page.count >= size
    let surplus = max(lines.count - limit, 0)
    if surplus > 0 {
      lines.removeLast(surplus)
      hasMoreBelow = true
    }
    return added.count
  }

  /// Replaces the window with a new reading of the same part of the list. In a list of unread items, the reading
  /// lacks items that have become read. Their lines stay in place, because a line must not vanish under the cursor.
  ///
  /// - Parameters:
  ///   - fresh: The new reading, from the window's first line on.
  ///   - size: The number of requested lines.
  ///   - changes: The changes of the store.
  ///   - kept: Items that the user has marked in the reader; they stay unless they are removed from the
  ///     store.
  mutating func merge(
    _ fresh: HeadlineWindow,
    size: Int,
    _ changes: StoreChanges,
    keeping kept: Set<NewsItem.ID>
  ) {
    let removed = changes.removed
    let changed = changes.items
    // Update the marks of the kept lines; the new reading has current ones.
    for (id, item) in changed { set(id, isRead: item.isRead, isStarred: item.isStarred) }
    let present = Set(fresh.lines.map(\.id))
    var after: [NewsItem.ID?: [Int]] = [:]
    var previous: NewsItem.ID?
    let lastFresh = lines.lastIndex { present.contains($0.id) } ?? -1
    for (index, line) in lines.enumerated() {
      if present.contains(line.id) {
        previous = line.id
        continue
      }
      let isBelow = index > lastFresh && fresh.count >= size
      let stays = isBelow || kept.contains(line.id) || changed[line.id] != nil
      if stays, !removed.contains(line.id) { after[previous, default: []].append(index) }
    }
    var merged = HeadlineWindow(notes: fresh.notes)
    func keep(_ indices: [Int]?) {
      for index in indices ?? [] { merged.lines.append(lines[index]) }
    }
    // Lines kept from the top of the window come after items that have arrived since.
    var waiting = after[nil]
    for line in fresh.lines {
      if waiting != nil, index(of: line.id) != nil {
        keep(waiting)
        waiting = nil
      }
      merged.lines.append(line)
      keep(after[line.id])
    }
    keep(waiting)
    merged.hasMoreAbove = hasMoreAbove
    merged.hasMoreBelow = hasMoreBelow || fresh.count >= size
    self = merged
  }

  mutating func set(_ id: NewsItem.ID, isRead: Bool? = nil, isStarred: Bool? = nil) {
    guard let index = index(of: id) else { return }
    if let isRead { lines[index].isUnread = !isRead }
    if let isStarred { lines[index].isStarred = isStarred }
  }

  /// Applies a mark to items.
  mutating func apply(_ mark: ItemMark, to ids: Set<NewsItem.ID>) {
    for index in lines.indices where ids.contains(lines[index].id) {
      switch mark {
      case .read, .unread: lines[index].isUnread = mark == .unread
      case .starred, .unstarred: lines[index].isStarred = mark == .starred
      }
    }
  }
}

extension HeadlineWindow {
  init(_ content: NewsListViewModel) {
    self.init(lines: content.lines, notes: content.notes)
  }
}
