/// Unpacks a body as it comes, no more of it than there is room for.
///
/// Of libcurl's own decoders one cannot tell whether a stream came to its end, and they take a second gzip member, a
/// line feed after the last one or a coding that nobody knows for errors.
final class Unpacker {
  private let decoder: any StreamDecoder
  /// Unpacks what comes out of this one: a body may be packed more than once.
  private let next: Unpacker?
  private var input: [UInt8] = []
  private var output = [UInt8](repeating: 0, count: 32 << 10)
  private var state = DecoderStep.State.open
  /// At the end of a stream, before it is known whether another one follows.
  private var isBetweenStreams = false

  /// Codings that one body may have; more are somebody's joke.
  private static let mostCodings = 3

  /// - Parameter codings: In the order in which they were applied. Nil for none, too many, or one whose library is missing.
  init?(_ codings: [ContentCoding]) {
    guard codings.count <= Self.mostCodings, let decoder = codings.last?.makeDecoder() else { return nil }
    self.decoder = decoder
    guard codings.count > 1 else {
      next = nil
      return
    }
    guard let next = Unpacker(codings.dropLast()) else { return nil }
    self.next = next
  }

  /// All streams that came are whole; what may follow the last one is no matter.
  var isComplete: Bool { next?.isComplete ?? (state == .ended) }
  /// What came is not what it is said to be.
  var isBroken: Bool { state == .broken || next?.isBroken == true }
  /// Nothing that is still to come counts.
  var isOver: Bool { state != .open && !isBetweenStreams || next?.isOver == true }

  func take(_ bytes: UnsafeRawBufferPointer) {
    if !isOver { input.append(contentsOf: bytes) }
  }

  /// Unpacks what was taken.
  ///
  /// - Parameter sink: Gets what comes out, piece by piece, and returns false when it has no room for the next.
  /// - Returns: False when the sink had enough; the rest waits for another call.
  func unpack(_ sink: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    if let next, !next.unpack(sink) { return false }
    var position = 0
    defer { input.removeFirst(position) }
    while !isOver {
      let step = input.withUnsafeBytes { input in
        output.withUnsafeMutableBytes { output -> DecoderStep? in
          let rest = UnsafeRawBufferPointer(rebasing: input[position...])
          if isBetweenStreams {
            // Too little to say: more may come.
            if rest.count < 4 { return nil }
            isBetweenStreams = false
            guard decoder.begins(rest) else { return nil }
            state = .open
          }
          return decoder.step(rest, into: output)
        }
      }
      guard let step else { break }
      position += step.read
      state = step.state
      isBetweenStreams = step.state == .ended
      if step.written > 0 {
        let goesOn = output.withUnsafeBytes { output in
          let piece = UnsafeRawBufferPointer(rebasing: output[..<step.written])
          guard let next else { return sink(piece) }
          next.take(piece)
          return next.unpack(sink)
        }
        if !goesOn { return false }
      } else if step.state == .open, step.read == 0 || position == input.count {
        break
      }
    }
    if isOver { position = input.count }
    return true
  }
}
