import NewsCore

/// The ends of items, sources and persons.
extension FeedBuilder {
  mutating func endItem(_ frame: Frame) {
    guard scope == .item else { return }
    let isInner = suspended.last?.frame == depth
    guard isInner || frame.scope != .item else { return }
    defer { if isInner { resumeItem() } }
    // Some programs leave the tags of an item in another that they took from elsewhere.
    if isInner, item == ParsedItem(), draft.summary.isEmpty, !draft.hasExtensions { return }
    if isSpent {
      isSpent = false
      resetItem()
      return
    }
    itemCount += 1
    guard itemCount <= limits.maximumItems else {
      note(.items, "There are more than \(limits.maximumItems) items; the rest was left out.")
      stop()
      return
    }
    complete()
    deliver()
    resetDraft()
  }

  /// What is decided only when an item is complete.
  private mutating func complete() {
    chooseContent()
    inheritAuthors()
    if item.url == nil, let address = draftAddress {
      item.url = URLResolver.resolve(address, against: base)
    }
    if draft.hasFragments { Self.settleFragments(of: &item, against: base) }
    if let link = draft.origEnclosureLink {
      if item.enclosures.isEmpty {
        item.enclosures.append(Enclosure(url: link))
      } else {
        item.enclosures[0].url = link
      }
    }
    if let latitude = draft.latitude, let longitude = draft.longitude, draft.extensions.point == nil {
      setPoint(latitude: latitude, longitude: longitude)
    }
    if draft.hasExtensions { item.extensions = draft.extensions }
    Self.removeRepeats(&item.tags)
    if item.guidIsPermalink == true, item.url != item.id, itemRank.link > 1 { item.guidIsPermalink = false }
    if item.language == nil { item.language = scopedLanguage.flatMap { $0 == feed.language ? nil : $0 } }
  }

  /// An item begins inside another, which goes on behind it.
  mutating func suspendItem() {
    note(.nestedItem, "An item stands inside another.")
    var outer = SuspendedItem(frame: depth - 1)
    swap(&outer.item, &item)
    swap(&outer.draft, &draft)
    outer.rank = itemRank
    outer.address = draftAddress
    outer.isHandedOver = isSpent
    isSpent = false
    suspended.append(outer)
    resetItem()
  }

  /// The inner item has ended.
  private mutating func resumeItem() {
    guard var outer = suspended.popLast() else { return }
    swap(&outer.item, &item)
    swap(&outer.draft, &draft)
    itemRank = outer.rank
    draftAddress = outer.address
    isSpent = outer.isHandedOver
  }

  /// Hands the item over, or collects it.
  private mutating func deliver() {
    // Moved, not copied: copying counts references of every field.
    var finished = ParsedItem()
    swap(&finished, &item)
    guard admits(finished) else { return }
    // The outer item comes first, as it does in the document.
    if suspended.contains(where: { !$0.isHandedOver }) {
      innerBytes += Self.size(of: finished) + 1024
      innerItems.append(finished)
      if innerBytes > Self.maximumHeldBytes { handOverSuspended() }
      return
    }
    handOver(finished)
    if !innerItems.isEmpty { handOverInner() }
  }

  private mutating func handOverInner() {
    let inner = innerItems
    innerItems = []
    innerBytes = 0
    for item in inner { handOver(item) }
  }

  /// Too much stands inside an item to wait for its end: what it has said so far is what it says.
  private mutating func handOverSuspended() {
    for index in suspended.indices where !suspended[index].isHandedOver {
      suspended[index].isHandedOver = true
      var outer = SuspendedItem(frame: 0)
      swap(&outer.item, &item)
      swap(&outer.draft, &draft)
      outer.rank = itemRank
      outer.address = draftAddress
      swap(&suspended[index].item, &item)
      swap(&suspended[index].draft, &draft)
      itemRank = suspended[index].rank
      draftAddress = suspended[index].address
      complete()
      var finished = ParsedItem()
      swap(&finished, &item)
      handOver(finished)
      swap(&outer.item, &item)
      swap(&outer.draft, &draft)
      itemRank = outer.rank
      draftAddress = outer.address
    }
    handOverInner()
  }

  private mutating func handOver(_ finished: ParsedItem) {
    guard let onItem else {
      feed.items.append(finished)
      return
    }
    handedOver += 1
    guard handedOver > itemsToSkip else { return }
    // The feed may name its authors behind its entries (RFC 4287 section 4.1.1): a few are kept back for that.
    if waitsForAuthors || finished.authors.isEmpty && feed.authors.isEmpty && feed.format.hasPrefix("atom") {
      if heldBytes <= Self.maximumHeldBytes {
        heldBytes += Self.size(of: finished) + 1024
        held.append(finished)
        if heldBytes <= Self.maximumHeldBytes { return }
        deliverHeld()
        return
      }
    }
    onItem(finished)
  }

  private static let maximumHeldBytes = 1 << 20
  private var waitsForAuthors: Bool { !held.isEmpty }

  /// Gives those that were kept back, with the authors that are known by now.
  mutating func deliverHeld() {
    let items = held
    held = []
    for item in items {
      var item = item
      if item.authors.isEmpty { item.authors = feed.authors }
      onItem?(item)
    }
  }

  /// Counts the item towards what one document may yield; false when that is exceeded, and nothing more is read.
  mutating func admits(_ item: borrowing ParsedItem) -> Bool {
    totalBytes += Self.size(of: item)
    guard totalBytes > maximumTotalBytes else { return true }
    note(.totalBytes, "The items hold more than \(maximumTotalBytes) bytes together; the rest was left out.")
    stop()
    return false
  }

  /// Bytes of the item's texts, roughly.
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

  /// The summary is the content where there is nothing else.
  private mutating func chooseContent() {
    // A player or a script was all there was.
    let isReplaceable = !draft.summary.isEmpty || draft.extensions.mediaDescription != nil
    if sanitizes, itemRank.content != 0, isReplaceable, item.showsNothing { itemRank.content = 0 }
    if itemRank.content == 0 {
      item.contentHTML = draft.summary.html
      item.contentText = draft.summary.text
      if let language = draft.summaryLanguage, language != feed.language {
        item.language = item.language ?? language
      }
      if draft.summary.isEmpty, draft.hasExtensions {
        item.contentText = draft.extensions.mediaDescription ?? draft.extensions.markdown
      }
    } else if !draft.summary.isEmpty {
      item.summaryHTML = draft.summary.html
      if draft.summary.text == nil, sanitizes { makeSummaryText() }
      if let text = draft.summary.text, !text.isEmpty {
        var text = text
        item.summary = text.withUTF8 { line($0, type: .plain) }
      }
    }
    if item.contentHTML == nil, item.contentText == nil { item.contentText = "" }
  }

  @inline(never)
  private mutating func makeSummaryText() {
    draft.summary.text = draft.summary.html.map { plainText.line(ofHTML: $0) }
  }

  /// RFC 4287 section 4.2.1: an entry without author has its source's, else its feed's.
  private mutating func inheritAuthors() {
    if item.authors.isEmpty, let author = draft.fallbackAuthor { item.authors = [author] }
    guard item.authors.isEmpty, feed.format.hasPrefix("atom") else { return }
    if let authors = item.source?.authors, !authors.isEmpty {
      item.authors = authors
    } else {
      item.authors = feed.authors
    }
  }

  /// Links to places that the item's HTML has not lead to the item's page.
  static func settleFragments(of item: inout ParsedItem, against base: BaseURL?) {
    guard let page = item.url.flatMap({ BaseURL($0) }) ?? base else { return }
    var growth = SanitizingSink.maximumGrowth
    item.contentHTML = item.contentHTML.map { FragmentLinks.settled($0, page: page, growth: &growth) }
    item.summaryHTML = item.summaryHTML.map { FragmentLinks.settled($0, page: page, growth: &growth) }
  }

  mutating func endSource(_ frame: Frame) {
    guard frame.scope == .item, scope == .source else { return }
    if source.title == nil { source.title = line(of: frame) }
    Self.removeRepeats(&source.tags)
    if item.source == nil, source != ItemSource() { item.source = source }
  }

  // MARK: People

  mutating func endPersonPart(_ frame: Frame) {
    guard frame.scope == .person else {
      if frame.element == .uri, frame.scope == .image {
        image.url = image.url ?? url(of: frame, policy: .resource)
      }
      return
    }
    switch frame.element {
    case .name: person.name = person.name ?? line(of: frame)
    case .email:
      person.email =
        person.email ?? line(of: frame).map { $0.hasPrefix("mailto:") ? String($0.dropFirst(7)) : $0 }
    default: person.url = person.url ?? url(of: frame)
    }
  }

  mutating func endPerson(_ frame: Frame) {
    scope = frame.scope
    if frame.element == .itunesAuthor {
      guard let author = line(of: frame).flatMap(PersonText.parse) else { return }
      if scope == .item {
        draft.fallbackAuthor = draft.fallbackAuthor ?? author
      } else if scope == .feed || scope == .outside {
        feedFallbackAuthor = feedFallbackAuthor ?? author
      }
      return
    }
    if person == Author() {
      guard let text = line(of: frame) else { return }
      guard PersonText.mayBeSeveral(text) else {
        if let author = PersonText.parse(text) { credit(author, as: frame.element) }
        return
      }
      for author in PersonText.people(text) { credit(author, as: frame.element) }
      return
    }
    // Names such as `mail@example.org (Name)` stand in Atom's name element too.
    if person.email == nil, let name = person.name, name.utf8.contains(0x40),
      let parsed = PersonText.parse(name)
    {
      person.name = parsed.name
      person.email = parsed.email
    }
    credit(person, as: frame.element)
  }

  private mutating func credit(_ person: Author, as element: FeedElement) {
    switch (element, scope) {
    case (.contributor, .item): Self.append(person, to: &item.contributors)
    case (.contributor, .source): Self.append(person, to: &source.contributors)
    case (.contributor, .feed), (.contributor, .outside): Self.append(person, to: &feed.contributors)
    case (.publisher, .item), (.webMaster, .item), (.itunesOwner, .item):
      item.publisher = item.publisher ?? person
    case (.publisher, .feed), (.webMaster, .feed), (.itunesOwner, .feed):
      // Whom iTunes writes to matters less than who publishes.
      if feed.publisher == nil || publisherIsOwner && element != .itunesOwner {
        feed.publisher = person
        publisherIsOwner = element == .itunesOwner
      }
    case (.author, .item), (.creator, .item):
      if item.authors.count >= Self.maximumListLength { noteLongList() }
      Self.add(person, to: &item.authors)
    case (.author, .source), (.creator, .source): Self.add(person, to: &source.authors)
    case (.author, .feed), (.creator, .feed), (.managingEditor, .feed), (.author, .outside),
      (.creator, .outside):
      Self.add(person, to: &feed.authors)
    default: break
    }
  }

  /// The same name twice is one person, with what each place knows of her.
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
