import CUnpack

/// Compresses with gzip.
final class Deflater {
  /// Allocated at a fixed address, because zlib keeps a pointer to it.
  private let stream: UnsafeMutablePointer<z_stream>

  /// Creates a compressor. Returns nil if zlib is missing.
  @inline(never)
  init?(level: Int32 = Deflater.fast) {
    // 31 selects the largest window (15) plus gzip's header and trailer (16).
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard newsd_deflate_init(stream, level, 31) == newsd_z_ok else {
      stream.deallocate()
      return nil
    }
  }

  /// The compression level of answers. Level 4 takes half as long as level 6, for output that is a few percent longer.
  static let fast: Int32 = 4
  /// The level for what is compressed once and sent often.
  static let best: Int32 = 9

  /// Minimum length of a text that is compressed, in bytes.
  static let leastLength = 1024

  deinit {
    close()
    stream.deallocate()
  }

  @inline(never)
  private func close() { newsd_deflate_end(stream) }

  /// Compresses further bytes. zlib buffers its output, so the result may be empty unless `isLast`.
  @inline(never)
  func compress(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
    var output: [UInt8] = []
    bytes.withUnsafeBufferPointer { input in
      stream.pointee.next_in = input.baseAddress
      stream.pointee.avail_in = UInt32(input.count)
      repeat {
        let written = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16 << 10) { buffer -> Int in
          stream.pointee.next_out = buffer.baseAddress
          stream.pointee.avail_out = UInt32(buffer.count)
          _ = newsd_deflate(stream, isLast ? 1 : 0)
          let count = buffer.count - Int(stream.pointee.avail_out)
          output.append(contentsOf: buffer[..<count])
          return count
        }
        if written == 0 { break }
      } while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0
      stream.pointee.next_in = nil
    }
    return output
  }

  /// Compresses the bytes to one gzip member. Returns nil if zlib is missing.
  static func gzip(_ bytes: [UInt8], level: Int32 = Deflater.fast) -> [UInt8]? {
    Deflater(level: level)?.compress(bytes, isLast: true)
  }
}
