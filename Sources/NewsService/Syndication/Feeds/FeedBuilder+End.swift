import NewsCore

/// End tags: stores the text of each field.
extension FeedBuilder {
  mutating func end(_ frame: Frame) {
    switch frame.element {
    case .item: endItem(frame)
    case .image: endImage(frame)
    case .source: endSource(frame)
    case .author, .contributor, .itunesOwner, .publisher, .creator, .managingEditor, .webMaster,
      .itunesAuthor:
      endPerson(frame)
    case .name, .email, .uri: endPersonPart(frame)
    case .title, .dcTitle, .itunesTitle: endTitle(frame)
    case .contentValue where place.depth == 0 || frames[place.depth - 1].element != .contentItem: break
    case .subtitle, .description, .summary, .info, .content, .contentEncoded, .contentValue, .xhtmlBody,
      .dcDescription,
      .itunesSummary, .itunesSubtitle:
      endText(frame)
    case .rights, .mediaRights: setRights(frame)
    case .id, .guid, .identifier: endIdentifier(frame)
    case .link: endLink(frame)
    case .category, .mediaCategory: endCategory(frame)
    case .keywords, .itunesKeywords, .mediaKeywords: endKeywords(frame)
    case .generator: endGenerator(frame)
    case .language: endLanguage(frame)
    case .comments: endComments(frame)
    case .logo, .icon:
      if let url = url(of: frame, policy: .resource) { setLogo(frame.element, url) }
    case .itunesImage:
      if let url = url(of: frame, policy: .resource) { setImage(url, rank: 4) }
    case .width, .height: endImageSize(frame)
    case .published, .updated, .created, .expires, .dcDate: endDate(frame)
    case .ttl, .hour, .day, .updatePeriod, .updateFrequency, .updateBase: endHint(frame)
    case .itunesExplicit, .itunesBlock, .itunesDuration, .episode, .season, .episodeType, .podcastPerson,
      .podcastGuid, .mediaContent, .mediaTitle, .mediaDescription, .mediaCredit, .commentCount, .commentsFeed,
      .inReplyTo, .geoPoint, .latitude, .longitude, .gmlPosition, .license, .markdown, .origLink,
      .origEnclosureLink:
      endExtension(frame)
    default: break
    }
  }

  // MARK: Text

  private mutating func endTitle(_ frame: Frame) {
    let rank = rank(of: frame)
    let current = frame.scope == .item ? entry.rank.title : frame.scope.isFeed ? channel.rank.title : 0
    guard rank > current, let title = line(of: frame) else { return }
    switch frame.scope {
    case .item:
      entry.item.title = title
      entry.rank.title = rank
    case .feed, .outside:
      feed.title = title
      channel.rank.title = rank
    case .source: parts.source.title = parts.source.title ?? title
    case .image: parts.image.title = parts.image.title ?? title
    case .textInput, .person, .media: break
    }
  }

  /// Rank of the element in its scope.
  private func rank(of frame: Frame) -> UInt8 {
    let rule = FieldRule.of(frame.element)
    return frame.scope == .item ? rule.itemRank : rule.feedRank
  }

  /// True for `description` in RSS and `subtitle` in Atom.
  private func isOwnDescription(_ frame: Frame) -> Bool {
    guard frame.element == .description || frame.element == .subtitle else { return false }
    return (frame.element == .description) == FeedFormat.isRSS(feed.format)
      && frame.vocabulary.isOwn(of: feed.format)
  }

  private mutating func endText(_ frame: Frame) {
    switch frame.scope {
    case .item: endItemText(frame)
    case .feed, .outside:
      let rank = rank(of: frame) + (isOwnDescription(frame) ? 1 : 0)
      guard rank > channel.rank.summary, let text = line(of: frame) else { return }
      feed.description = text
      channel.rank.summary = rank
    case .source:
      if frame.element == .subtitle || frame.element == .description {
        parts.source.subtitle = line(of: frame)
      }
    case .image:
      if frame.element == .description {
        parts.image.description = parts.image.description ?? line(of: frame)
      }
    case .textInput, .person, .media: break
    }
  }

  private mutating func endItemText(_ frame: Frame) {
    let language = frame.changesLanguage ? scopedLanguage : markup.language
    markup.language = nil
    switch frame.element {
    case .content, .contentEncoded, .contentValue, .xhtmlBody:
      let rank = rank(of: frame)
      // Of several contents (Atom 0.3), one with markup takes precedence.
      let isRicher = rank == entry.rank.content && entry.item.contentHTML == nil
      guard rank > entry.rank.content || isRicher else { return }
      let text = rendition(of: frame, makesText: makesText)
      // Content that the sanitiser empties is ignored.
      if text.saysNothing || isRicher && text.html == nil { return }
      setContent(text, rank: rank)
      if let language, language != feed.language { entry.item.language = entry.item.language ?? language }
    default:
      let rank = rank(of: frame)
      // A second description is the long form of the first.
      if rank == 5, entry.rank.summary == 5, entry.rank.content == 0 {
        let text = rendition(of: frame, makesText: makesText)
        if !text.saysNothing { setContent(text, rank: 1) }
        return
      }
      guard rank > entry.rank.summary else { return }
      let text = rendition(of: frame, makesText: makesText)
      if text.saysNothing { return }
      entry.draft.summary = text
      entry.draft.summaryLanguage = language
      entry.rank.summary = rank
    }
  }

  mutating func setContent(_ text: Rendition, rank: UInt8) {
    entry.item.contentHTML = text.html
    entry.item.contentText = text.text
    entry.rank.content = rank
  }

  private mutating func setRights(_ frame: Frame) {
    guard let rights = line(of: frame) else { return }
    let rank: UInt8 = frame.vocabulary.isOwn(of: feed.format) ? 2 : 1
    switch place.scope {
    case .item, .media:
      guard rank > entry.rank.rights else { return }
      entry.item.rights = rights
      entry.rank.rights = rank
    case .source: parts.source.rights = parts.source.rights ?? rights
    case .feed, .outside:
      guard rank > channel.rank.rights else { return }
      feed.rights = rights
      channel.rank.rights = rank
    case .image, .textInput, .person: break
    }
  }

  private mutating func endLanguage(_ frame: Frame) {
    guard let language = Self.languageTag(text(of: frame)) else { return }
    switch frame.scope {
    case .item: entry.item.language = entry.item.language ?? language
    case .feed, .outside:
      // `language` takes precedence over the `xml:lang` around it.
      let rank: UInt8 = frame.vocabulary.isOwn(of: feed.format) ? 2 : 1
      guard rank > channel.rank.language else { return }
      feed.language = language
      channel.rank.language = rank
    default: break
    }
  }

  private mutating func endComments(_ frame: Frame) {
    guard frame.scope == .item else { return }
    entry.item.commentsURL = entry.item.commentsURL ?? address(of: frame)
  }

  // MARK: Identity

  private mutating func endIdentifier(_ frame: Frame) {
    guard let id = verbatim(frame) else { return }
    switch frame.scope {
    case .item:
      let rank = frame.element == .guid && FeedFormat.isRSS(feed.format) ? 4 : rank(of: frame)
      guard rank > entry.rank.id, frame.element != .identifier || entry.item.id == nil else { return }
      entry.item.id = id
      entry.rank.id = rank
      guard frame.element == .guid else { return }
      let isPermalink = parts.isPermalink ?? true
      // Without `isPermaLink`, a guid is a permalink only if it is a web address.
      let isAddress = WebAddress.isWeb(id) || parts.isPermalink == true && inherited.base != nil
      entry.item.guidIsPermalink = isPermalink && isAddress
      if isPermalink, entry.rank.link < 1, isAddress, let url = url(of: frame), WebAddress.isWeb(url) {
        entry.item.url = url
        entry.rank.link = 1
      }
    case .feed, .outside:
      if frame.element != .identifier || feed.id == nil { feed.id = id }
    case .source: parts.source.id = parts.source.id ?? id
    case .image, .textInput, .person, .media: break
    }
  }

  // MARK: Tags

  mutating func addTag(_ tag: Category) {
    guard !tag.term.isEmpty || tag.label != nil || tag.scheme != nil else { return }
    switch place.scope {
    case .item, .media:
      if hasRoom(entry.item.tags.count) { entry.item.tags.append(tag) }
    case .source:
      if hasRoom(parts.source.tags.count) { parts.source.tags.append(tag) }
    case .feed, .outside:
      if hasRoom(feed.tags.count) { feed.tags.append(tag) }
    case .image, .textInput, .person: break
    }
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

  /// Maximum elements of a list, which keeps the search for repeats cheap.
  static let maximumListLength = 512

  /// False, with a finding, if the list is full.
  mutating func hasRoom(_ count: Int) -> Bool {
    guard count >= Self.maximumListLength else { return true }
    noteLongList()
    return false
  }

  mutating func noteLongList() {
    note(.listLength, "A list has more than \(Self.maximumListLength) elements; the rest was left out.")
  }

  static func append<Element: Equatable>(_ element: Element, to list: inout [Element]) {
    guard list.count < maximumListLength, !list.contains(element) else { return }
    list.append(element)
  }

  private mutating func endCategory(_ frame: Frame) {
    var tag = parts.tag
    parts.tag = Category(term: "")
    place.scope = frame.scope
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

  private mutating func endKeywords(_ frame: Frame) {
    guard let text = line(of: frame) else { return }
    place.scope = frame.scope
    let scheme = frame.element == .itunesKeywords ? Self.itunesScheme : nil
    var rest = Substring(text).utf8
    while !rest.isEmpty {
      var word = rest.prefix { $0 != UInt8(ascii: ",") }
      rest = rest[word.endIndex...].dropFirst()
      while word.first == UInt8(ascii: " ") { word.removeFirst() }
      while word.last == UInt8(ascii: " ") { word.removeLast() }
      if !word.isEmpty { addTag(Category(term: String(Substring(word)), scheme: scheme)) }
    }
  }

  // MARK: Generator

  private mutating func endGenerator(_ frame: Frame) {
    var generator = parts.generator
    parts.generator = Generator()
    generator.name = line(of: frame)
    guard generator != Generator() else { return }
    place.scope = frame.scope
    setGenerator(generator)
  }

  mutating func setGenerator(_ generator: Generator) {
    switch place.scope {
    case .source: parts.source.generator = parts.source.generator ?? generator
    case .feed, .outside: feed.generator = feed.generator ?? generator
    case .item, .image, .textInput, .person, .media: break
    }
  }

  // MARK: Dates

  private mutating func endDate(_ frame: Frame) {
    let date = DateParser.parse(text(of: frame))
    guard let date else { return }
    place.scope = frame.scope
    switch frame.element {
    case .published: setPublished(date, rank: frame.vocabulary.isOwn(of: feed.format) ? 3 : 2)
    case .updated: setUpdated(date, rank: frame.vocabulary.isOwn(of: feed.format) ? 3 : 2)
    case .dcDate:
      // `dc:date` is the only date, so it is both published and updated.
      setPublished(date, rank: 1)
      setUpdated(date, rank: 1)
    case .created:
      switch place.scope {
      case .item: entry.item.created = entry.item.created ?? date
      case .feed, .outside: feed.created = feed.created ?? date
      default: break
      }
    case .expires:
      if place.scope == .item { entry.item.expires = entry.item.expires ?? date }
    default: break
    }
  }

  mutating func setPublished(_ date: Timestamp, rank: UInt8) {
    switch place.scope {
    case .item:
      guard rank > entry.rank.published else { return }
      entry.item.published = date
      entry.rank.published = rank
    case .feed, .outside:
      guard rank > channel.rank.published else { return }
      feed.published = date
      channel.rank.published = rank
    default: break
    }
  }

  mutating func setUpdated(_ date: Timestamp?, rank: UInt8) {
    guard let date else { return }
    switch place.scope {
    case .item:
      guard rank > entry.rank.updated else { return }
      entry.item.updated = date
      entry.rank.updated = rank
    case .feed, .outside:
      guard rank > channel.rank.updated else { return }
      feed.updated = date
      channel.rank.updated = rank
    case .source:
      parts.source.updated = parts.source.updated ?? date
    default: break
    }
  }

  // MARK: Hints

  private mutating func endHint(_ frame: Frame) {
    let text = text(of: frame)
    switch frame.element {
    case .ttl:
      if let minutes = ByteText.integer(text), minutes >= 0 { feed.hints.ttl = feed.hints.ttl ?? minutes }
    case .hour:
      // Hours are 1 to 24 in RSS 0.91, 0 to 23 in RSS 2.0.
      if let hour = ByteText.integer(text), (0...24).contains(hour) {
        feed.hints.skipHours |= 1 << UInt32(hour % 24)
      }
    case .day:
      let names: [StaticString] = [
        "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
      ]
      if let day = names.firstIndex(where: { ByteText.equals(text, $0) }) {
        feed.hints.skipDays |= 1 << UInt8(day)
      }
    case .updatePeriod:
      let periods: [(StaticString, Int64)] = [
        ("hourly", 3600), ("daily", 86_400), ("weekly", 604_800), ("monthly", 2_592_000),
        ("yearly", 31_536_000),
      ]
      channel.updatePeriod = periods.first { ByteText.equals(text, $0.0) }?.1
    case .updateFrequency:
      if let frequency = ByteText.integer(text), frequency > 0 { channel.updateFrequency = Int64(frequency) }
    case .updateBase:
      feed.hints.updateBase = DateParser.parse(text)
    default: break
    }
  }
}
