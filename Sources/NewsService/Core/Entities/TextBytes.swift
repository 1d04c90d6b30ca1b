// The bytes of all texts of an item, which documents may have so many of, and what parsed items take of memory.

extension ParsedFeed {
  /// The bytes of memory that the feed takes until it is stored, within a factor of about two.
  package var heldBytes: Int { items.reduce(4096) { $0 + $1.heldBytes } }
}

extension ParsedItem {
  /// The bytes of memory that the item takes until it is stored. While a store compares and writes the item, the fields are there
  /// about five times; all of these share the texts.
  package var heldBytes: Int {
    var bytes = textBytes + 5 * MemoryLayout<ParsedItem>.stride
    bytes += authors.listBytes + contributors.listBytes + tags.listBytes + enclosures.listBytes
    bytes += links.listBytes
    if let source {
      bytes += 48 + MemoryLayout<ItemSource>.stride + source.links.listBytes + source.tags.listBytes
      bytes += source.authors.listBytes + source.contributors.listBytes
    }
    if let extensions {
      bytes += 48 + MemoryLayout<ItemExtensions>.stride
      bytes += extensions.transcripts.listBytes + extensions.persons.listBytes
      bytes += extensions.media.listBytes + extensions.thumbnails.listBytes + extensions.players.listBytes
      bytes += extensions.credits.listBytes + extensions.inReplyTo.listBytes
    }
    return bytes
  }
}

extension Array {
  /// The memory of the list, without what its elements refer to.
  fileprivate var listBytes: Int { isEmpty ? 0 : 48 + count * MemoryLayout<Element>.stride }
}

extension ParsedItem {
  /// The bytes of all texts of the item.
  package var textBytes: Int {
    var bytes = id.textBytes + url.textBytes + externalURL.textBytes + title.textBytes + language.textBytes
    bytes += contentHTML.textBytes + contentText.textBytes + summary.textBytes + summaryHTML.textBytes
    bytes += image.textBytes + rights.textBytes + commentsURL.textBytes + license.textBytes
    bytes += contentSource.textBytes + authors.textBytes + contributors.textBytes
    bytes += publisher?.textBytes ?? 0
    for tag in tags { bytes += tag.textBytes }
    for enclosure in enclosures {
      bytes += enclosure.url.utf8.count + enclosure.mimeType.textBytes + enclosure.title.textBytes
    }
    for link in links { bytes += link.textBytes }
    if let source { bytes += source.textBytes }
    if let extensions { bytes += extensions.textBytes }
    return bytes
  }
}

extension NewsItem {
  /// The bytes of all texts of the item.
  package var textBytes: Int {
    var bytes = title.utf8.count + guid.utf8.count + contentText.utf8.count
    bytes += summary.textBytes + url.textBytes + contentHTML.textBytes + image.textBytes
    bytes += article?.feedText.textBytes ?? 0
    bytes += article?.feedHTML.textBytes ?? 0
    bytes += language.textBytes + commentsURL.textBytes + authors.textBytes
    for name in tags { bytes += name.utf8.count }
    for name in labels { bytes += name.utf8.count }
    for enclosure in enclosures {
      bytes += enclosure.url.utf8.count + enclosure.mimeType.textBytes + enclosure.title.textBytes
    }
    return bytes + (media?.textBytes ?? 0)
  }
}

extension ItemMedia {
  fileprivate var textBytes: Int {
    var bytes = episode.textBytes + season.textBytes
    bytes += chapters?.textBytes ?? 0
    for transcript in transcripts { bytes += transcript.textBytes }
    for picture in pictures + [thumbnail].compactMap(\.self) {
      bytes += picture.url.utf8.count + picture.alt.textBytes
    }
    return bytes
  }
}

extension [Author] {
  package var textBytes: Int { reduce(0) { $0 + $1.textBytes } }
}

extension Author {
  fileprivate var textBytes: Int {
    name.textBytes + url.textBytes + email.textBytes + avatar.textBytes
  }
}

extension Category {
  fileprivate var textBytes: Int { term.utf8.count + scheme.textBytes + label.textBytes }
}

extension Link {
  fileprivate var textBytes: Int {
    let kind = rel.textBytes + type.textBytes + hreflang.textBytes
    return href.utf8.count + kind + title.textBytes + length.textBytes
  }
}

extension ItemSource {
  fileprivate var textBytes: Int {
    var bytes = title.textBytes + subtitle.textBytes + id.textBytes + url.textBytes + rights.textBytes
    bytes += icon.textBytes + logo.textBytes + authors.textBytes + contributors.textBytes
    if let generator {
      bytes += generator.name.textBytes + generator.url.textBytes + generator.version.textBytes
    }
    for link in links { bytes += link.textBytes }
    for tag in tags { bytes += tag.textBytes }
    return bytes
  }
}

extension ItemExtensions {
  fileprivate var textBytes: Int {
    var bytes = episode.textBytes + season.textBytes + episodeType.textBytes + mediaTitle.textBytes
    bytes += mediaDescription.textBytes + bannerImage.textBytes + commentsFeedURL.textBytes
    bytes += markdown.textBytes
    bytes += chapters?.textBytes ?? 0
    for transcript in transcripts { bytes += transcript.textBytes }
    for person in persons {
      bytes += person.name.utf8.count + person.role.textBytes + person.group.textBytes
      bytes += person.image.textBytes + person.url.textBytes
    }
    for object in media {
      bytes += object.url.utf8.count + object.type.textBytes + object.medium.textBytes
      bytes += object.title.textBytes + object.alt.textBytes
    }
    for thumbnail in thumbnails { bytes += thumbnail.url.utf8.count }
    for player in players { bytes += player.utf8.count }
    for credit in credits {
      bytes += credit.name.utf8.count + credit.role.textBytes + credit.scheme.textBytes
    }
    for target in inReplyTo {
      bytes += target.ref.textBytes + target.href.textBytes + target.type.textBytes + target.source.textBytes
    }
    return bytes
  }
}

extension String? {
  fileprivate var textBytes: Int { self?.utf8.count ?? 0 }
}
