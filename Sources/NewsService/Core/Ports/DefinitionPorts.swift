/// An action of a rule on an arriving item.
public enum RuleAction: Hashable, Sendable {
  case markRead
  case star
  /// Does not store the item; a tombstone prevents that it counts as new at every poll.
  case drop
  case tag(String)
  case label(String)
}

extension RuleAction: CustomStringConvertible {
  /// The spelling that users type and the store keeps: `mark-read`, `star`, `drop`, `tag:X`, `label:X`.
  public var description: String {
    switch self {
    case .markRead: "mark-read"
    case .star: "star"
    case .drop: "drop"
    case .tag(let name): "tag:\(name)"
    case .label(let name): "label:\(name)"
    }
  }

  /// Parses a `description`; fails for an unknown action.
  public init?(_ description: String) {
    switch description {
    case "mark-read": self = .markRead
    case "star": self = .star
    case "drop": self = .drop
    default:
      guard !description.utf8.contains(UInt8(ascii: "\n")) else { return nil }
      if let name = Self.name(in: description, after: "tag:") {
        self = .tag(name)
      } else if let name = Self.name(in: description, after: "label:"), ItemLabel.isName(name) {
        self = .label(name)
      } else {
        return nil
      }
    }
  }

  private static func name(in description: String, after prefix: String) -> String? {
    guard description.hasPrefix(prefix), description != prefix else { return nil }
    return String(description.dropFirst(prefix.count))
  }
}

/// One rule of the ordered list.
public struct Rule: Hashable, Sendable {
  /// Position in the list, 1-based and without gaps.
  public var number: Int
  /// The query as typed; parsed when items arrive.
  public var query: String
  /// The actions, in the order of execution.
  public var actions: [RuleAction]
  /// The rule applies to items that arrive before this time; nil: always.
  public var until: Timestamp?
  /// The number of items that matched when they arrived.
  public var hits: Int

  public init(
    number: Int,
    query: String,
    actions: [RuleAction],
    until: Timestamp? = nil,
    hits: Int = 0
  ) {
    self.number = number
    self.query = query
    self.actions = actions
    self.until = until
    self.hits = hits
  }

  /// The actions for display: `star, tag:X`.
  public var actionList: String { actions.map(\.description).joined(separator: ", ") }
}

/// A change to one rule; nil leaves a part as it is.
public struct RuleChange: Hashable, Sendable {
  public var query: String?
  public var actions: [RuleAction]?
  public var until: Limit?
  /// The rule's new number; a number after the last rule means the last place.
  public var place: Int?

  public enum Limit: Hashable, Sendable {
    case always
    case until(Timestamp)
  }

  public init(query: String? = nil, actions: [RuleAction]? = nil, until: Limit? = nil, place: Int? = nil) {
    self.query = query
    self.actions = actions
    self.until = until
    self.place = place
  }
}

/// A query with a name, accepted wherever a feed is.
public struct SavedSearch: Hashable, Sendable {
  public var name: String
  /// The query as typed. It is parsed at each use, so that `since:3d` is relative to the time of that use.
  public var query: String

  public init(name: String, query: String) {
    self.name = name
    self.query = query
  }
}

/// Keeps what the user defines by queries: rules and saved searches, and the history of searches.
public protocol DefinitionKeeping: Sendable {
  /// Returns the rules. They apply in order to each item when it is first stored; `drop` ends the evaluation.
  func rules() async throws(StoreError) -> [Rule]
  /// Appends a rule, which applies until a time or always. Throws `badQuery` when the query cannot be parsed or
  /// evaluated, or selects every item.
  func addRule(
    _ query: String,
    do actions: [RuleAction],
    until: Timestamp?,
    at time: Timestamp
  ) async throws(StoreError) -> Rule
  /// Changes the rule with this number. Returns the changed rule, or nil if no rule has this number. Throws `badQuery` as
  /// `addRule` does.
  func changeRule(_ number: Int, _ change: RuleChange, at time: Timestamp) async throws(StoreError) -> Rule?
  /// Removes the rule with this number and renumbers the later ones. Returns false if there is no such rule.
  func removeRule(_ number: Int) async throws(StoreError) -> Bool

  /// Returns all saved searches, in the order in which they were first saved.
  func savedSearches() async throws(StoreError) -> [SavedSearch]
  /// Returns the search with this name, compared case-insensitively; nil if there is none.
  func savedSearch(named name: String) async throws(StoreError) -> SavedSearch?
  /// Saves or replaces a search. Throws `badQuery` when the query cannot be parsed, names an unknown saved
  /// search or itself, or when the name is empty or that of a feed.
  func save(_ search: SavedSearch, at time: Timestamp) async throws(StoreError)
  /// Removes a saved search. Returns false if there is no search with this name. Throws `badQuery` if a rule
  /// or another search names it.
  func removeSavedSearch(named name: String) async throws(StoreError) -> Bool

  /// Returns the recent searches, newest first, without repeats.
  func recentSearches(limit: Int) async throws(StoreError) -> [String]
  /// Stores `query` as the latest search, unless that would mean waiting for another process that is writing.
  func remember(search query: String, at time: Timestamp) async
}
