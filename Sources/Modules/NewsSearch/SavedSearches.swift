public import NewsService

/// Lists, saves and removes searches under names.
public struct SavedSearchesInteractor: Sendable {
  private let searches: any SavedSearchKeeping
  private let clock: any WallClock

  public init(searches: any SavedSearchKeeping, clock: any WallClock) {
    self.searches = searches
    self.clock = clock
  }

  /// Emits all saved searches.
  ///
  /// - Throws: What `emit` throws.
  public func list(emit: Emit<SavedSearchesViewModel>) async throws {
    do {
      try emit(.ready(SavedSearchesViewModel(try await searches.savedSearches())))
    } catch let error as StoreError {
      try emit(.failed(UserMessage(error)))
    }
  }

  /// Saves `query` under `name`, which then can stand wherever a feed can.
  ///
  /// - Throws: What `emit` throws.
  public func save(_ query: String, as name: String, emit: Emit<SavedSearchesViewModel>) async throws {
    do {
      _ = try QueryParser.parse(query, now: clock.now())
      let search = SavedSearch(name: name, query: query)
      try await searches.save(search, at: clock.now())
      try emit(.ready(SavedSearchesViewModel([search])))
    } catch let error as QueryError {
      try emit(.failed(UserMessage(error)))
    } catch let error as StoreError {
      try emit(.failed(UserMessage(error)))
    }
  }

  /// Removes the search of that name.
  ///
  /// - Throws: What `emit` throws.
  public func remove(_ name: String, emit: Emit<SavedSearchesViewModel>) async throws {
    do {
      guard try await searches.removeSavedSearch(named: name) else {
        throw StoreError(code: .noSuchFeed, message: "no search is saved as “\(name)”")
      }
      try emit(.ready(SavedSearchesViewModel([])))
    } catch let error as StoreError {
      try emit(.failed(UserMessage(error)))
    }
  }
}

/// Saved searches in the order they were first saved.
public struct SavedSearchesViewModel: ScreenContent {
  var lines: [RecordLine<SavedSearch>]
  public var rowCount: Int { lines.count }

  init(_ searches: [SavedSearch]) {
    lines = searches.map { RecordLine(record: $0, text: DisplayText(line: "\($0.name): \($0.query)")) }
  }
}

enum SavedSearchField: String, RecordField {
  case name, query

  static let defaultColumns = Array(allCases)
  static let identity = SavedSearchField.name
  var isTime: Bool { false }

  func value(of search: SavedSearch) -> FieldValue {
    switch self {
    case .name: .text(search.name)
    case .query: .text(search.query)
    }
  }
}

/// Saved searches in the format asked for.
public struct SavedSearchesView: ContentView {
  private var list: RecordList<SavedSearchField>

  public init(_ shape: RecordShape) throws(UserMessage) { list = try RecordList(shape) }

  public mutating func begin(_ buffer: inout ByteBuffer) throws(OutputError) { try list.begin(&buffer) }
  public mutating func end(_ buffer: inout ByteBuffer) throws(OutputError) { try list.end(&buffer) }
  public mutating func render(
    _ content: SavedSearchesViewModel,
    isLast: Bool,
    _ buffer: inout ByteBuffer
  ) throws(OutputError) {
    try list.render(content.lines, &buffer)
  }
}
