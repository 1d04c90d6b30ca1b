import NewsCore

/// Stores the texts of elements in the fields of an item.
extension FeedBuilder {
  /// Stores the text of an element in the item, if its rank is the highest so far.
  mutating func storeInItem(_ frame: Frame, _ field: ElementRule.Field, rank: UInt8) {
    switch field {
    case .content: return storeContent(frame, rank: rank)
    case .summary: return storeSummary(frame, rank: rank)
    case .mediaTitle: return storeMediaTitle(frame)
    case .mediaDescription: return storeMediaDescription(frame)
    default: break
    }
    guard rank > entry.ranks[field] else { return }
    switch field {
    case .title:
      guard let title = line(of: frame) else { return }
      entry.item.title = title
    case .id:
      guard let id = verbatim(frame) else { return }
      entry.item.id = id
    case .rights:
      guard let rights = line(of: frame) else { return }
      entry.item.rights = rights
    case .created:
      guard let date = DateParser.parse(text(of: frame)) else { return }
      entry.item.created = date
    case .expires:
      guard let date = DateParser.parse(text(of: frame)) else { return }
      entry.item.expires = date
    case .fallbackAuthor:
      guard let author = line(of: frame).flatMap(PersonText.parse) else { return }
      entry.draft.fallbackAuthor = author
    default: return storeInItemUnranked(frame, field, rank)
    }
    entry.ranks[field] = rank
  }

  /// Stores lists, values whose first or last occurrence counts, and values with a rank of their own.
  private mutating func storeInItemUnranked(_ frame: Frame, _ field: ElementRule.Field, _ rank: UInt8) {
    switch field {
    case .guid: storeGUID(frame, rank: rank)
    case .link: endLink(frame)
    case .language: entry.item.language = entry.item.language ?? Self.languageTag(text(of: frame))
    case .published, .updated, .publishedAndUpdated: storeDate(frame, field, rank: rank)
    case .keywords, .itunesKeywords: storeKeywords(frame, field)
    case .comments: entry.item.commentsURL = entry.item.commentsURL ?? address(of: frame)
    case .image:
      if let url = url(of: frame, policy: .resource) { setImage(url, rank: rank) }
    case .license:
      if let url = address(of: frame) { setLicense(url) }
    case .origLink:
      // Accept only an absolute address of the article.
      guard ByteText.hasPrefix(text(of: frame), "http"), let url = url(of: frame), WebAddress.isWeb(url)
      else { return }
      entry.item.url = url
      entry.ranks[.url] = rank
    case .origEnclosureLink: entry.draft.origEnclosureLink = url(of: frame)
    default: storeModule(frame, field)
    }
  }

  // MARK: Text

  private mutating func storeContent(_ frame: Frame, rank: UInt8) {
    let language = textLanguage(frame)
    // Of several contents (Atom 0.3), one with markup takes precedence.
    let isRicher = rank == entry.ranks[.content] && entry.item.contentHTML == nil
    guard rank > entry.ranks[.content] || isRicher else { return }
    let text = rendition(of: frame, makesText: settings.makesText)
    // Content that the sanitizer empties is ignored.
    if text.saysNothing || isRicher && text.html == nil { return }
    setContent(text, rank: rank)
    if let language, language != feed.language { entry.item.language = entry.item.language ?? language }
  }

  private mutating func storeSummary(_ frame: Frame, rank: UInt8) {
    let language = textLanguage(frame)
    // A second description is the long form of the first.
    if rank == 5, entry.ranks[.summary] == 5, entry.ranks[.content] == 0 {
      let text = rendition(of: frame, makesText: settings.makesText)
      if !text.saysNothing { setContent(text, rank: 1) }
      return
    }
    guard rank > entry.ranks[.summary] else { return }
    let text = rendition(of: frame, makesText: settings.makesText)
    if text.saysNothing { return }
    entry.draft.summary = text
    entry.draft.summaryLanguage = language
    entry.ranks[.summary] = rank
  }

  private mutating func textLanguage(_ frame: Frame) -> String? {
    frame.changesLanguage ? scopedLanguage : markup.language
  }

  private mutating func setContent(_ text: Rendition, rank: UInt8) {
    entry.item.contentHTML = text.html
    entry.item.contentText = text.text
    entry.ranks[.content] = rank
  }

  // MARK: Identity

  private mutating func storeGUID(_ frame: Frame, rank: UInt8) {
    let rank = FeedFormat.isRSS(feed.format) ? rank + 2 : rank
    guard rank > entry.ranks[.id], let id = verbatim(frame) else { return }
    entry.item.id = id
    entry.ranks[.id] = rank
    let isPermalink = parts.isPermalink ?? true
    // Without `isPermaLink`, a guid is a permalink only if it is a web address.
    let isAddress = WebAddress.isWeb(id) || parts.isPermalink == true && inherited.base != nil
    entry.item.guidIsPermalink = isPermalink && isAddress
    if isPermalink, entry.ranks[.url] < 1, isAddress, let url = url(of: frame), WebAddress.isWeb(url) {
      entry.item.url = url
      entry.ranks[.url] = 1
    }
  }

  // MARK: Modules

  /// Stores the fields of podcasts, Media RSS, discussions and places. Persons and credits are lists. Of a
  /// repeated duration, episode or season, the first value counts; of other elements, the last.
  private mutating func storeModule(_ frame: Frame, _ field: ElementRule.Field) {
    switch field {
    case .explicit: entry.item.itunesExplicit = isExplicit(frame) ?? entry.item.itunesExplicit
    case .block: entry.item.itunesBlock = isBlocked(frame)
    case .duration:
      entry.item.itunesDuration = entry.item.itunesDuration ?? DurationText.seconds(text(of: frame))
    case .episode: entry.draft.extensions.episode = entry.draft.extensions.episode ?? line(of: frame)
    case .season: entry.draft.extensions.season = entry.draft.extensions.season ?? line(of: frame)
    case .episodeType: entry.draft.extensions.episodeType = line(of: frame)?.lowercased()
    case .podcastPerson:
      if let name = name(of: frame) { parts.podcastPerson.name = name }
      guard !parts.podcastPerson.name.isEmpty else { return }
      Self.append(parts.podcastPerson, to: &entry.draft.extensions.persons, &entry.lists.persons)
    case .credit:
      guard let name = name(of: frame) else { return }
      parts.credit.name = name
      Self.append(parts.credit, to: &entry.draft.extensions.credits, &entry.lists.credits)
    case .commentCount:
      guard let count = ByteText.byteCount(text(of: frame)), count >= 0 else { return }
      entry.draft.extensions.commentCount = count
    case .commentsFeed: entry.draft.extensions.commentsFeedURL = url(of: frame)
    case .markdown: entry.draft.extensions.markdown = verbatim(frame).map(SafeMarkdown.disarmed)
    case .latitude: entry.draft.latitude = Self.number(text(of: frame))
    case .longitude: entry.draft.longitude = Self.number(text(of: frame))
    case .point:
      let parts = text(of: frame).split { $0 <= UInt8(ascii: " ") || $0 == UInt8(ascii: ",") }
      guard (2...3).contains(parts.count),
        let latitude = Self.number(UnsafeBufferPointer(rebasing: parts[0])),
        let longitude = Self.number(UnsafeBufferPointer(rebasing: parts[1]))
      else { return }
      setPoint(latitude: latitude, longitude: longitude)
    default: break
    }
  }

  /// Stores `media:title`. Inside `media:content`, it is the caption of that medium; it becomes the item's title only
  /// if the item has no other.
  private mutating func storeMediaTitle(_ frame: Frame) {
    guard let title = line(of: frame) else { return }
    let rank = rankInMedia
    if let open = entry.draft.openMedia { entry.draft.extensions.media[open].title = title }
    if rank > entry.ranks[.mediaTitle] {
      entry.draft.extensions.mediaTitle = title
      entry.ranks[.mediaTitle] = rank
    }
    if rank > entry.ranks[.title] {
      entry.item.title = title
      entry.ranks[.title] = rank
    }
  }

  private mutating func storeMediaDescription(_ frame: Frame) {
    if let open = entry.draft.openMedia { entry.draft.extensions.media[open].alt = line(of: frame) }
    guard rankInMedia > entry.ranks[.mediaDescription] else { return }
    // Line breaks are kept, because descriptions of videos rely on them.
    let rendition = rendition(of: frame, makesText: true)
    guard let text = rendition.text ?? rendition.html, !text.isEmpty else { return }
    entry.draft.extensions.mediaDescription = text
    entry.ranks[.mediaDescription] = rankInMedia
  }

  /// Rank of a Media RSS text. The text of one medium ranks below a text for all media.
  private var rankInMedia: UInt8 { entry.draft.openMedia == nil ? 2 : 1 }

  mutating func setPoint(latitude: Double, longitude: Double) {
    guard abs(latitude) <= 90, abs(longitude) <= 180 else { return }
    entry.draft.extensions.point = GeoPoint(latitude: latitude, longitude: longitude)
  }

  private static func number(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    guard bytes.count <= 40 else { return nil }
    return Double(String(decoding: ByteText.trimmed(bytes), as: UTF8.self))
  }
}
