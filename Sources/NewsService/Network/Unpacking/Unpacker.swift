/// Decodes a compressed body in steps, as far as its consumer has space.
///
/// libcurl's own decoders do not report whether a stream is complete. They also fail on a second gzip member, a line
/// feed after the last member, and an unknown coding.
final class Unpacker {
  private let decoder: any StreamDecoder
  private var input: [UInt8] = []
  private var output = [UInt8](repeating: 0, count: 32 << 10)
  private var state = DecoderStep.State.open
  /// True at the end of a stream until it is known whether another one follows.
  private var isBetweenStreams = false

  /// Creates an unpacker for the codings of a body. Returns nil if there is no coding, if its library is missing, or if
  /// there are several: each decoder takes up to 16 MiB outside the memory budget.
  init?(_ codings: [ContentCoding]) {
    guard codings.count == 1, let decoder = codings.first?.makeDecoder() else { return nil }
    self.decoder = decoder
  }

  /// True if all streams so far are complete; trailing data is ignored.
  var isComplete: Bool { state == .ended }
  /// True if the bytes are not valid in the announced coding.
  var isBroken: Bool { state == .broken }
  /// True if all further input will be ignored.
  var isOver: Bool { state != .open && !isBetweenStreams }

  func take(_ bytes: UnsafeRawBufferPointer) {
    if !isOver { input.append(contentsOf: bytes) }
  }

  /// Unpacks the input received so far. `sink` receives the output in chunks, and returns false if it has no
  /// space for another one. Returns false if the sink stopped the unpacking; call again for the rest.
  func unpack(_ sink: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    var position = 0
    defer { input.removeFirst(position) }
    while !isOver {
      let step = input.withUnsafeBytes { input in
        output.withUnsafeMutableBytes { output -> DecoderStep? in
          let rest = UnsafeRawBufferPointer(rebasing: input[position...])
          if isBetweenStreams {
            // There are too few bytes to tell: wait for more.
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
        let wantsMore = output.withUnsafeBytes { output in
          sink(UnsafeRawBufferPointer(rebasing: output[..<step.written]))
        }
        if !wantsMore { return false }
      } else if step.state == .open, step.read == 0 || position == input.count {
        break
      }
    }
    if isOver { position = input.count }
    return true
  }
}
