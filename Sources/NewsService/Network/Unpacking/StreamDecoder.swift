import CUnpack

/// The result of one decoding step.
struct DecoderStep: Hashable {
  enum State {
    /// The decoder needs more input or more output space.
    case open
    /// The decoder reached the end of a stream; another may follow.
    case ended
    case broken
  }

  var read: Int
  var written: Int
  var state: State
}

/// Decodes a compressed stream incrementally.
protocol StreamDecoder: AnyObject {
  func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecoderStep
  /// Called after the end of a stream. If these bytes start another stream, prepares to decode it and returns true.
  func begins(_ input: UnsafeRawBufferPointer) -> Bool
}

/// Decodes gzip (RFC 1952) and deflate. The latter is zlib's format (RFC 1950), but many servers send raw deflate data
/// (RFC 1951).
final class InflateDecoder: StreamDecoder {
  enum Envelope {
    case gzip, zlib
  }

  private let stream: UnsafeMutablePointer<z_stream>
  private let envelope: Envelope
  private var hasBegun: Bool

  init?(_ envelope: Envelope) {
    self.envelope = envelope
    // The first byte tells which of the two deflate formats it is.
    hasBegun = envelope == .gzip
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard newsd_inflate_init(stream, envelope == .gzip ? 31 : 15) == newsd_z_ok else { return nil }
  }

  deinit {
    newsd_inflate_end(stream)
    stream.deallocate()
  }

  func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecoderStep {
    if !hasBegun, let first = input.first {
      hasBegun = true
      // zlib's header byte: method 8 in the low half, and a window size of at most 32 KiB in the high half.
      if first & 0x8F != 0x08 {
        newsd_inflate_end(stream)
        stream.pointee = z_stream()
        guard newsd_inflate_init(stream, -15) == newsd_z_ok else {
          return DecoderStep(read: 0, written: 0, state: .broken)
        }
      }
    }
    stream.pointee.next_in = input.bindMemory(to: UInt8.self).baseAddress
    stream.pointee.avail_in = UInt32(clamping: input.count)
    stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
    stream.pointee.avail_out = UInt32(clamping: output.count)
    let code = newsd_inflate(stream)
    let state: DecoderStep.State =
      switch code {
      case newsd_z_stream_end: .ended
      case newsd_z_ok, newsd_z_buffer_error: .open
      default: .broken
      }
    return DecoderStep(
      read: input.count - Int(stream.pointee.avail_in),
      written: output.count - Int(stream.pointee.avail_out),
      state: state
    )
  }

  func begins(_ input: UnsafeRawBufferPointer) -> Bool {
    // A gzip file is a series of members (RFC 1952 section 2.2).
    guard envelope == .gzip, input.count >= 3, input[0] == 0x1F, input[1] == 0x8B, input[2] == 8 else {
      return false
    }
    return newsd_inflate_reset(stream) == newsd_z_ok
  }
}

/// Decodes Brotli (RFC 7932).
final class BrotliDecoder: StreamDecoder {
  private let state: UnsafeMutableRawPointer

  init?() {
    guard let state = newsd_brotli_create() else { return nil }
    self.state = state
  }

  deinit { newsd_brotli_destroy(state) }

  func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecoderStep {
    var from = input.bindMemory(to: UInt8.self).baseAddress
    var left = input.count
    var to = output.bindMemory(to: UInt8.self).baseAddress
    var room = output.count
    let code = newsd_brotli_decompress(state, &left, &from, &room, &to)
    let state: DecoderStep.State =
      code == newsd_brotli_end ? .ended : code == newsd_brotli_error ? .broken : .open
    return DecoderStep(read: input.count - left, written: output.count - room, state: state)
  }

  func begins(_ input: UnsafeRawBufferPointer) -> Bool { false }
}

/// Decodes Zstandard (RFC 8878).
final class ZstdDecoder: StreamDecoder {
  private let stream: UnsafeMutableRawPointer

  init?() {
    guard let stream = newsd_zstd_create() else { return nil }
    self.stream = stream
  }

  deinit { newsd_zstd_free(stream) }

  func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecoderStep {
    var from = newsd_zstd_input(bytes: input.baseAddress, size: input.count, position: 0)
    var to = newsd_zstd_output(bytes: output.baseAddress, size: output.count, position: 0)
    let result = newsd_zstd_decompress(stream, &to, &from)
    let state: DecoderStep.State =
      newsd_zstd_is_error(result) != 0 ? .broken : result == 0 ? .ended : .open
    return DecoderStep(read: from.position, written: to.position, state: state)
  }

  func begins(_ input: UnsafeRawBufferPointer) -> Bool {
    // The magic number of a frame or a skippable frame.
    guard input.count >= 4, input[1] == 0xB5 || input[1] == 0x2A, input[2] == 0x2F || input[2] == 0x4D else {
      return false
    }
    return (input[0] == 0x28 && input[3] == 0xFD) || (input[0] & 0xF0 == 0x50 && input[3] == 0x18)
  }
}
