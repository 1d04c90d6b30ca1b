/// Unpacks a body as it comes, no more of it than there is room for.
///
/// libcurl's own decoders do not tell whether a stream came to its end, and fail on a second gzip member, a line feed
/// after the last one and an unknown coding.
final class Unpacker {
  private let decoder: any StreamDecoder
  private var input: [UInt8] = []
  private var output = [UInt8](repeating: 0, count: 32 << 10)
  private var state = DecoderStep.State.open
  /// At the end of a stream, before it is known whether another one follows.
  private var isBetweenStreams = false

  /// Nil for none, for more than one, or for one whose library is missing. A decoder takes up to 16 MiB beside the memory
  /// that is counted, so a body may have one only.
  init?(_ codings: [ContentCoding]) {
    guard codings.count == 1, let decoder = codings.first?.makeDecoder() else { return nil }
    self.decoder = decoder
  }

  /// All streams that came are whole; what may follow the last one does not count.
  var isComplete: Bool { state == .ended }
  /// The bytes are not of the coding that was announced.
  var isBroken: Bool { state == .broken }
  /// Nothing that is still to come counts.
  var isOver: Bool { state != .open && !isBetweenStreams }

  func take(_ bytes: UnsafeRawBufferPointer) {
    if !isOver { input.append(contentsOf: bytes) }
  }

  /// Unpacks what was taken.
  ///
  /// - Parameter sink: Gets what comes out, piece by piece, and returns false when it has no room for the next.
  /// - Returns: False when the sink had enough; the rest waits for another call.
  func unpack(_ sink: (UnsafeRawBufferPointer) -> Bool) -> Bool {
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
          sink(UnsafeRawBufferPointer(rebasing: output[..<step.written]))
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
