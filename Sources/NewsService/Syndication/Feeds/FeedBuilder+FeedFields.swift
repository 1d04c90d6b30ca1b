import NewsCore

/// Stores the texts of elements in the fields of the feed, a source, an image and a person.
extension FeedBuilder {
  /// Stores the text of an element in the feed, if its rank is the highest so far.
  mutating func storeInFeed(_ frame: Frame, _ field: ElementRule.Field, rank: UInt8) {
    guard rank > channel.ranks[field] else { return }
    switch field {
    case .title:
      guard let title = name(of: frame) else { return }
      feed.title = title
    case .summary:
      guard let text = line(of: frame) else { return }
      feed.description = text
    case .id:
      guard let id = verbatim(frame) else { return }
      feed.id = id
    case .rights:
      guard let rights = line(of: frame) else { return }
      feed.rights = rights
    case .language:
      // `language` takes precedence over the `xml:lang` around it.
      guard let language = Self.languageTag(text(of: frame)) else { return }
      feed.language = language
    case .created:
      guard let date = DateParser.parse(text(of: frame)) else { return }
      feed.created = date
    case .fallbackAuthor:
      guard let author = line(of: frame).flatMap(PersonText.parse) else { return }
      channel.fallbackAuthor = author
    default: return storeInFeedUnranked(frame, field, rank)
    }
    channel.ranks[field] = rank
  }

  /// Stores lists, values whose first or last occurrence counts, and values with a rank of their own.
  private mutating func storeInFeedUnranked(_ frame: Frame, _ field: ElementRule.Field, _ rank: UInt8) {
    switch field {
    case .link: endLink(frame)
    case .keywords, .itunesKeywords: storeKeywords(frame, field)
    case .published, .updated, .publishedAndUpdated: storeDate(frame, field, rank: rank)
    case .license:
      if let url = address(of: frame) { setLicense(url) }
    case .image, .icon:
      if let url = url(of: frame, policy: .resource) { setPicture(url, .to(field, rank)) }
    case .explicit: feed.itunesExplicit = isExplicit(frame) ?? feed.itunesExplicit
    case .block: feed.itunesBlock = isBlocked(frame)
    default: storeHint(field, text(of: frame))
    }
  }

  private mutating func storeHint(_ field: ElementRule.Field, _ text: UnsafeBufferPointer<UInt8>) {
    switch field {
    case .ttl:
      if let minutes = ByteText.integer(text), minutes >= 0 { feed.hints.ttl = feed.hints.ttl ?? minutes }
    case .skipHour:
      // Hours are 1 to 24 in RSS 0.91, 0 to 23 in RSS 2.0.
      if let hour = ByteText.integer(text), (0...24).contains(hour) {
        feed.hints.skipHours |= 1 << UInt32(hour % 24)
      }
    case .skipDay:
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
    case .updateBase: feed.hints.updateBase = DateParser.parse(text)
    default: break
    }
  }

  /// Stores the text of an element in the source of an item. Keeps the first value of a field, but the last
  /// link, logo and icon, and all keywords.
  mutating func storeInSource(_ frame: Frame, _ field: ElementRule.Field) {
    switch field {
    case .title: parts.source.title = parts.source.title ?? line(of: frame)
    case .summary: parts.source.subtitle = parts.source.subtitle ?? line(of: frame)
    case .id: parts.source.id = parts.source.id ?? verbatim(frame)
    case .link: endLink(frame)
    case .rights: parts.source.rights = parts.source.rights ?? line(of: frame)
    case .updated: setUpdated(DateParser.parse(text(of: frame)), rank: 1)
    case .keywords, .itunesKeywords: storeKeywords(frame, field)
    case .logo, .icon:
      if let url = url(of: frame, policy: .resource) { setPicture(url, .to(field)) }
    default: break
    }
  }

  /// Stores the text of an element in an image. The first value of a field counts, except that the last width and
  /// height count.
  mutating func storeInImage(_ frame: Frame, _ field: ElementRule.Field) {
    switch field {
    case .title: parts.image.title = parts.image.title ?? line(of: frame)
    case .summary: parts.image.description = parts.image.description ?? line(of: frame)
    case .link: endLink(frame)
    case .url: parts.image.url = parts.image.url ?? url(of: frame, policy: .resource)
    case .width, .height:
      guard let value = ByteText.integer(text(of: frame)), value >= 0 else { return }
      if field == .width { parts.image.width = value } else { parts.image.height = value }
    default: break
    }
  }

  /// Stores the text of an element in a person. The first value of a field counts.
  mutating func storeInPerson(_ frame: Frame, _ field: ElementRule.Field) {
    switch field {
    case .name: parts.person.name = parts.person.name ?? name(of: frame)
    case .email:
      parts.person.email =
        parts.person.email ?? name(of: frame).map { $0.hasPrefix("mailto:") ? String($0.dropFirst(7)) : $0 }
    case .url: parts.person.url = parts.person.url ?? url(of: frame)
    default: break
    }
  }
}
