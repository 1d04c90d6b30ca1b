import NewsCore

/// Stores values that items, feeds and sources have in common. `place.scope` is their owner.
extension FeedBuilder {
  // MARK: Tags

  mutating func addTag(_ tag: Category) {
    guard !tag.term.isEmpty || tag.label != nil || tag.scheme != nil else { return }
    let tag = Self.cut(tag)
    switch place.scope {
    case .item:
      if hasRoom(entry.item.tags.count) { entry.item.tags.append(tag) }
    case .source:
      if hasRoom(parts.source.tags.count) { parts.source.tags.append(tag) }
    case .feed, .outside:
      if hasRoom(feed.tags.count) { feed.tags.append(tag) }
    case .image, .textInput, .person: break
    }
  }

  static func cut(_ tag: Category) -> Category {
    Category(term: GivenName.cut(tag.term), scheme: tag.scheme, label: tag.label.map { GivenName.cut($0) })
  }

  /// Removes repeated tags.
  static func removeRepeats(_ tags: inout [Category]) {
    guard tags.count > 1 else { return }
    if tags.count == 2 {
      if tags[0] == tags[1] { tags.removeLast() }
      return
    }
    var seen: Set<Category> = []
    seen.reserveCapacity(tags.count)
    for tag in tags { seen.insert(tag) }
    guard seen.count < tags.count else { return }
    tags = tags.filter { seen.remove($0) != nil }
  }

  mutating func endCategory(_ frame: Frame) {
    var tag = parts.tag
    parts.tag = Category(term: "")
    if let text = line(of: frame) {
      if tag.term.isEmpty {
        tag.term = text
      } else if tag.term != text {
        addTag(tag)
        tag = Category(term: text)
      }
    }
    if tag.term.isEmpty, tag.label == nil { return }
    addTag(tag)
  }

  /// Stores a comma-separated list of words as tags.
  mutating func storeKeywords(_ frame: Frame, _ field: ElementRule.Field) {
    guard let text = line(of: frame) else { return }
    let scheme = field == .itunesKeywords ? Self.itunesScheme : nil
    var rest = Substring(text).utf8
    while !rest.isEmpty {
      var word = rest.prefix { $0 != UInt8(ascii: ",") }
      rest = rest[word.endIndex...].dropFirst()
      while word.first == UInt8(ascii: " ") { word.removeFirst() }
      while word.last == UInt8(ascii: " ") { word.removeLast() }
      if !word.isEmpty { addTag(Category(term: String(Substring(word)), scheme: scheme)) }
    }
  }

  // MARK: Lists

  /// Maximum number of elements of a list.
  static let maximumListLength = ParsedItem.longestList

  /// Returns whether a list of `count` elements may grow. Records a finding if it may not.
  mutating func hasRoom(_ count: Int) -> Bool {
    guard count >= Self.maximumListLength else { return true }
    noteLongList()
    return false
  }

  mutating func noteLongList() {
    note(.listLength, "a list has more than \(Self.maximumListLength) elements; the rest was left out")
  }

  /// Appends an element unless the list has it, or is full. `index` is that of the list.
  static func append<Element: ListValue>(
    _ element: Element,
    to list: inout [Element],
    _ index: inout ListIndex
  ) {
    guard list.count < maximumListLength else { return }
    let isRepeated =
      list.count < ListIndex.shortest
      ? list.contains(element) : index.place(of: element.key, in: list) { $0.key } != nil
    if !isRepeated { list.append(element) }
  }

  // MARK: Generator

  mutating func endGenerator(_ frame: Frame) {
    var generator = parts.generator
    parts.generator = Generator()
    generator.name = line(of: frame)
    if generator != Generator() { setGenerator(generator) }
  }

  mutating func setGenerator(_ generator: Generator) {
    switch place.scope {
    case .source: parts.source.generator = parts.source.generator ?? generator
    case .feed, .outside: feed.generator = feed.generator ?? generator
    case .item, .image, .textInput, .person: break
    }
  }

  // MARK: Dates

  mutating func storeDate(_ frame: Frame, _ field: ElementRule.Field, rank: UInt8) {
    guard let date = DateParser.parse(text(of: frame)) else { return }
    if field != .updated { setPublished(date, rank: rank) }
    if field != .published { setUpdated(date, rank: rank) }
  }

  private mutating func setPublished(_ date: Timestamp, rank: UInt8) {
    switch place.scope {
    case .item:
      guard rank > entry.ranks[.published] else { return }
      entry.item.published = date
      entry.ranks[.published] = rank
    case .feed, .outside:
      guard rank > channel.ranks[.published] else { return }
      feed.published = date
      channel.ranks[.published] = rank
    default: break
    }
  }

  mutating func setUpdated(_ date: Timestamp?, rank: UInt8) {
    guard let date else { return }
    switch place.scope {
    case .item:
      guard rank > entry.ranks[.updated] else { return }
      entry.item.updated = date
      entry.ranks[.updated] = rank
    case .feed, .outside:
      guard rank > channel.ranks[.updated] else { return }
      feed.updated = date
      channel.ranks[.updated] = rank
    case .source:
      parts.source.updated = parts.source.updated ?? date
    default: break
    }
  }

  // MARK: Flags and licences

  /// Parses `itunes:explicit`; nil for an unknown value.
  mutating func isExplicit(_ frame: Frame) -> Bool? {
    let text = text(of: frame)
    if ByteText.equals(text, "yes") || ByteText.equals(text, "true") || ByteText.equals(text, "explicit") {
      return true
    }
    let isClean =
      ByteText.equals(text, "no") || ByteText.equals(text, "false") || ByteText.equals(text, "clean")
    return isClean ? false : nil
  }

  mutating func isBlocked(_ frame: Frame) -> Bool {
    let text = text(of: frame)
    return ByteText.equals(text, "yes") || ByteText.equals(text, "true")
  }

  mutating func setLicense(_ url: String) {
    switch place.scope {
    case .item: entry.item.license = entry.item.license ?? url
    case .feed, .outside: Self.append(Link(href: url, rel: "license"), to: &feed.links, &channel.links)
    case .source, .image, .textInput, .person: break
    }
  }
}
