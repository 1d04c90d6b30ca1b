import NewsToolbox

/// What the user has chosen on the page for all browsers. Nil: nothing was chosen. A key of the configuration takes
/// precedence.
public struct PageChoices: Hashable, Sendable {
  /// When the script marks an item read that is shown; a word of the page.
  public var marking: String?
  /// True: items are marked read when their rows have scrolled past.
  public var marksScrolled: Bool?
  public var showsOldestFirst: Bool?
  /// The time zone of the dates that the script shows, a name such as `Europe/Berlin`; nil: that of the browser.
  public var zone: String?
  /// The path of the page that is shown first.
  public var start: String?
  /// General limits on the items that feeds keep (`retention.keep_days`, `retention.keep_items`).
  public var retention = RetentionPolicy()

  public init() {}

  /// The settings as JSON.
  package var text: String {
    var members: [JSONValue.Member] = []
    func add(_ name: String, _ value: JSONValue?) {
      if let value { members.append(.init(name: name, value: value)) }
    }
    add("mark", marking.map(JSONValue.string))
    add("scrolled", marksScrolled.map(JSONValue.bool))
    add("oldest", showsOldestFirst.map(JSONValue.bool))
    add("zone", zone.map(JSONValue.string))
    add("start", start.map(JSONValue.string))
    add("keep_days", retention.days.map { .integer(Int64($0)) })
    add("keep_items", retention.items.map { .integer(Int64($0)) })
    return JSONValue.object(members).serialized
  }

  /// Reads what `text` wrote. What cannot be read counts as not chosen.
  package init(text: String) {
    guard let value = JSONValue(valid: text) else { return }
    marking = value["mark"]?.string
    marksScrolled = value["scrolled"]?.bool
    showsOldestFirst = value["oldest"]?.bool
    zone = value["zone"]?.string
    start = value["start"]?.string
    func limit(_ name: String, _ most: Int64) -> Int? {
      value[name]?.integer.flatMap { (1...most).contains($0) ? Int($0) : nil }
    }
    retention = RetentionPolicy(days: limit("keep_days", 100_000), items: limit("keep_items", 100_000_000))
  }
}

/// Keeps the settings of the page. They are stored beside the account's secrets, so that exports omit them.
public protocol PageChoiceKeeping: Sendable {
  func pageChoices() async throws(StoreError) -> PageChoices
  func keep(_ settings: PageChoices) async throws(StoreError)
}

extension RetentionRules {
  /// Returns the rules with the limits of the page where the configuration sets none.
  public func completed(by settings: PageChoices) -> RetentionRules {
    var rules = self
    rules.general.days = general.days ?? settings.retention.days
    rules.general.items = general.items ?? settings.retention.items
    return rules
  }
}
