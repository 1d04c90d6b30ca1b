import NewsCore

/// Completes items and sources at their end tags.
extension FeedBuilder {
  mutating func endItem(_ frame: Frame) {
    guard place.scope == .item else { return }
    let isInner = delivery.suspended.last?.depth == place.depth
    guard isInner || frame.scope != .item else { return }
    defer { if isInner { resumeItem() } }
    // Drop an empty inner item: some programs nest an item's tags in another pair.
    if isInner, entry.item == ParsedItem(), entry.draft.summary.isEmpty, !entry.draft.hasExtensions { return }
    guard !entry.isHandedOver else { return resetItem() }
    delivery.itemCount += 1
    guard delivery.itemCount <= limits.maximumItems else {
      note(.items, "there are more than \(limits.maximumItems) items; the rest was left out")
      stop()
      return
    }
    complete()
    deliver()
    resetItem()
  }

  /// Sets the fields that depend on the whole item.
  mutating func complete() {
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
    if entry.item.guidIsPermalink == true, entry.item.url != entry.item.id, entry.ranks[.url] > 1 {
      entry.item.guidIsPermalink = false
    }
    if entry.item.language == nil {
      entry.item.language = scopedLanguage.flatMap { $0 == feed.language ? nil : $0 }
    }
  }

  /// Suspends the current item while an item inside it is read.
  mutating func suspendItem() {
    note(.nestedItem, "an item is inside another")
    delivery.suspended.append((entry, place.depth - 1))
    resetItem()
  }

  private mutating func resumeItem() {
    if let outer = delivery.suspended.popLast() { entry = outer.entry }
  }

  /// Uses the summary as content if the item has no other content.
  private mutating func chooseContent() {
    // Replace content that only consisted of a player or a script.
    let isReplaceable = !entry.draft.summary.isEmpty || entry.draft.extensions.mediaDescription != nil
    var frames = ""
    if settings.sanitizes, entry.ranks[.content] != 0, isReplaceable, entry.item.showsNothing {
      entry.ranks[.content] = 0
      frames = KeptMarkup.frames(of: entry.item.contentHTML ?? "")
    }
    if entry.ranks[.content] == 0 {
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
      if entry.draft.summary.text == nil, settings.sanitizes { makeSummaryText() }
      if let text = entry.draft.summary.text, !text.isEmpty {
        var text = text
        entry.item.summary = text.withUTF8 { line($0, type: .plain) }
      }
    }
    if let html = entry.item.contentHTML, !frames.isEmpty { entry.item.contentHTML = html + frames }
    if entry.item.contentHTML == nil, entry.item.contentText == nil { entry.item.contentText = "" }
  }

  @inline(never)
  private mutating func makeSummaryText() {
    entry.draft.summary.text = entry.draft.summary.html.map { plainText.line(ofHTML: $0) }
  }

  /// Applies `itunes:author`. Then gives an Atom entry without authors the authors of its source, or else of
  /// its feed (RFC 4287 section 4.2.1).
  private mutating func inheritAuthors() {
    Self.useFallback(entry.draft.fallbackAuthor, in: &entry.item.authors)
    guard entry.item.authors.isEmpty, feed.format.hasPrefix("atom") else { return }
    if let authors = entry.item.source?.authors, !authors.isEmpty {
      entry.item.authors = authors
    } else {
      entry.item.authors = feed.authors
    }
  }

  /// Resolves links to anchors that are missing in the item's HTML, so that they lead to the item's page.
  static func settleFragments(of item: inout ParsedItem, against base: BaseURL?) {
    guard let page = item.url.flatMap({ BaseURL($0) }) ?? base else { return }
    var growth = SanitizingSink.maximumGrowth
    item.contentHTML = item.contentHTML.map { FragmentLinks.resolved($0, page: page, growth: &growth) }
    item.summaryHTML = item.summaryHTML.map { FragmentLinks.resolved($0, page: page, growth: &growth) }
  }

  mutating func endSource(_ frame: Frame) {
    guard frame.scope == .item, place.scope == .source else { return }
    if parts.source.title == nil { parts.source.title = line(of: frame) }
    Self.removeRepeats(&parts.source.tags)
    if entry.item.source == nil, parts.source != ItemSource() { entry.item.source = parts.source }
  }
}
