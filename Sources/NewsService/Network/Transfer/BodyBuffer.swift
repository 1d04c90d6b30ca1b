/// Collects a body in chunks. A growing array would be copied repeatedly, and would temporarily take up to three times
/// the body's size.
struct BodyBuffer {
  private static let pieceSize = 256 << 10

  private var pieces: [[UInt8]] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// Reserves space for a body of known length. The system allocates the memory only as it is filled.
  mutating func reserve(_ length: Int) {
    guard pieces.isEmpty, length > 0 else { return }
    var piece: [UInt8] = []
    piece.reserveCapacity(length)
    pieces = [piece]
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    count += bytes.count
    var rest = bytes[...]
    while !rest.isEmpty {
      if pieces.last.map({ $0.count == $0.capacity }) ?? true {
        var piece: [UInt8] = []
        // Start small, because most bodies are small.
        piece.reserveCapacity(pieces.isEmpty ? max(rest.count, 8 << 10) : Self.pieceSize)
        pieces.append(piece)
      }
      let last = pieces.count - 1
      let portion = rest.prefix(pieces[last].capacity - pieces[last].count)
      pieces[last].append(contentsOf: portion)
      rest = rest.dropFirst(portion.count)
    }
  }

  /// Returns the body and clears the buffer.
  mutating func take() -> [UInt8] {
    defer {
      pieces = []
      count = 0
    }
    guard pieces.count > 1 else { return pieces.first ?? [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      for index in pieces.indices {
        let end = filled + pieces[index].count
        _ = UnsafeMutableBufferPointer(rebasing: buffer[filled..<end]).initialize(from: pieces[index])
        filled = end
        // Free each chunk after copying it, so that the whole body is never in memory twice.
        pieces[index] = []
      }
    }
  }
}
