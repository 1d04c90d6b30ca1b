import NewsCore

/// What end tags do: a field's text is complete and goes where it belongs.
extension FeedBuilder {
  mutating func end(_ frame: Frame) {
    switch frame.element {
    case .unknown, .foreign, .markup, .rss, .rdf, .channel, .feed, .html, .opml, .sitemap, .textInput,
      .container, .contentItem,
      .enclosure, .itunesCategory, .cloud, .skipHours, .skipDays, .mediaThumbnail, .mediaPlayer, .chapters,
      .transcript, .generatorAgent, .alternateEnclosure, .podcastSource, .podcastImages:
      break
    case .item: endItem(frame)
    case .image: endImage(frame)
    case .source: endSource(frame)
    case .author, .contributor, .itunesOwner, .publisher, .creator, .managingEditor, .webMaster,
      .itunesAuthor:
      endPerson(frame)
    case .name, .email, .uri: endPersonPart(frame)
    case .title, .dcTitle, .itunesTitle: endTitle(frame)
    case .contentValue where depth == 0 || frames[depth - 1].element != .contentItem: break
    case .subtitle, .description, .summary, .info, .content, .contentEncoded, .contentValue, .xhtmlBody,
      .dcDescription,
      .itunesSummary, .itunesSubtitle:
      endText(frame)
    case .rights, .mediaRights: setRights(frame)
    case .id, .guid, .identifier: endIdentifier(frame)
    case .link: endLink(frame)
    case .category, .mediaCategory: endCategory(frame)
    case .keywords, .itunesKeywords, .mediaKeywords: endKeywords(frame)
    case .subjectResource: break
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
    }
  }

  // MARK: Text

  private mutating func endTitle(_ frame: Frame) {
    let rank: UInt8 = frame.element == .title ? 5 : frame.element == .dcTitle ? 4 : 3
    let current =
      frame.scope == .item
      ? itemRank.title : frame.scope == .feed || frame.scope == .outside ? feedRank.title : 0
    guard rank > current, let title = line(of: frame) else { return }
    switch frame.scope {
    case .item:
      item.title = title
      itemRank.title = rank
    case .feed, .outside:
      feed.title = title
      feedRank.title = rank
    case .source: source.title = source.title ?? title
    case .image: image.title = image.title ?? title
    case .textInput, .person, .media: break
    }
  }

  private mutating func endText(_ frame: Frame) {
    switch frame.scope {
    case .item: endItemText(frame)
    case .feed, .outside:
      let rank: UInt8
      switch frame.element {
      case .subtitle, .description:
        let isOwn = (frame.element == .description) == FeedFormat.isRSS(feed.format)
        rank = isOwn && frame.vocabulary.isOwn(of: feed.format) ? 6 : 5
      case .summary, .dcDescription: rank = 4
      case .itunesSummary: rank = 3
      case .itunesSubtitle: rank = 2
      case .info: rank = 1
      default: return
      }
      guard rank > feedRank.summary, let text = line(of: frame) else { return }
      feed.description = text
      feedRank.summary = rank
    case .source:
      if frame.element == .subtitle || frame.element == .description { source.subtitle = line(of: frame) }
    case .image:
      if frame.element == .description { image.description = image.description ?? line(of: frame) }
    case .textInput, .person, .media: break
    }
  }

  private mutating func endItemText(_ frame: Frame) {
    let language = frame.changesLanguage ? scopedLanguage : markupLanguage
    markupLanguage = nil
    switch frame.element {
    case .content, .contentEncoded, .contentValue, .xhtmlBody:
      let rank: UInt8 = frame.element == .xhtmlBody || frame.element == .contentValue ? 2 : 3
      // Of several contents (Atom 0.3) the one with markup says more.
      let isRicher = rank == itemRank.content && item.contentHTML == nil
      guard rank > itemRank.content || isRicher else { return }
      let text = rendition(of: frame, makesText: makesText)
      // What is nothing when it is sanitised says nothing.
      if text.isEmpty || text.html == nil && text.text == "" || isRicher && text.html == nil { return }
      setContent(text, rank: rank)
      if let language, language != feed.language { item.language = item.language ?? language }
    default:
      let rank: UInt8
      switch frame.element {
      case .description, .summary: rank = 5
      case .dcDescription: rank = 4
      case .itunesSummary: rank = 3
      case .itunesSubtitle: rank = 1
      default: return
      }
      // A second description is the long form of the first.
      if rank == 5, itemRank.summary == 5, itemRank.content == 0 {
        let text = rendition(of: frame, makesText: makesText)
        if !text.isEmpty { setContent(text, rank: 1) }
        return
      }
      guard rank > itemRank.summary else { return }
      let text = rendition(of: frame, makesText: makesText)
      if text.isEmpty { return }
      draft.summary = text
      draft.summaryLanguage = language
      itemRank.summary = rank
    }
  }

  mutating func setContent(_ text: Rendition, rank: UInt8) {
    item.contentHTML = text.html
    item.contentText = text.text
    itemRank.content = rank
  }

  private mutating func setRights(_ frame: Frame) {
    guard let rights = line(of: frame) else { return }
    let rank: UInt8 = frame.vocabulary.isOwn(of: feed.format) ? 2 : 1
    switch scope {
    case .item, .media:
      guard rank > itemRank.rights else { return }
      item.rights = rights
      itemRank.rights = rank
    case .source: source.rights = source.rights ?? rights
    case .feed, .outside:
      guard rank > feedRank.rights else { return }
      feed.rights = rights
      feedRank.rights = rank
    case .image, .textInput, .person: break
    }
  }

  private mutating func endLanguage(_ frame: Frame) {
    guard let language = Self.languageTag(text(of: frame)) else { return }
    switch frame.scope {
    case .item: item.language = item.language ?? language
    case .feed, .outside:
      // What the channel says of itself counts more than the xml:lang around it.
      let rank: UInt8 = frame.vocabulary.isOwn(of: feed.format) ? 2 : 1
      guard rank > feedRank.language else { return }
      feed.language = language
      feedRank.language = rank
    default: break
    }
  }

  private mutating func endComments(_ frame: Frame) {
    guard frame.scope == .item else { return }
    item.commentsURL = item.commentsURL ?? address(of: frame)
  }

  // MARK: Identity

  private mutating func endIdentifier(_ frame: Frame) {
    guard let id = verbatim(frame) else { return }
    switch frame.scope {
    case .item:
      // RSS has a guid and no id, Atom an id and no guid.
      let guidRank: UInt8 = FeedFormat.isRSS(feed.format) ? 4 : 2
      let rank: UInt8 = frame.element == .identifier ? 1 : frame.element == .guid ? guidRank : 3
      guard rank > itemRank.id, frame.element != .identifier || item.id == nil else { return }
      item.id = id
      itemRank.id = rank
      guard frame.element == .guid else { return }
      let isPermalink = draftIsPermalink ?? true
      // A guid that says nothing is a permalink only if it looks like one.
      let isAddress = WebLink.isWeb(id) || draftIsPermalink == true && base != nil
      item.guidIsPermalink = isPermalink && isAddress
      if isPermalink, itemRank.link < 1, isAddress, let url = url(of: frame), WebLink.isWeb(url) {
        item.url = url
        itemRank.link = 1
      }
    case .feed, .outside:
      if frame.element != .identifier || feed.id == nil { feed.id = id }
    case .source: source.id = source.id ?? id
    case .image, .textInput, .person, .media: break
    }
  }

  // MARK: Tags

  mutating func addTag(_ tag: Category) {
    guard !tag.term.isEmpty || tag.label != nil || tag.scheme != nil else { return }
    switch scope {
    case .item, .media:
      if hasRoom(item.tags.count) { item.tags.append(tag) }
    case .source:
      if hasRoom(source.tags.count) { source.tags.append(tag) }
    case .feed, .outside:
      if hasRoom(feed.tags.count) { feed.tags.append(tag) }
    case .image, .textInput, .person: break
    }
  }

  /// Leaves out what is said twice.
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

  /// Lists that a document makes longer than anybody reads end here, so that looking for repeats stays cheap.
  static let maximumListLength = 512

  /// False, and noted, when a list is as long as it may be.
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
    var tag = draftTag
    draftTag = Category(term: "")
    scope = frame.scope
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
    scope = frame.scope
    let scheme = frame.element == .itunesKeywords ? Self.itunesScheme : nil
    var rest = Substring(text).utf8
    while !rest.isEmpty {
      var word = rest.prefix { $0 != 0x2C }
      rest = rest[word.endIndex...].dropFirst()
      while word.first == 0x20 { word.removeFirst() }
      while word.last == 0x20 { word.removeLast() }
      if !word.isEmpty { addTag(Category(term: String(Substring(word)), scheme: scheme)) }
    }
  }

  // MARK: Generator

  private mutating func endGenerator(_ frame: Frame) {
    var generator = draftGenerator
    draftGenerator = Generator()
    generator.name = line(of: frame)
    guard generator != Generator() else { return }
    scope = frame.scope
    setGenerator(generator)
  }

  mutating func setGenerator(_ generator: Generator) {
    switch scope {
    case .source: source.generator = source.generator ?? generator
    case .feed, .outside: feed.generator = feed.generator ?? generator
    case .item, .image, .textInput, .person, .media: break
    }
  }

  // MARK: Dates

  private mutating func endDate(_ frame: Frame) {
    let date = DateParser.parse(text(of: frame))
    guard let date else { return }
    scope = frame.scope
    switch frame.element {
    case .published: setPublished(date, rank: frame.vocabulary.isOwn(of: feed.format) ? 3 : 2)
    case .updated: setUpdated(date, rank: frame.vocabulary.isOwn(of: feed.format) ? 3 : 2)
    case .dcDate:
      // One date for an event in the item's life: all that is known of both.
      setPublished(date, rank: 1)
      setUpdated(date, rank: 1)
    case .created:
      switch scope {
      case .item: item.created = item.created ?? date
      case .feed, .outside: feed.created = feed.created ?? date
      default: break
      }
    case .expires:
      if scope == .item { item.expires = item.expires ?? date }
    default: break
    }
  }

  mutating func setPublished(_ date: Timestamp, rank: UInt8) {
    switch scope {
    case .item:
      guard rank > itemRank.published else { return }
      item.published = date
      itemRank.published = rank
    case .feed, .outside:
      guard rank > feedRank.published else { return }
      feed.published = date
      feedRank.published = rank
    default: break
    }
  }

  mutating func setUpdated(_ date: Timestamp?, rank: UInt8) {
    guard let date else { return }
    switch scope {
    case .item:
      guard rank > itemRank.updated else { return }
      item.updated = date
      itemRank.updated = rank
    case .feed, .outside:
      guard rank > feedRank.updated else { return }
      feed.updated = date
      feedRank.updated = rank
    case .source:
      source.updated = source.updated ?? date
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
      // RSS 0.91 counts to 24, RSS 2.0 from 0 to 23.
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
      updatePeriod = periods.first { ByteText.equals(text, $0.0) }?.1
    case .updateFrequency:
      if let frequency = ByteText.integer(text), frequency > 0 { updateFrequency = Int64(frequency) }
    case .updateBase:
      feed.hints.updateBase = DateParser.parse(text)
    default: break
    }
  }
}
