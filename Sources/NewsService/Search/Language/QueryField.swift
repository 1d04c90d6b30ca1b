import NewsToolbox

/// The fields of the query language, as typed before a colon.
public enum QueryField: String, Hashable, Sendable, CaseIterable {
  case title, author, feed, folder, tag, label, url, lang, `is`, has, since, until, stored, sort, saved

  /// The field with this name, case-insensitive.
  init?(named name: String) {
    self.init(rawValue: name.lowercased())
  }

  /// Names that other programs use for these fields.
  private static let otherNames: [String: [QueryField]] = [
    "site": [.url, .feed], "domain": [.url], "host": [.url], "link": [.url], "inurl": [.url],
    "intitle": [.title],
    "subject": [.title], "headline": [.title], "by": [.author], "from": [.author, .feed, .since],
    "creator": [.author],
    "category": [.tag, .folder], "group": [.folder], "language": [.lang], "after": [.since],
    "newer": [.since], "before": [.until], "older": [.until], "date": [.since, .until], "order": [.sort],
    "state": [.is], "status": [.is], "source": [.feed], "channel": [.feed], "search": [.saved],
    "type": [.has, .is],
  ]

  /// Returns the fields that an unknown name may mean, each followed by a colon.
  static func near(_ name: String) -> [String] {
    let meant = otherNames[name] ?? []
    let spelled = EditDistance.suggestions(for: name, among: allCases.map(\.rawValue))
    var seen: Set<String> = []
    return (meant.map(\.rawValue) + spelled).filter { seen.insert($0).inserted }.prefix(3).map { $0 + ":" }
  }
}
