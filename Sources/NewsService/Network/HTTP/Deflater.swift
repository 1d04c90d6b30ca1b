import CUnpack

/// Compresses with gzip.
final class Deflater {
  /// Allocated, because zlib keeps its address.
  private let stream: UnsafeMutablePointer<z_stream>

  /// Nil: zlib is missing.
  @inline(never)
  init?() {
    // 31: the largest window, with gzip's head and end.
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard newsd_deflate_init(stream, Self.level, 31) == newsd_z_ok else {
      stream.deallocate()
      return nil
    }
  }

  /// Of the time that level 6 takes, level 4 takes half, for output that is some percent longer.
  private static let level: Int32 = 4

  deinit {
    close()
    stream.deallocate()
  }

  @inline(never)
  private func close() { newsd_deflate_end(stream) }

  /// Compresses further bytes. The result may be empty before the end.
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

  /// The bytes as one gzip member; nil if zlib is missing.
  static func gzip(_ bytes: [UInt8]) -> [UInt8]? { Deflater()?.compress(bytes, isLast: true) }
}
