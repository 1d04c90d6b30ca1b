public import NewsCore

/// Lists feeds that have moved.
public struct MovesInteractor: Sendable {
  private let editor: MoveEditor

  public init(editor: MoveEditor) { self.editor = editor }

  /// Emits all moves in the user's order of feeds.
  ///
  /// - Throws: What `emit` throws.
  public func list(emit: Emit<MovesViewModel>) async throws {
    try emit(
      await .loaded { () async throws(StoreError) in MovesViewModel(try await editor.moves()) }
    )
  }
}

/// Moves, each with its line.
public struct MovesViewModel: RecordContent {
  typealias Field = MoveField

  var lines: [RecordLine<MoveEditor.Move>]
  public var rowCount: Int { lines.count }

  init(_ moves: [MoveEditor.Move]) {
    lines = moves.map { move in
      let state = move.isAdopted ? "adopted" : "followed, \(move.polls) poll\(move.polls == 1 ? "" : "s")"
      let fields = [
        String(move.feed.id.rawValue), move.feed.title, WebAddress.redacted(move.from),
        WebAddress.redacted(move.to), state, move.time.rfc3339,
      ]
      return RecordLine(record: move, text: .columns(fields))
    }
  }
}

enum MoveField: String, RecordField {
  case feedID = "feed_id"
  case feed, from, to, state, polls, time

  static let defaultColumns = Array(allCases)
  static let identity = MoveField.feedID
  var isTime: Bool { self == .time }

  func value(of move: MoveEditor.Move) -> FieldValue {
    switch self {
    case .feedID: .number(move.feed.id.rawValue)
    case .feed: .text(move.feed.title)
    case .from: .text(WebAddress.redacted(move.from))
    case .to: .text(WebAddress.redacted(move.to))
    case .state: .text(move.isAdopted ? "adopted" : "followed")
    case .polls: .number(Int64(move.polls))
    case .time: FieldValue(move.time)
    }
  }
}

/// Moves in the format asked for.
public typealias MovesView = RecordListView<MovesViewModel>

extension MovesView {
  public init(_ shape: RecordShape) throws(UserMessage) { try self.init(records: shape) }
}

extension DisplayText {
  /// Values side by side, a tab between them.
  static func columns(_ values: [String]) -> DisplayText {
    DisplayText(safe: values.map { DisplayText(line: $0).string }.joined(separator: "\t"))
  }
}
