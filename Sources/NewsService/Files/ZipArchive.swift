import CUnpack
import NewsToolbox
public import NewsCore

/// A ZIP archive in memory (PKWARE's APPNOTE 6.3, sections 4.3 and 4.4), without encryption and ZIP64.
///
/// An archive of unknown origin may declare sizes that no memory has: each file, and all together, are limited.
public struct ZipArchive: Sendable {
  public struct Entry: Hashable, Sendable {
    public var name: String
    fileprivate var isEncrypted: Bool
    fileprivate var method: Int
    fileprivate var packedSize: Int
    /// The size of the unpacked file in bytes that the directory declares; `contents` refuses a larger one.
    public fileprivate(set) var size: Int
    fileprivate var offset: Int
  }

  /// The files, in the order of the archive's directory.
  public let entries: [Entry]
  private let bytes: [UInt8]

  /// Maximum size of an unpacked file in bytes.
  static let longestFile = 256 << 20
  /// All files together may unpack to this many bytes for each byte of the archive, and `spare` more.
  static let mostGrowth = 200
  private static let spare = 64 << 20

  /// True for bytes that begin with the header of a file in an archive, or with the end of an empty archive.
  public static func isLikely(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x50, 0x4B, 3, 4]) || bytes.starts(with: [0x50, 0x4B, 5, 6])
  }

  /// Reads the archive's directory. Throws `badData` if it is damaged or declares too much.
  public init(_ bytes: [UInt8]) throws(FileError) {
    self.bytes = bytes
    let end = 22
    let last = bytes.count - end
    guard last >= 0,
      let start = (max(0, last - 0xFFFF)...last).reversed().first(where: {
        Self.number(bytes, $0, 4) == 0x0605_4B50
      })
    else { throw Self.damaged("its directory is missing") }
    let count = Self.number(bytes, start + 10, 2)
    var position = Self.number(bytes, start + 16, 4)
    guard count < 0xFFFF, position < 0xFFFF_FFFF else { throw Self.damaged("ZIP64 is not supported") }
    var entries: [Entry] = []
    var total = 0
    for _ in 0..<count {
      guard position + 46 <= bytes.count, Self.number(bytes, position, 4) == 0x0201_4B50 else {
        throw Self.damaged("its directory is damaged")
      }
      func field(_ offset: Int, _ size: Int) -> Int { Self.number(bytes, position + offset, size) }
      let name = position + 46..<position + 46 + field(28, 2)
      guard name.upperBound <= bytes.count else { throw Self.damaged("its directory is damaged") }
      let entry = Entry(
        name: String(streamSafe: bytes[name]),
        isEncrypted: field(8, 2) & 1 != 0,
        method: field(10, 2),
        packedSize: field(20, 4),
        size: field(24, 4),
        offset: field(42, 4)
      )
      total += entry.size
      guard entry.size <= Self.longestFile, total <= Self.spare + Self.mostGrowth * bytes.count else {
        throw Self.damaged("its files are too large")
      }
      entries.append(entry)
      position = name.upperBound + field(30, 2) + field(32, 2)
    }
    self.entries = entries
  }

  /// Unpacks a file. Throws `badData` if it is damaged, encrypted, or larger than its directory declares.
  public func contents(of entry: Entry) throws(FileError) -> [UInt8] {
    let header = entry.offset
    guard header + 30 <= bytes.count, Self.number(bytes, header, 4) == 0x0403_4B50 else {
      throw Self.damaged("the file \(MessageText.printable(entry.name)) is missing")
    }
    guard !entry.isEncrypted else { throw Self.damaged("it is encrypted") }
    let start = header + 30 + Self.number(bytes, header + 26, 2) + Self.number(bytes, header + 28, 2)
    guard start + entry.packedSize <= bytes.count else { throw Self.damaged("it is truncated") }
    let packed = bytes[start..<start + entry.packedSize]
    let contents =
      switch entry.method {
      case 0: packed.count == entry.size ? Array(packed) : nil
      case 8: Self.inflated(packed, size: entry.size)
      default: throw Self.damaged("its compression method \(entry.method) is not supported")
      } as [UInt8]?
    guard let contents else {
      throw Self.damaged("the file \(MessageText.printable(entry.name)) is damaged")
    }
    return contents
  }

  /// Returns nil unless the stream (RFC 1951) is complete and has exactly this size.
  private static func inflated(_ packed: ArraySlice<UInt8>, size: Int) -> [UInt8]? {
    var stream = z_stream()
    guard newsd_inflate_init(&stream, -15) == newsd_z_ok else { return nil }
    defer { newsd_inflate_end(&stream) }
    // One byte more, so that a stream that is too long is noticed.
    var isWhole = false
    let contents = [UInt8](unsafeUninitializedCapacity: size + 1) { output, count in
      packed.withUnsafeBufferPointer { input in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(clamping: input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(clamping: output.count)
        isWhole = newsd_inflate(&stream) == newsd_z_stream_end
      }
      count = size + 1 - Int(stream.avail_out)
    }
    return isWhole && contents.count == size ? contents : nil
  }

  /// Reads a little-endian number; 0 beyond the end.
  private static func number(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> Int {
    guard offset >= 0, offset + size <= bytes.count else { return 0 }
    return bytes[offset..<offset + size].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private static func damaged(_ reason: String) -> FileError {
    FileError(code: .badData, message: "the ZIP archive cannot be read: \(reason)")
  }
}
