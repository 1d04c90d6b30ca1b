import NewsSearch
public import NewsCore
import NewsToolbox
import Synchronization

/// Marks items as read, unread, starred or unstarred.
public struct MarkInteractor: Interactor {
  private let marking: any ItemMarking
  private let news: any ItemReading
  private let filters: FilterResolver
  private let presenter = MarkPresenter()

  public init(marking: any ItemMarking, news: any ItemReading, filters: FilterResolver) {
    self.marking = marking
    self.news = news
    self.filters = filters
  }

  /// Marks items, and counts those whose state changes, with the other items of their stories. If some ids match no
  /// item, marks the others and then fails with an error that lists the missing ids.
  public func respond(to route: MarkRoute, emit: @escaping Emit<MarkViewModel>) async throws {
    switch route.items {
    case .ids(let ids):
      let outcome = try await marking.apply(route.mark, to: ids)
      try emit(presenter.present(route.mark, outcome.changed, missing: outcome.missing))
    case .selected(let filter):
      try await mark(try await filters.query(filter, and: route.mark.changes), route.mark, emit)
    case .found(let search):
      let query = try await filters.search(search).query
      try await mark(.and([query, route.mark.changes]), route.mark, emit)
    }
  }

  private func mark(_ query: Query, _ mark: ItemMark, _ emit: Emit<MarkViewModel>) async throws {
    let ids = try await news.ids(of: query)
    // Ignore items removed since they were selected.
    try emit(presenter.present(mark, try await marking.apply(mark, to: ids).changed, missing: []))
  }
}

extension ItemReading {
  /// Returns the ids of the items that a query selects.
  func ids(of query: Query) async throws -> [NewsItem.ID] {
    let ids = Mutex<[NewsItem.ID]>([])
    try await forEachBatch(ItemRequest(query: query, parts: []), of: 1000) { matches in
      ids.withLock { $0 += matches.map(\.item.id) }
      return true
    }
    return ids.withLock { $0 }
  }
}

extension ItemMark {
  /// Selects the items whose state the mark changes.
  fileprivate var changes: Query {
    switch self {
    case .read: .isRead(false)
    case .unread: .isRead(true)
    case .starred: .isStarred(false)
    case .unstarred: .isStarred(true)
    }
  }
}

/// Reports how many items were marked, labelled or saved, and which ids match no item.
struct MarkPresenter {
  func present(
    _ mark: ItemMark,
    _ ids: [NewsItem.ID],
    missing: [NewsItem.ID]
  ) -> Container<MarkViewModel> {
    present("\(Plural.of(ids.count, "item")) marked \(mark.rawValue)", ids, missing: missing)
  }

  /// `text` says what was done to the items `ids`.
  func present(_ text: String, _ ids: [NewsItem.ID], missing: [NewsItem.ID]) -> Container<MarkViewModel> {
    let count = ids.count
    guard let first = missing.first else {
      return .ready(MarkViewModel(rowCount: count, notes: [DisplayText(line: text)], ids: ids))
    }
    let names = missing.prefix(5).map { String($0.rawValue) }.joined(separator: ", ")
    let rest = missing.count > 5 ? " and \(missing.count - 5) more" : ""
    let subject = missing.count == 1 ? "no item \(first.rawValue)" : "no items \(names)\(rest)"
    return .failed(
      UserMessage(code: .notFound, text: "\(subject) in the store; \(text)"),
      keeping: MarkViewModel(rowCount: count, notes: [], ids: ids)
    )
  }
}

/// The result of marking, as a note.
public struct MarkViewModel: ScreenContent {
  /// Number of marked items.
  public var rowCount: Int
  public var notes: [DisplayText]
  /// The items that have changed: marked ones with those of the same stories, or labelled and saved ones.
  public var ids: [NewsItem.ID] = []
}

/// Makes marks that were made some time ago, without the store.
public struct LateMarksInteractor: Interactor {
  private let marking: any ItemMarking
  private let news: any ItemReading
  private let clock: any WallClock

  public init(marking: any ItemMarking, news: any ItemReading, clock: any WallClock) {
    self.marking = marking
    self.news = news
    self.clock = clock
  }

  /// Makes the marks in the order of their times. A time in the future counts as now.
  public func respond(to marks: [LateMark], emit: @escaping Emit<LateMarksViewModel>) async throws {
    let now = clock.now()
    let ordered = marks.map { LateMark($0.item, $0.mark, at: min($0.time, now)) }.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    let refused = try await marking.mark(ordered)
    var content = LateMarksViewModel()
    let ids = Array(Set(ordered.map(\.item)))
    for start in stride(from: 0, to: ids.count, by: Self.itemsRead) {
      let part = Array(ids[start..<min(start + Self.itemsRead, ids.count)])
      let items = try await news.items(part, parts: .headlineText)
      for item in items.values {
        content.states.append((item.id, item.isRead, item.isStarred))
        content.titles[item.id] = DisplayText(line: item.shownTitle).trimmed
      }
    }
    content.states.sort { $0.id < $1.id }
    content.refused = refused
    try emit(.ready(content))
  }

  /// Number of items that are read at once.
  private static let itemsRead = 200
}

/// What became of late marks.
public struct LateMarksViewModel: ScreenContent {
  /// The present states of the items, by id.
  public var states: [(id: NewsItem.ID, isRead: Bool, isStarred: Bool)] = []
  public var titles: [NewsItem.ID: DisplayText] = [:]
  public var refused: [(mark: LateMark, refusal: LateMark.Refusal)] = []
  public var rowCount: Int { states.count }
}
