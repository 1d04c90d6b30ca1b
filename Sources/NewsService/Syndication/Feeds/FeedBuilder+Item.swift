import NewsCore

/// Ends of items, sources and persons.
extension FeedBuilder {
  mutating func endItem(_ frame: Frame) {
    guard place.scope == .item else { return }
    let isInner = delivery.suspended.last?.depth == place.depth
    guard isInner || frame.scope != .item else { return }
    defer { if isInner { resumeItem() } }
    // Some programs copy the tags of an item into another one.
    if isInner, entry.item == ParsedItem(), entry.draft.summary.isEmpty, !entry.draft.hasExtensions { return }
    guard !entry.isHandedOver else { return resetItem() }
    delivery.itemCount += 1
    guard delivery.itemCount <= limits.maximumItems else {
      note(.items, "There are more than \(limits.maximumItems) items; the rest was left out.")
      stop()
      return
    }
    complete()
    deliver()
    resetItem()
  }

  /// Decides everything that depends on the whole item.
  private mutating func complete() {
    chooseContent()
    inheritAuthors()
    if entry.item.url == nil, let address = entry.address {
      entry.item.url = URLResolver.resolve(address, against: inherited.base)
    }
    if entry.draft.hasFragments { Self.settleFragments(of: &entry.item, against: inherited.base) }
    if let link = entry.draft.origEnclosureLink {
      if entry.item.enclosures.isEmpty {
        entry.item.enclosures.append(Enclosure(url: link))
      } else {
        entry.item.enclosures[0].url = link
      }
    }
    if let latitude = entry.draft.latitude, let longitude = entry.draft.longitude,
      entry.draft.extensions.point == nil
    {
      setPoint(latitude: latitude, longitude: longitude)
    }
    if entry.draft.hasExtensions { entry.item.extensions = entry.draft.extensions }
    Self.removeRepeats(&entry.item.tags)
    if entry.item.guidIsPermalink == true, entry.item.url != entry.item.id, entry.rank.link > 1 {
      entry.item.guidIsPermalink = false
    }
    if entry.item.language == nil {
      entry.item.language = scopedLanguage.flatMap { $0 == feed.language ? nil : $0 }
    }
  }

  /// Suspends the current item while one inside it is read.
  mutating func suspendItem() {
    note(.nestedItem, "An item is inside another.")
    delivery.suspended.append((entry, place.depth - 1))
    resetItem()
  }

  private mutating func resumeItem() {
    if let outer = delivery.suspended.popLast() { entry = outer.entry }
  }

  /// Passes the item to `onItem`, or collects it.
  private mutating func deliver() {
    // Moved, because a copy would retain every field.
    var finished = ParsedItem()
    swap(&finished, &entry.item)
    guard admits(finished) else { return }
    // The outer item comes first, in document order.
    if delivery.suspended.contains(where: { !$0.entry.isHandedOver }) {
      delivery.innerBytes += Self.size(of: finished) + 1024
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

  /// Hands over the outer items with the fields they have so far, because the items inside them are too large to
  /// wait.
  private mutating func handOverSuspended() {
    for index in delivery.suspended.indices where !delivery.suspended[index].entry.isHandedOver {
      swap(&entry, &delivery.suspended[index].entry)
      complete()
      var finished = ParsedItem()
      swap(&finished, &entry.item)
      entry.isHandedOver = true
      handOver(finished)
      swap(&entry, &delivery.suspended[index].entry)
    }
    handOverInner()
  }

  private mutating func handOver(_ finished: ParsedItem) {
    guard let onItem else {
      feed.items.append(finished)
      return
    }
    delivery.handedOver += 1
    guard delivery.handedOver > delivery.itemsToSkip else { return }
    // The authors of the feed may follow its entries (RFC 4287 section 4.1.1): hold some entries back.
    if waitsForAuthors || finished.authors.isEmpty && feed.authors.isEmpty && feed.format.hasPrefix("atom") {
      if delivery.heldBytes <= Self.maximumHeldBytes {
        delivery.heldBytes += Self.size(of: finished) + 1024
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

  /// Hands over the items that were held back, with the authors known by now.
  mutating func deliverHeld() {
    let items = delivery.held
    delivery.held = []
    for item in items {
      var item = item
      if item.authors.isEmpty { item.authors = feed.authors }
      onItem?(item)
    }
  }

  /// Adds the size of the item to the total. False, and reading stops, if the total exceeds its bound.
  mutating func admits(_ item: borrowing ParsedItem) -> Bool {
    delivery.totalBytes += Self.size(of: item)
    guard delivery.totalBytes > maximumTotalBytes else { return true }
    note(.totalBytes, "The items hold more than \(maximumTotalBytes) bytes together; the rest was left out.")
    stop()
    return false
  }

  /// Approximate bytes of the item's texts.
  private static func size(of item: borrowing ParsedItem) -> Int {
    func size(_ text: String?) -> Int { text?.utf8.count ?? 0 }
    var total = size(item.contentHTML) + size(item.contentText) + size(item.summaryHTML) + size(item.summary)
    total += size(item.title) + size(item.id) + size(item.url) + size(item.image) + size(item.rights)
    for link in item.links { total += link.href.utf8.count + size(link.title) }
    for tag in item.tags { total += tag.term.utf8.count + size(tag.scheme) + size(tag.label) }
    for enclosure in item.enclosures { total += enclosure.url.utf8.count + size(enclosure.title) }
    for author in item.authors { total += size(author.name) + size(author.url) + size(author.email) }
    guard let extensions = item.extensions else { return total }
    for media in extensions.media { total += media.url.utf8.count + size(media.title) }
    for thumbnail in extensions.thumbnails { total += thumbnail.url.utf8.count }
    return total + size(extensions.mediaDescription) + size(extensions.markdown)
  }

  /// Uses the summary as content if there is no other.
  private mutating func chooseContent() {
    // The content was only a player or a script.
    let isReplaceable = !entry.draft.summary.isEmpty || entry.draft.extensions.mediaDescription != nil
    if sanitizes, entry.rank.content != 0, isReplaceable, entry.item.showsNothing { entry.rank.content = 0 }
    if entry.rank.content == 0 {
      entry.item.contentHTML = entry.draft.summary.html
      entry.item.contentText = entry.draft.summary.text
      if let language = entry.draft.summaryLanguage, language != feed.language {
        entry.item.language = entry.item.language ?? language
      }
      if entry.draft.summary.isEmpty, entry.draft.hasExtensions {
        entry.item.contentText = entry.draft.extensions.mediaDescription ?? entry.draft.extensions.markdown
      }
    } else if !entry.draft.summary.isEmpty {
      entry.item.summaryHTML = entry.draft.summary.html
      if entry.draft.summary.text == nil, sanitizes { makeSummaryText() }
      if let text = entry.draft.summary.text, !text.isEmpty {
        var text = text
        entry.item.summary = text.withUTF8 { line($0, type: .plain) }
      }
    }
    if entry.item.contentHTML == nil, entry.item.contentText == nil { entry.item.contentText = "" }
  }

  @inline(never)
  private mutating func makeSummaryText() {
    entry.draft.summary.text = entry.draft.summary.html.map { plainText.line(ofHTML: $0) }
  }

  /// An entry without author has its source's, else its feed's (RFC 4287 section 4.2.1).
  private mutating func inheritAuthors() {
    Self.useFallback(entry.draft.fallbackAuthor, in: &entry.item.authors)
    guard entry.item.authors.isEmpty, feed.format.hasPrefix("atom") else { return }
    if let authors = entry.item.source?.authors, !authors.isEmpty {
      entry.item.authors = authors
    } else {
      entry.item.authors = feed.authors
    }
  }

  /// Points links to missing anchors of the item's HTML to the item's page.
  static func settleFragments(of item: inout ParsedItem, against base: BaseURL?) {
    guard let page = item.url.flatMap({ BaseURL($0) }) ?? base else { return }
    var growth = SanitizingSink.maximumGrowth
    item.contentHTML = item.contentHTML.map { FragmentLinks.settled($0, page: page, growth: &growth) }
    item.summaryHTML = item.summaryHTML.map { FragmentLinks.settled($0, page: page, growth: &growth) }
  }

  mutating func endSource(_ frame: Frame) {
    guard frame.scope == .item, place.scope == .source else { return }
    if parts.source.title == nil { parts.source.title = line(of: frame) }
    Self.removeRepeats(&parts.source.tags)
    if entry.item.source == nil, parts.source != ItemSource() { entry.item.source = parts.source }
  }

  // MARK: People

  mutating func endPersonPart(_ frame: Frame) {
    guard frame.scope == .person else {
      if frame.element == .uri, frame.scope == .image {
        parts.image.url = parts.image.url ?? url(of: frame, policy: .resource)
      }
      return
    }
    switch frame.element {
    case .name: parts.person.name = parts.person.name ?? line(of: frame)
    case .email:
      parts.person.email =
        parts.person.email ?? line(of: frame).map { $0.hasPrefix("mailto:") ? String($0.dropFirst(7)) : $0 }
    default: parts.person.url = parts.person.url ?? url(of: frame)
    }
  }

  mutating func endPerson(_ frame: Frame) {
    place.scope = frame.scope
    if frame.element == .itunesAuthor {
      guard let author = line(of: frame).flatMap(PersonText.parse) else { return }
      if place.scope == .item {
        entry.draft.fallbackAuthor = entry.draft.fallbackAuthor ?? author
      } else if place.scope == .feed || place.scope == .outside {
        channel.fallbackAuthor = channel.fallbackAuthor ?? author
      }
      return
    }
    if parts.person == Author() {
      guard let text = line(of: frame) else { return }
      guard PersonText.mayBeSeveral(text) else {
        if let author = PersonText.parse(text) { credit(author, as: frame.element) }
        return
      }
      for author in PersonText.people(text) { credit(author, as: frame.element) }
      return
    }
    // Atom's `name` may hold `mail@example.org (Name)` too.
    if parts.person.email == nil, let name = parts.person.name, name.utf8.contains(UInt8(ascii: "@")),
      let parsed = PersonText.parse(name)
    {
      parts.person.name = parsed.name
      parts.person.email = parsed.email
    }
    credit(parts.person, as: frame.element)
  }

  private mutating func credit(_ person: Author, as element: FeedElement) {
    switch (element, place.scope) {
    case (.contributor, .item): Self.append(person, to: &entry.item.contributors)
    case (.contributor, .source): Self.append(person, to: &parts.source.contributors)
    case (.contributor, .feed), (.contributor, .outside): Self.append(person, to: &feed.contributors)
    case (.publisher, .item), (.webMaster, .item), (.itunesOwner, .item):
      entry.item.publisher = entry.item.publisher ?? person
    case (.publisher, .feed), (.webMaster, .feed), (.itunesOwner, .feed):
      // Other publishers take precedence over `itunes:owner`.
      if feed.publisher == nil || channel.publisherIsOwner && element != .itunesOwner {
        feed.publisher = person
        channel.publisherIsOwner = element == .itunesOwner
      }
    case (.author, .item), (.creator, .item):
      if entry.item.authors.count >= Self.maximumListLength { noteLongList() }
      Self.add(person, to: &entry.item.authors)
    case (.author, .source), (.creator, .source): Self.add(person, to: &parts.source.authors)
    case (.author, .feed), (.creator, .feed), (.managingEditor, .feed), (.author, .outside),
      (.creator, .outside):
      Self.add(person, to: &feed.authors)
    default: break
    }
  }

  /// Uses `itunes:author` if there is no author, or as the name of one who is only an e-mail address.
  static func useFallback(_ fallback: Author?, in authors: inout [Author]) {
    guard let fallback else { return }
    if authors.isEmpty {
      authors = [fallback]
    } else if authors.count == 1, let name = fallback.name, !name.utf8.contains(UInt8(ascii: "@")),
      authors[0].email != nil, authors[0].name == nil || authors[0].name == authors[0].email
    {
      authors[0].name = name
    }
  }

  /// Adds a person; one of the same name or address is merged.
  static func add(_ person: Author, to list: inout [Author]) {
    for index in list.indices {
      let known = list[index]
      let isSame =
        person.name != nil && person.name == known.name
        || person.email != nil && person.email == known.email && (person.name == nil || known.name == nil)
      guard isSame else { continue }
      list[index].name = known.name ?? person.name
      list[index].email = known.email ?? person.email
      list[index].url = known.url ?? person.url
      return
    }
    append(person, to: &list)
  }
}
