import NewsText

/// A line with right-to-left words in visual order: its clusters from left to right, truncated to the
/// available columns.
struct DirectedLine {
  struct Piece {
    var cluster: Character
    var columns: Int
    var style: ScreenStyle
  }

  private(set) var pieces: [Piece] = []

  /// Returns nil if libfribidi is not installed. Longer text than `room` columns ends with an ellipsis.
  init?(
    _ runs: [(text: String, style: ScreenStyle)],
    _ direction: TextDirection,
    _ width: DisplayWidth,
    room: Int
  ) {
    guard BidiText.isAvailable else { return nil }
    let read = Self.cut(Self.pieces(of: runs, width), width, room: room)
    // The piece that each scalar begins; nil: it is another scalar of a piece.
    var beginning: [Piece?] = []
    for piece in read {
      beginning.append(piece)
      beginning += piece.cluster.unicodeScalars.dropFirst().map { _ in nil }
    }
    let text = BidiText(String(read.map(\.cluster)), direction)
    for index in text.order.lazy.map(Int.init) {
      guard var piece = beginning[index], piece.columns > 0 else { continue }
      if text.levels[index] % 2 == 1 { piece.cluster = Self.mirrored(piece.cluster) }
      pieces.append(piece)
    }
  }

  private static func pieces(
    of runs: [(text: String, style: ScreenStyle)],
    _ width: DisplayWidth
  ) -> [Piece] {
    runs.flatMap { run in
      BidiText.joined(run.text).map { Piece(cluster: $0, columns: width.columns($0), style: run.style) }
    }
  }

  /// Truncates the end in reading order, which may be on the left side of the screen.
  private static func cut(_ pieces: [Piece], _ width: DisplayWidth, room: Int) -> [Piece] {
    var total = pieces.reduce(0) { $0 + $1.columns }
    guard total > room else { return pieces }
    let ellipsis = width.columns("…")
    var kept = pieces
    while total + ellipsis > room, let last = kept.popLast() { total -= last.columns }
    guard ellipsis <= room else { return kept }
    let style = kept.last?.style ?? pieces.first?.style ?? .plain
    return kept + [Piece(cluster: "…", columns: ellipsis, style: style)]
  }

  private static func mirrored(_ cluster: Character) -> Character {
    let scalars = cluster.unicodeScalars
    guard scalars.count == 1, let only = scalars.first, let mirror = BidiText.mirrored(only) else {
      return cluster
    }
    return Character(mirror)
  }
}
