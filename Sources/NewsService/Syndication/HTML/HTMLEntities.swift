import Glibc
import NewsToolbox

/// HTML character references (HTML standard, sections 13.2.5.72 to 13.2.5.80).
///
/// Immutable after initialization, hence safe to share.
struct HTMLEntities: @unchecked Sendable {
  static let shared = HTMLEntities()

  private struct Entry {
    var name: UnsafePointer<UInt8>
    var value: UnsafePointer<UInt8>
    var nameLength: UInt8
    var valueLength: UInt8
    /// True if the semicolon is optional.
    var isLegacy: Bool
  }

  /// A decoded reference: its length and its characters.
  struct Reference {
    /// Number of bytes after the ampersand, including the semicolon.
    var length: Int
    /// The characters as UTF-8, least significant byte first; no reference has more than eight bytes.
    var bytes: UInt64
    var byteCount: Int
  }

  private static let mask = 8191
  private static let longestName = 31
  private static let longestLegacyName = 6
  private let slots: UnsafePointer<Entry?>

  private init() {
    let slots = UnsafeMutablePointer<Entry?>.allocate(capacity: Self.mask + 1)
    slots.initialize(repeating: nil, count: Self.mask + 1)
    let text = HTMLEntityTable.text
    let end = text.utf8Start + text.utf8CodeUnitCount
    var position = text.utf8Start
    while position < end {
      let name = position
      while position.pointee != UInt8(ascii: "="), position.pointee != UInt8(ascii: "~") { position += 1 }
      let isLegacy = position.pointee == UInt8(ascii: "~")
      let nameLength = UInt8(position - name)
      position += 1
      let value = position
      while position.pointee != UInt8(ascii: " ") { position += 1 }
      var index = Self.hash(name, Int(nameLength))
      while slots[index] != nil { index = (index + 1) & Self.mask }
      slots[index] = Entry(
        name: name,
        value: value,
        nameLength: nameLength,
        valueLength: UInt8(position - value),
        isLegacy: isLegacy
      )
      position += 1
    }
    self.slots = UnsafePointer(slots)
  }

  @inline(__always)
  private static func hash(_ name: UnsafePointer<UInt8>, _ length: Int) -> Int {
    var hash: UInt32 = 0x811C_9DC5
    for index in 0..<length {
      hash = (hash ^ UInt32(name[index])) &* 0x0100_0193
    }
    return Int((hash ^ (hash &>> 15)) & UInt32(mask))
  }

  private func entry(_ name: UnsafePointer<UInt8>, _ length: Int) -> Entry? {
    var index = Self.hash(name, length)
    while let entry = slots[index] {
      if Int(entry.nameLength) == length, memcmp(entry.name, name, length) == 0 { return entry }
      index = (index + 1) & Self.mask
    }
    return nil
  }

  /// Returns the characters of the reference `name` (without `&` and `;`); nil for an unknown name.
  func characters(named name: String) -> String? {
    var name = name
    return name.withUTF8 { bytes -> String? in
      guard let start = bytes.baseAddress, bytes.count <= Self.longestName,
        let entry = entry(start, bytes.count)
      else { return nil }
      return String(
        decoding: UnsafeBufferPointer(start: entry.value, count: Int(entry.valueLength)),
        as: UTF8.self
      )
    }
  }

  /// Parses the reference after `&`; nil if the ampersand does not begin a reference.
  ///
  /// In an attribute, a name without a semicolon is not a reference before `=`, a letter or a digit, so that query
  /// strings survive.
  func reference(
    _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>,
    inAttribute: Bool
  ) -> Reference? {
    guard start < end else { return nil }
    if start.pointee == UInt8(ascii: "#") { return numeric(start, end) }
    var length = 0
    let limit = min(end - start, Self.longestName + 1)
    while length < limit, ASCII.isLetter(start[length]) || ASCII.isDigit(start[length]) { length += 1 }
    guard length > 0 else { return nil }
    if length < limit, start[length] == UInt8(ascii: ";"), let entry = entry(start, length) {
      return Self.reference(entry, length: length + 1)
    }
    var candidate = min(length, Self.longestLegacyName)
    while candidate >= 2 {
      if let entry = entry(start, candidate), entry.isLegacy {
        if inAttribute {
          let next = start + candidate
          if next < end,
            next.pointee == UInt8(ascii: "=") || ASCII.isLetter(next.pointee) || ASCII.isDigit(next.pointee)
          {
            return nil
          }
        }
        return Self.reference(entry, length: candidate)
      }
      candidate -= 1
    }
    return nil
  }

  private static func reference(_ entry: Entry, length: Int) -> Reference {
    var bytes: UInt64 = 0
    for index in 0..<Int(entry.valueLength) {
      bytes |= UInt64(entry.value[index]) &<< UInt64(index * 8)
    }
    return Reference(length: length, bytes: bytes, byteCount: Int(entry.valueLength))
  }

  /// Parses a numeric reference; `start` points at `#`.
  private func numeric(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Reference? {
    var position = start + 1
    var value: UInt32 = 0
    guard position < end else { return nil }
    let digits: UnsafePointer<UInt8>
    if position.pointee | 0x20 == UInt8(ascii: "x") {
      position += 1
      digits = position
      while position < end, let digit = ASCII.hexValue(position.pointee) {
        value = min(value &* 16 &+ UInt32(digit), 0x11_0000)
        position += 1
      }
    } else {
      digits = position
      while position < end, ASCII.isDigit(position.pointee) {
        value = min(value &* 10 &+ UInt32(position.pointee &- UInt8(ascii: "0")), 0x11_0000)
        position += 1
      }
    }
    guard position > digits else { return nil }
    if position < end, position.pointee == UInt8(ascii: ";") { position += 1 }
    let (bytes, count) = Self.utf8(Self.mapped(value))
    return Reference(length: position - start, bytes: bytes, byteCount: count)
  }

  /// Maps the number of a reference to a code point. The numbers 0x80 to 0x9F become characters of
  /// windows-1252, or U+FFFD if it does not assign them. NUL, surrogates and noncharacters become U+FFFD too, because a
  /// feed cannot contain them literally.
  static func mapped(_ value: UInt32) -> UInt32 {
    if value >= 0x80, value <= 0x9F {
      let mapped = windows1252[Int(value - 0x80)]
      return mapped == 0 ? replacement : UInt32(mapped)
    }
    let isNoncharacter = value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(value)
    if value == 0 || value > 0x10_FFFF || (0xD800...0xDFFF).contains(value) || isNoncharacter {
      return replacement
    }
    return value
  }

  private static let replacement: UInt32 = 0xFFFD

  /// Code points of the bytes 0x80 to 0x9F; 0 for bytes that windows-1252 does not assign.
  private static let windows1252: [UInt16] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,
    0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
    0x0153, 0, 0x017E, 0x0178,
  ]

  /// Encodes a scalar value as UTF-8, least significant byte first.
  @inline(__always)
  static func utf8(_ scalar: UInt32) -> (bytes: UInt64, count: Int) {
    if scalar < 0x80 { return (UInt64(scalar), 1) }
    let last = UInt64(0x80 | (scalar & 0x3F))
    if scalar < 0x800 { return (UInt64(0xC0 | (scalar &>> 6)) | (last &<< 8), 2) }
    let middle = UInt64(0x80 | ((scalar &>> 6) & 0x3F))
    if scalar < 0x10000 {
      return (UInt64(0xE0 | (scalar &>> 12)) | (middle &<< 8) | (last &<< 16), 3)
    }
    let second = UInt64(0x80 | ((scalar &>> 12) & 0x3F))
    return (UInt64(0xF0 | (scalar &>> 18)) | (second &<< 8) | (middle &<< 16) | (last &<< 24), 4)
  }

  /// Appends `text` with its references decoded.
  func decode(_ text: UnsafeBufferPointer<UInt8>, into output: inout ByteBuffer, inAttribute: Bool = false) {
    guard var position = text.baseAddress else { return }
    let end = position + text.count
    while position < end {
      guard let ampersand = ByteScan.find(UInt8(ascii: "&"), position, end) else { break }
      output.append(position, ampersand - position)
      guard let reference = reference(ampersand + 1, end, inAttribute: inAttribute) else {
        output.append(UInt8(ascii: "&"))
        position = ampersand + 1
        continue
      }
      output.append(reference)
      position = ampersand + 1 + reference.length
    }
    output.append(position, end - position)
  }
}

extension ByteBuffer {
  /// Appends the characters of `reference`.
  @inline(__always)
  mutating func append(_ reference: HTMLEntities.Reference) {
    reserve(8)
    UnsafeMutableRawPointer(base + count).storeBytes(of: reference.bytes, as: UInt64.self)
    advance(reference.byteCount)
  }
}

/// Calls `memchr` with Swift pointers.
enum ByteScan {
  @inline(__always)
  static func find(
    _ byte: UInt8,
    _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8>? {
    guard start < end, let found = memchr(start, Int32(byte), end - start) else { return nil }
    return UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
  }
}
