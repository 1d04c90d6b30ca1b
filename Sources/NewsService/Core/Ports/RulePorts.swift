/// An action of a rule on an arriving item.
public enum RuleAction: Hashable, Sendable {
  case markRead
  case star
  /// Not stored; a tombstone keeps it from being new at every poll.
  case drop
  case tag(String)
}

extension RuleAction: CustomStringConvertible {
  /// As typed and stored: `mark-read`, `star`, `drop`, `tag:X`.
  public var description: String {
    switch self {
    case .markRead: "mark-read"
    case .star: "star"
    case .drop: "drop"
    case .tag(let name): "tag:\(name)"
    }
  }

  /// Nil for an unknown action.
  public init?(_ description: String) {
    switch description {
    case "mark-read": self = .markRead
    case "star": self = .star
    case "drop": self = .drop
    default:
      guard description.hasPrefix("tag:"), description.utf8.count > 4, !description.utf8.contains(0x0A)
      else { return nil }
      self = .tag(String(description.dropFirst(4)))
    }
  }
}

/// One rule of the ordered list.
public struct Rule: Hashable, Sendable {
  /// 1-based place in the list, without gaps.
  public var number: Int
  /// As typed; read when items arrive.
  public var query: String
  /// Done in this order.
  public var actions: [RuleAction]

  public init(number: Int, query: String, actions: [RuleAction]) {
    self.number = number
    self.query = query
    self.actions = actions
  }

  /// The actions as people read them: `star, tag:X`.
  public var actionList: String { actions.map(\.description).joined(separator: ", ") }
}

/// Rules, applied in order to each item when it is first stored; after `drop` no other is asked.
public protocol RuleKeeping: Sendable {
  func rules() async throws(StoreError) -> [Rule]
  /// Appends a rule. Throws `badQuery` when the query cannot be read.
  func addRule(_ query: String, do actions: [RuleAction], at time: Timestamp) async throws(StoreError) -> Rule
  /// Removes the rule of that number; the others close up. False when there is none.
  func removeRule(_ number: Int) async throws(StoreError) -> Bool
}
