/// A lower-case name of at most 24 ASCII bytes in three words, least significant byte first: names compare as integers.
public struct PackedName: Hashable, Sendable {
  public var a: UInt64 = 0
  public var b: UInt64 = 0
  public var c: UInt64 = 0

  /// The prefix `on` of event handlers, in the layout of `a`.
  @inlinable public static var eventPrefix: UInt64 {
    UInt64(UInt8(ascii: "o")) | UInt64(UInt8(ascii: "n")) << 8
  }

  /// Sets the byte at `index`; bytes after the 24th are dropped.
  @inlinable @inline(__always)
  public mutating func put(_ byte: UInt8, at index: Int) {
    if index < 8 {
      a |= UInt64(byte) &<< UInt64(truncatingIfNeeded: index &* 8)
    } else if index < 16 {
      b |= UInt64(byte) &<< UInt64(truncatingIfNeeded: (index &- 8) &* 8)
    } else if index < 24 {
      c |= UInt64(byte) &<< UInt64(truncatingIfNeeded: (index &- 16) &* 8)
    }
  }

  /// Packs a name in lower case; fails when it is empty or too long.
  @inlinable @inline(__always)
  public init?(_ start: UnsafePointer<UInt8>, _ length: Int) {
    guard length > 0, length <= 24 else { return nil }
    for index in 0..<length {
      put(ASCII.lowercase(start[index]), at: index)
    }
  }

  @inlinable public init() {}

  public init(_ text: String) {
    for (index, byte) in text.utf8.enumerated() {
      put(byte, at: index)
    }
  }

  /// Bits for a hash table.
  @inlinable @inline(__always)
  public var hash: UInt64 {
    let mixed = (a ^ (b &* 0x9E37_79B9_7F4A_7C15) ^ (c &* 0xC2B2_AE3D_27D4_EB4F)) &* 0xFF51_AFD7_ED55_8CCD
    return mixed &>> 40
  }
}

/// A hash table from names to values, with open addressing; built once per vocabulary and never freed.
///
/// Immutable after `init`, hence safe to share.
public struct NameTable: @unchecked Sendable {
  @usableFromInline struct Slot {
    @usableFromInline var name: PackedName
    @usableFromInline var value: UInt8

    init(name: PackedName, value: UInt8) {
      self.name = name
      self.value = value
    }
  }

  @usableFromInline let slots: UnsafePointer<Slot>
  @usableFromInline let mask: Int

  /// Builds the table. Names must be lower case and at most 24 bytes, values must not be 0.
  public init(_ names: [(name: String, value: UInt8)]) {
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
  @inlinable @inline(__always)
  public func value(_ name: PackedName) -> UInt8 {
    var index = Int(truncatingIfNeeded: name.hash) & mask
    while slots[index].value != 0 {
      if slots[index].name == name { return slots[index].value }
      index = (index &+ 1) & mask
    }
    return 0
  }

  /// Returns the value of a name, ignoring case; 0 when the table does not contain it.
  @inlinable @inline(__always)
  public func value(_ start: UnsafePointer<UInt8>, _ length: Int) -> UInt8 {
    guard let name = PackedName(start, length) else { return 0 }
    return value(name)
  }
}
