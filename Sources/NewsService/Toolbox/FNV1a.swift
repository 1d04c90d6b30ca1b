/// The FNV-1a hash: the same on every machine and in every run, hence fit to be stored. It does not resist attacks.
public struct FNV1a<Word: FNVWord>: Hashable, Sendable {
  public var value = Word.fnvOffset

  @inlinable
  public init() {}

  /// The hash of some bytes.
  @inlinable
  public init(_ bytes: some Sequence<UInt8>) {
    add(bytes)
  }

  @inlinable @inline(__always)
  public mutating func add(_ byte: UInt8) {
    value = (value ^ Word(truncatingIfNeeded: byte)) &* Word.fnvPrime
  }

  @inlinable
  public mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { add(byte) }
  }
}

/// A width that FNV-1a is defined for.
public protocol FNVWord: FixedWidthInteger, UnsignedInteger, Sendable {
  static var fnvOffset: Self { get }
  static var fnvPrime: Self { get }
}

extension UInt64: FNVWord {
  @inlinable public static var fnvOffset: UInt64 { 0xCBF2_9CE4_8422_2325 }
  @inlinable public static var fnvPrime: UInt64 { 1 << 40 | 0x1B3 }
}

extension UInt128: FNVWord {
  @inlinable public static var fnvOffset: UInt128 { 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D }
  @inlinable public static var fnvPrime: UInt128 { 1 << 88 | 0x13B }
}
