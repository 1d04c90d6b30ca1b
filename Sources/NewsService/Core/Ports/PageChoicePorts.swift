import NewsToolbox

/// What the user has chosen on the page for all browsers. Nil: nothing was chosen. A key of the configuration takes
/// precedence.
public struct PageChoices: Hashable, Sendable {
  /// When the script marks an item read that is shown. Raw values are the words of the page and the configuration.
  public enum Marking: String, CaseIterable, Sendable { case now, later, never }

  public var marking: Marking?
  /// True: items are marked read when their rows have scrolled past.
  public var marksScrolled: Bool?
  public var showsOldestFirst: Bool?
  /// True: the tree of feeds is sorted by name, not in the user's order.
  public var sortsTree: Bool?
  /// The time zone of the dates that the script shows, a name such as `Europe/Berlin`; nil: that of the browser.
  public var zone: String?
  /// The path of the page that is shown first.
  public var start: String?
  /// General limits on the items that feeds keep (`retention.keep_days`, `retention.keep_items`).
  public var retention = RetentionPolicy()

  public init() {}

  /// The choices, where the configuration fixes none; `fixed` takes precedence.
  public func overridden(by fixed: PageChoices) -> PageChoices {
    var choices = self
    choices.marking = fixed.marking ?? marking
    choices.marksScrolled = fixed.marksScrolled ?? marksScrolled
    choices.showsOldestFirst = fixed.showsOldestFirst ?? showsOldestFirst
    choices.sortsTree = fixed.sortsTree ?? sortsTree
    choices.zone = fixed.zone ?? zone
    choices.start = fixed.start ?? start
    choices.retention.days = fixed.retention.days ?? retention.days
    choices.retention.items = fixed.retention.items ?? retention.items
    return choices
  }

  /// Returns the key of the configuration that fixes something that differs from `former`; nil: nothing does.
  public func fixedKey(_ fixed: PageChoices, changing former: PageChoices) -> String? {
    func isRefused<Value: Equatable>(_ choice: KeyPath<PageChoices, Value?>) -> Bool {
      fixed[keyPath: choice] != nil && self[keyPath: choice] != former[keyPath: choice]
    }
    if isRefused(\.marking) { return "web.mark_read" }
    if isRefused(\.marksScrolled) { return "web.mark_scrolled" }
    if isRefused(\.showsOldestFirst) { return "web.oldest_first" }
    if isRefused(\.sortsTree) { return "web.sort_tree" }
    if isRefused(\.zone) { return "web.time_zone" }
    if isRefused(\.start) { return "web.start_page" }
    if isRefused(\.retention.days) { return "retention.keep_days" }
    return isRefused(\.retention.items) ? "retention.keep_items" : nil
  }

  /// True for a text with the form of a name in the time zone database: parts of letters, digits and signs.
  public static func isZone(_ name: String) -> Bool {
    let signs = Array("_+-/".utf8)
    return (1...64).contains(name.utf8.count) && !name.hasPrefix(bytesOf: "/")
      && name.utf8.allSatisfy { ASCII.isAlphanumeric($0) || signs.contains($0) }
  }

  /// The settings as JSON.
  package var text: String {
    var members: [JSONValue.Member] = []
    func add(_ name: String, _ value: JSONValue?) {
      if let value { members.append(.init(name: name, value: value)) }
    }
    add("mark", marking.map { .string($0.rawValue) })
    add("scrolled", marksScrolled.map(JSONValue.bool))
    add("oldest", showsOldestFirst.map(JSONValue.bool))
    add("sort_tree", sortsTree.map(JSONValue.bool))
    add("zone", zone.map(JSONValue.string))
    add("start", start.map(JSONValue.string))
    add("keep_days", retention.days.map { .integer(Int64($0)) })
    add("keep_items", retention.items.map { .integer(Int64($0)) })
    return JSONValue.object(members).serialized
  }

  /// Reads what `text` wrote. What cannot be read counts as not chosen.
  package init(text: String) {
    guard let value = JSONValue(valid: text) else { return }
    marking = value["mark"]?.string.flatMap { Marking(rawValue: $0) }
    marksScrolled = value["scrolled"]?.bool
    showsOldestFirst = value["oldest"]?.bool
    sortsTree = value["sort_tree"]?.bool
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
