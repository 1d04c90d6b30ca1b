package import NewsCore
import NewsSearch
import NewsToolbox

private struct CompiledRule {
  /// The place in the list, which counts its hits.
  var number: Int
  var matcher: QueryMatcher
  var actions: [RuleAction]
  /// Nil: the rule always applies.
  var until: Timestamp?
}

/// The compiled rules, as one transaction reads them.
package struct RuleBook {
  private var rules: [CompiledRule] = []

  /// Compiles the rules. Skips a rule that cannot be compiled any more, for example because it names a
  /// deleted saved search. `saved` returns the text of a saved search.
  package init(
    _ stored: [(query: String, actions: String, until: Timestamp?)],
    saved: (String) throws(StoreError) -> String?
  ) {
    for (index, rule) in stored.enumerated() {
      guard let actions = [RuleAction](stored: rule.actions),
        let query = try? QueryExpansion.expand(QueryExpansion.read(rule.query), saved: saved),
        let matcher = try? QueryMatcher(query)
      else { continue }
      rules.append(
        CompiledRule(number: index + 1, matcher: matcher, actions: actions, until: rule.until)
      )
    }
  }

  package var isEmpty: Bool { rules.isEmpty }

  /// Compiles the rules that apply to one feed at this time. Returns nil if there are none or the feed was removed.
  package func evaluator(
    of feed: Feed?,
    title: String? = nil,
    language: String? = nil,
    at time: Timestamp
  ) -> Evaluator? {
    let rules = rules.filter { $0.until.map { time < $0 } ?? true }
    guard !rules.isEmpty, var feed else { return nil }
    // Before the first refresh, the stored title is the URL.
    if feed.title == feed.url, let title, !title.isEmpty { feed.title = title }
    return Evaluator(rules: rules, feed: feed, language: language, time: time)
  }

  package enum Decision {
    case drop
    case keep(InitialState, tags: [String])
  }

  /// Applies the rules to the items of one feed.
  package struct Evaluator {
    fileprivate let rules: [CompiledRule]
    fileprivate let feed: Feed
    fileprivate let language: String?
    fileprivate let time: Timestamp

    /// Applies the rules to an item, and counts the rules that match it in `hits`, by number.
    package func evaluate(_ item: ParsedItem, counting hits: inout [Int: Int]) -> Decision {
      let subject = MatchSubject(item, of: feed, language: language, at: time)
      var initial = InitialState()
      var tags: [String] = []
      for rule in rules where rule.matcher.matches(subject) {
        hits[rule.number, default: 0] += 1
        for action in rule.actions {
          // Later rules see the changes made by earlier ones.
          switch action {
          case .drop: return .drop
          case .markRead:
            initial.isRead = true
            subject.isRead = true
          case .star:
            initial.isStarred = true
            subject.isStarred = true
          case .tag(let tag):
            let name = TagLimit.cut(tag)
            guard !subject.tags.contains(name) else { continue }
            tags.append(name)
            subject.tags.append(name)
          case .label(let label):
            guard initial.labels.count < ItemLabel.mostOfItem, !initial.labels.contains(label) else {
              continue
            }
            initial.labels.append(label)
            subject.labels.append(label)
          }
        }
      }
      return .keep(initial, tags: tags)
    }
  }
}

extension [RuleAction] {
  /// The actions, one per line; an action never contains a line break.
  package var storedText: String { map(\.description).joined(separator: "\n") }

  /// Parses `storedText`. Returns nil if this version does not know an action.
  package init?(stored text: String) {
    self = []
    for line in text.split(ascii: "\n") {
      guard let action = RuleAction(String(line)) else { return nil }
      append(action)
    }
    if isEmpty { return nil }
  }
}

/// Validates the query of a new rule.
package enum RuleCheck {
  package static func read(_ query: String, at time: Timestamp) throws(StoreError) -> Query {
    let parsed = try QueryExpansion.read(query, now: time)
    guard parsed != .all else {
      throw StoreError(
        code: .badQuery,
        message: "the query of a rule must select something; to act on every item, write since:1900-01-01"
      )
    }
    return parsed
  }

  /// Compiles a query. Throws `badQuery` if the query cannot be evaluated. `saved` returns the text of a saved search.
  package static func compile(
    _ query: Query,
    saved: (String) throws(StoreError) -> String?
  ) throws(StoreError) {
    let expanded = try QueryExpansion.expand(query, saved: saved)
    do {
      _ = try QueryMatcher(expanded)
    } catch {
      throw StoreError(code: .badQuery, message: error.message)
    }
  }
}
