import NewsCore

/// Finds elements of a list by the bytes of a key. A document may have thousands of lists with hundreds of short elements each, and
/// comparing every element with all others would take seconds.
struct ListIndex {
  /// Shorter lists are searched faster than indexed.
  static let shortest = 16

  private var places: [[UInt8]: Int] = [:]
  /// Number of elements that are in the index.
  private var count = 0

  /// Returns the place of the first element with the key. The list must be the same at each call, but for elements that were
  /// appended.
  mutating func place<Element>(
    of key: [UInt8],
    in list: [Element],
    by keyOf: (Element) -> [UInt8]?
  ) -> Int? {
    while count < list.count {
      note(keyOf(list[count]), at: count)
      count += 1
    }
    return places[key]
  }

  /// Notes a key that an element has got.
  mutating func note(_ key: [UInt8]?, at place: Int) {
    if let key, places[key] == nil { places[key] = place }
  }
}

/// The index of a list of persons.
struct PersonIndex {
  private var names = ListIndex()
  private var emails = ListIndex()
  /// By all fields.
  var all = ListIndex()

  /// Returns the place of the first person in the list who is the same.
  mutating func place(of person: Author, in list: [Author]) -> Int? {
    guard list.count >= ListIndex.shortest else { return list.firstIndex { Self.areSame(person, $0) } }
    let byName = person.name.flatMap { name in
      names.place(of: Array(name.utf8), in: list) { $0.name.map { Array($0.utf8) } }
    }
    let byEmail = person.email.flatMap { email in
      emails.place(of: Array(email.utf8), in: list) { $0.email.map { Array($0.utf8) } }
    }
    return [byName, byEmail].compactMap { $0 }.filter { Self.areSame(person, list[$0]) }.min()
  }

  /// Notes that a person in the list has got a name or an e-mail address.
  mutating func note(_ person: Author, at place: Int) {
    names.note(person.name.map { Array($0.utf8) }, at: place)
    emails.note(person.email.map { Array($0.utf8) }, at: place)
  }

  /// True for persons of the same name, or of the same e-mail address if one of them has no name.
  private static func areSame(_ person: Author, _ known: Author) -> Bool {
    person.name != nil && person.name == known.name
      || person.email != nil && person.email == known.email && (person.name == nil || known.name == nil)
  }
}

/// An element of a list without repeated ones.
protocol ListValue: Equatable {
  /// All its texts.
  var texts: [String?] { get }
}

extension ListValue {
  /// The texts as bytes, with ends that no text contains.
  var key: [UInt8] {
    var key: [UInt8] = []
    for text in texts {
      if let text { key.append(contentsOf: text.utf8) }
      key.append(text == nil ? 0xFE : 0xFF)
    }
    return key
  }
}

extension String: ListValue {
  var texts: [String?] { [self] }
}

extension Author: ListValue {
  var texts: [String?] { [name, url, email, avatar] }
}

extension Category: ListValue {
  var texts: [String?] { [term, scheme, label] }
}

extension Link: ListValue {
  var texts: [String?] { [href, rel, type, title, hreflang, length] }
}

extension PodcastPerson: ListValue {
  var texts: [String?] { [name, role, group, image, url] }
}

extension MediaCredit: ListValue {
  var texts: [String?] { [name, role, scheme] }
}

extension ReplyTarget: ListValue {
  var texts: [String?] { [ref, href, type, source] }
}
