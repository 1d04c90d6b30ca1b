public import NewsCore
import NewsToolbox

/// Evaluates queries on single items without a store: for rules and hooks, and where a store reads the texts
/// of items instead of its index. Selects the same items as the store does.
public struct QueryMatcher: Sendable {
  private indirect enum Condition: Sendable {
    case always(Bool)
    case all([Condition])
    case any([Condition])
    case not(Condition)
    case words(TextMatch.Field, [CompiledPattern])
    case regex(BoundedRegex, TextMatch.Field)
    /// A condition that needs no preparation.
    case plain(Query)
  }

  /// Limits the expansion of saved searches: it grows exponentially when each level refers twice to the next one.
  private static let maximumConditions = 10_000

  private let condition: Condition

  /// Prepares a query. `saved` returns the query for `saved:NAME`. Throws `badRegex`; `badValue` for an unknown name;
  /// `tooComplex` for saved searches that refer to each other in a cycle.
  public init(
    _ query: Query,
    saved: (String) -> Query? = { _ in nil }
  ) throws(QueryError) {
    var budget = Self.maximumConditions
    condition = try Self.compile(query, saved, depth: 0, &budget)
  }

  private init(_ condition: Condition) { self.condition = condition }

  /// Matches no item.
  public static let nothing = QueryMatcher(.always(false))

  public func matches(_ subject: MatchSubject) -> Bool { Self.holds(condition, subject) }

  private static func compile(
    _ query: Query,
    _ saved: (String) -> Query?,
    depth: Int,
    _ budget: inout Int
  ) throws(QueryError) -> Condition {
    budget -= 1
    guard depth < 64, budget >= 0 else {
      throw QueryError(
        code: .tooComplex,
        message: "the query is too large, or saved searches name each other"
      )
    }
    switch query {
    case .all:
      return .always(true)
    case .and(let parts):
      var conditions: [Condition] = []
      for part in parts { conditions.append(try compile(part, saved, depth: depth + 1, &budget)) }
      return .all(conditions)
    case .or(let parts):
      var conditions: [Condition] = []
      for part in parts { conditions.append(try compile(part, saved, depth: depth + 1, &budget)) }
      return .any(conditions)
    case .not(let part):
      return .not(try compile(part, saved, depth: depth + 1, &budget))
    case .text(let match):
      let patterns = match.spellings.map { TermPattern($0, isPrefix: match.kind == .prefix) }
      return .words(match.field, patterns.map(CompiledPattern.init))
    case .regex(let source, let field):
      do {
        return .regex(try BoundedRegex(source), field)
      } catch {
        throw QueryError(
          code: .badRegex,
          message: "/\(source)/ is not a valid regular expression: \(error.message)"
        )
      }
    case .saved(let name):
      guard let inner = saved(name) else {
        throw QueryError(code: .badValue, message: "no search is saved as '\(name)'")
      }
      return try compile(inner, saved, depth: depth + 1, &budget)
    case .feed(let name):
      return .plain(.feed(name.lowercased()))
    case .folder(let name):
      return .plain(.folder(folded(folder: name)))
    case .tag(let name):
      return .plain(.tag(name.lowercased()))
    case .label(let name):
      return .plain(.label(name.lowercased()))
    case .url(let part):
      return .plain(.url(part.lowercased()))
    case .language(let tag):
      return .plain(.language(tag.lowercased()))
    case .feedID, .isRead, .isStarred, .hasEnclosure, .since, .until, .storedSince:
      return .plain(query)
    }
  }

  private static func folded(folder name: String) -> String {
    name.lowercased().split(ascii: "/").joined(separator: "/")
  }

  private static func holds(_ condition: Condition, _ subject: MatchSubject) -> Bool {
    switch condition {
    case .always(let answer): answer
    case .all(let parts): parts.allSatisfy { holds($0, subject) }
    case .any(let parts): parts.contains { holds($0, subject) }
    case .not(let part): !holds(part, subject)
    case .words(let field, let patterns): patterns.contains { holds($0, in: field, subject) }
    case .regex(let regex, let field): holds(regex, in: field, subject)
    case .plain(let query): holds(query, subject)
    }
  }

  private static func holds(
    _ regex: BoundedRegex,
    in field: TextMatch.Field,
    _ subject: MatchSubject
  ) -> Bool {
    switch field {
    case .any: regex.matches(subject.title) || regex.matches(subject.text)
    case .title: regex.matches(subject.title)
    case .author: regex.matches(subject.authors.joined(separator: ", "))
    }
  }

  private static func holds(
    _ pattern: CompiledPattern,
    in field: TextMatch.Field,
    _ subject: MatchSubject
  ) -> Bool {
    switch field {
    case .title: subject.titleWords.contains(pattern)
    case .author: subject.authorWords.contains(pattern)
    case .any:
      subject.titleWords.contains(pattern) || subject.textWords.contains(pattern)
        || subject.authorWords.contains(pattern)
    }
  }

  private static func holds(_ query: Query, _ subject: MatchSubject) -> Bool {
    switch query {
    case .feedID(let id):
      return subject.feedID == id
    case .feed(let name):
      let url = subject.feedURL.lowercased()
      // A full URL selects exactly one feed; as a substring, `…/feed` would also match `…/feed/comments`.
      if name.contains(bytesOf: "://") { return WebAddress.redacted(url) == name }
      return contains(subject.feedTitle.lowercased(), name) || contains(url, name)
    case .folder(let name):
      guard let folder = subject.folder.map(folded(folder:)) else { return false }
      return FolderPath.isInside(folder, name)
    case .tag(let name):
      return subject.tags.contains { $0.lowercased() == name }
    case .label(let name):
      return subject.labels.contains { $0.lowercased() == name }
    case .url(let part):
      return contains(subject.url?.lowercased() ?? "", part)
    case .language(let tag):
      guard let language = subject.language?.lowercased() else { return false }
      return language == tag || language.hasPrefix(tag + "-")
    case .isRead(let state): return subject.isRead == state
    case .isStarred(let state): return subject.isStarred == state
    case .hasEnclosure: return subject.hasEnclosure
    case .since(let time): return subject.time >= time
    case .until(let time): return subject.time < time
    case .storedSince(let time): return subject.stored >= time
    case .all, .and, .or, .not, .text, .regex, .saved:
      // Unreachable: `compile` has replaced these conditions by others.
      return false
    }
  }

  private static func contains(_ text: String, _ part: String) -> Bool {
    part.isEmpty || text.utf8.count >= part.utf8.count && text.contains(part)
  }
}
