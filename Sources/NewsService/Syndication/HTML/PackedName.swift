/// A lower-case name of at most 24 ASCII bytes in three words, least significant byte first: names compare as integers.
struct PackedName: Hashable {
  var a: UInt64 = 0
  var b: UInt64 = 0
  var c: UInt64 = 0

  /// The prefix `on` of event handlers, in the layout of `a`.
  static let eventPrefix = UInt64(UInt8(ascii: "o")) | UInt64(UInt8(ascii: "n")) << 8

  /// Sets the byte at `index`; bytes after the 24th are dropped.
  @inline(__always)
  mutating func put(_ byte: UInt8, at index: Int) {
    if index < 8 {
      a |= UInt64(byte) &<< UInt64(truncatingIfNeeded: index &* 8)
    } else if index < 16 {
      b |= UInt64(byte) &<< UInt64(truncatingIfNeeded: (index &- 8) &* 8)
    } else if index < 24 {
      c |= UInt64(byte) &<< UInt64(truncatingIfNeeded: (index &- 16) &* 8)
    }
  }

  /// Packs a name in lower case; fails when it is empty or too long.
  @inline(__always)
  init?(_ start: UnsafePointer<UInt8>, _ length: Int) {
    guard length > 0, length <= 24 else { return nil }
    for index in 0..<length {
      put(ASCII.lowercase(start[index]), at: index)
    }
  }

  init() {}

  init(_ text: String) {
    for (index, byte) in text.utf8.enumerated() {
      put(byte, at: index)
    }
  }

  @inline(__always)
  var hash: UInt64 {
    let mixed = (a ^ (b &* 0x9E37_79B9_7F4A_7C15) ^ (c &* 0xC2B2_AE3D_27D4_EB4F)) &* 0xFF51_AFD7_ED55_8CCD
    return mixed &>> 40
  }
}

/// A hash table from names to values, with open addressing; built once per vocabulary and never freed.
///
/// Immutable after `init`, hence safe to share.
struct NameTable: @unchecked Sendable {
  private struct Slot {
    var name: PackedName
    var value: UInt8
  }

  private let slots: UnsafePointer<Slot>
  private let mask: Int

  /// Builds the table. Names must be lower case and at most 24 bytes, values must not be 0.
  init(_ names: [(name: String, value: UInt8)]) {
    var size = 64
    while size < names.count * 3 { size *= 2 }
    let memory = UnsafeMutablePointer<Slot>.allocate(capacity: size)
    memory.initialize(repeating: Slot(name: PackedName(), value: 0), count: size)
    for (text, value) in names {
      let name = PackedName(text)
      var index = Int(truncatingIfNeeded: name.hash) & (size - 1)
      while memory[index].value != 0 { index = (index + 1) & (size - 1) }
      memory[index] = Slot(name: name, value: value)
    }
    slots = UnsafePointer(memory)
    mask = size - 1
  }

  /// Returns the value of `name`; 0 when the table does not contain it.
  @inline(__always)
  func value(_ name: PackedName) -> UInt8 {
    var index = Int(truncatingIfNeeded: name.hash) & mask
    while slots[index].value != 0 {
      if slots[index].name == name { return slots[index].value }
      index = (index &+ 1) & mask
    }
    return 0
  }

  /// Returns the value of a name, ignoring case; 0 when the table does not contain it.
  @inline(__always)
  func value(_ start: UnsafePointer<UInt8>, _ length: Int) -> UInt8 {
    guard let name = PackedName(start, length) else { return 0 }
    return value(name)
  }
}

/// Classes of ASCII bytes.
enum ASCII {
  @inline(__always)
  static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
  /// True for HTML white space: tab, line feed, form feed, carriage return, space.
  @inline(__always)
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (byte &- 9 < 5 && byte != 0x0B)
  }
  @inline(__always)
  static func lowercase(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
  /// The value of a hexadecimal digit; nil for other bytes.
  @inline(__always)
  static func hexValue(_ byte: UInt8) -> UInt32? {
    if isDigit(byte) { return UInt32(byte &- 0x30) }
    let letter = (byte | 0x20) &- 0x61
    return letter < 6 ? UInt32(letter) + 10 : nil
  }
}
