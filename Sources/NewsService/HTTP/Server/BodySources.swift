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
  private let stream: any HTTPBodyStream
  private var wait: Wait<Piece>?
  private var piece: [UInt8] = []
  private var offset = 0

  private enum Piece: Sendable {
    case bytes([UInt8])
    case end
    case failed
  }

  init(_ stream: any HTTPBodyStream, _ room: WaitingRoom, _ connection: MHD.Connection) {
    self.room = room
    self.connection = connection
    self.stream = stream
  }

  func read(_ position: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    if let finished = wait {
      wait = nil
      // A stream without end is complete whenever the server ends it. libmicrohttpd would keep the connection of a failed one
      // until it times out.
      switch finished.take() ?? (stream.isEndless ? .end : .failed) {
      case .bytes(let next):
        piece = next
        offset = 0
      case .end: return MHD.endOfStream
      case .failed: return MHD.endWithError
      }
    }
    guard offset < piece.count else {
      piece = []
      offset = 0
      let next = Wait<Piece>(
        room,
        connection,
        isEndless: stream.isEndless,
        endsWithClient: stream.endsWithClient
      )
      wait = next
      next.start { [stream] in
        do {
          return try await stream.next().map { .bytes($0) } ?? .end
        } catch {
          return .failed
        }
      }
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
