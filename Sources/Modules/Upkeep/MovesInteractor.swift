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
public struct MovesViewModel: RecordListContent {
  public typealias Record = MoveEditor.Move

  public var lines: [RecordLine<MoveEditor.Move>]
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
