import NewsCore

/// Stores persons: authors, contributors and publishers.
extension FeedBuilder {
  mutating func endPerson(_ frame: Frame) {
    let target = frame.rule.pointee.target(in: frame.scope)
    if parts.person == Author() {
      guard let text = line(of: frame) else { return }
      guard PersonText.mayBeSeveral(text) else {
        if let author = PersonText.parse(text) { credit(author, as: target) }
        return
      }
      for author in PersonText.people(text) { credit(author, as: target) }
      return
    }
    // Atom's `name` may contain `mail@example.org (Name)`.
    if parts.person.email == nil, let name = parts.person.name, name.utf8.contains(UInt8(ascii: "@")),
      let parsed = PersonText.parse(name)
    {
      parts.person.name = parsed.name
      parts.person.email = parsed.email
    }
    credit(parts.person, as: target)
  }

  private mutating func credit(_ person: Author, as target: ElementRule.Target) {
    switch (target.field, place.scope) {
    case (.contributor, .item): Self.append(person, to: &entry.item.contributors, &entry.lists.contributors)
    case (.contributor, .source):
      Self.append(person, to: &parts.source.contributors, &parts.sourceContributors)
    case (.contributor, .feed), (.contributor, .outside):
      Self.append(person, to: &feed.contributors, &channel.contributors)
    case (.publisher, .item): entry.item.publisher = entry.item.publisher ?? person
    case (.publisher, .feed):
      guard target.rank > channel.ranks[.publisher] else { return }
      feed.publisher = person
      channel.ranks[.publisher] = target.rank
    case (.author, .item):
      if entry.item.authors.count >= Self.maximumListLength { noteLongList() }
      Self.add(person, to: &entry.item.authors, &entry.lists.authors)
    case (.author, .source): Self.add(person, to: &parts.source.authors, &parts.sourceAuthors)
    case (.author, .feed), (.author, .outside): Self.add(person, to: &feed.authors, &channel.authors)
    default: break
    }
  }

  /// Adds `fallback` (`itunes:author`) if there is no author. If the only author has just an e-mail address,
  /// gives it the name of `fallback`.
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

  /// Adds a person, or merges it with a person of the same name, or of the same e-mail address if one of the
  /// two has no name.
  static func add(_ person: Author, to list: inout [Author], _ index: inout PersonIndex) {
    guard let place = index.place(of: person, in: list) else {
      return append(person, to: &list, &index.all)
    }
    let known = list[place]
    list[place].name = known.name ?? person.name
    list[place].email = known.email ?? person.email
    list[place].url = known.url ?? person.url
    if list.count >= ListIndex.shortest { index.note(list[place], at: place) }
  }
}
