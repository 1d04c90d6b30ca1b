/// A body of fixed bytes, sent without copying all of them at once.
final class BytesSource: BodySource {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func read(_ position: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, bytes.count - position)
    guard count > 0 else { return MHD.endOfStream }
    bytes.withUnsafeBytes {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[position..<(position + count)]))
    }
    return count
  }
}

/// The body of an answer to HEAD, which is never read.
final class UnreadSource: BodySource {
  func read(_ position: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Int { MHD.endWithError }
}

/// Sends the pieces of a stream. The connection is suspended while the next piece is made, so only one piece is in
/// memory.
final class StreamSource: BodySource {
  private let room: WaitingRoom
  private let connection: MHD.Connection
  private let pieces: PieceReader
  private let isEndless: Bool
  private let endsWithClient: Bool
  private var wait: Wait<PieceReader.Result>?
  private var piece: [UInt8] = []
  private var offset = 0

  init(_ stream: any HTTPBodyStream, isCompressed: Bool, _ room: WaitingRoom, _ connection: MHD.Connection) {
    self.room = room
    self.connection = connection
    isEndless = stream.isEndless
    endsWithClient = stream.endsWithClient
    pieces = PieceReader(stream, isCompressed: isCompressed)
  }

  func read(_ position: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    if let finished = wait {
      wait = nil
      switch finished.take() ?? .failed {
      case .piece(let next):
        piece = next
        offset = 0
      case .end: return MHD.endOfStream
      case .failed: return MHD.endWithError
      }
    }
    guard offset < piece.count else {
      piece = []
      offset = 0
      let next = Wait<PieceReader.Result>(
        room,
        connection,
        isEndless: isEndless,
        endsWithClient: endsWithClient
      )
      wait = next
      next.start { [pieces] in await pieces.next() }
      return 0
    }
    let count = min(buffer.count, piece.count - offset)
    piece.withUnsafeBytes {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<(offset + count)]))
    }
    offset += count
    return count
  }
}

/// Reads a stream, and compresses it if the client accepts gzip.
private actor PieceReader {
  enum Result: Sendable {
    case piece([UInt8])
    case end
    case failed
  }

  private let stream: any HTTPBodyStream
  private var packer: Deflater?
  private var hasEnded = false

  init(_ stream: any HTTPBodyStream, isCompressed: Bool) {
    self.stream = stream
    packer = isCompressed ? Deflater() : nil
  }

  func next() async -> Result {
    do {
      while !hasEnded {
        guard let piece = try await stream.next() else {
          hasEnded = true
          let rest = packer?.compress([], isLast: true) ?? []
          return rest.isEmpty ? .end : .piece(rest)
        }
        // The compressed piece may be empty, because zlib may buffer its input.
        let bytes = packer?.compress(piece, isLast: false) ?? piece
        if !bytes.isEmpty { return .piece(bytes) }
      }
      return .end
    } catch {
      return .failed
    }
  }
}
