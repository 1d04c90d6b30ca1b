package import Glibc

/// An IPv4 or IPv6 address, without a port or zone.
package struct IPAddress: Hashable, Sendable {
  /// 4 or 16 bytes in network order.
  package let bytes: [UInt8]

  package var isIPv4: Bool { bytes.count == 4 }

  private init(bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  /// Parses dotted decimal with four parts, or the text form of RFC 4291 with optional brackets and zone
  /// (`fe80::1%eth0`).
  package init?(_ text: some StringProtocol) {
    var text = Substring(text)
    if text.first == "[", text.last == "]" { text = text.dropFirst().dropLast() }
    if let zone = text.utf8.firstIndex(of: UInt8(ascii: "%")) { text = text[..<zone] }
    var address = in6_addr()
    if text.contains(":") {
      guard inet_pton(AF_INET6, String(text), &address) == 1 else { return nil }
      self.init(bytes: withUnsafeBytes(of: address) { Array($0) })
    } else {
      var address = in_addr()
      guard inet_pton(AF_INET, String(text), &address) == 1 else { return nil }
      self.init(bytes: withUnsafeBytes(of: address) { Array($0) })
    }
  }

  package init(_ address: in_addr) {
    self.init(bytes: withUnsafeBytes(of: address) { Array($0) })
  }

  /// Reads a socket address. Returns nil for address families other than IP.
  package init?(_ address: UnsafePointer<sockaddr>, length: Int) {
    switch Int32(address.pointee.sa_family) {
    case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
      self = UnsafeRawPointer(address).withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
        IPAddress(bytes: withUnsafeBytes(of: address.pointee.sin_addr) { Array($0) })
      }
    case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
      self = UnsafeRawPointer(address).withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
        IPAddress(bytes: withUnsafeBytes(of: address.pointee.sin6_addr) { Array($0) })
      }
    default:
      return nil
    }
  }

  /// Returns the IPv4 address in the four bytes at `index`.
  package func embedded(at index: Int, inverted: Bool = false) -> IPAddress {
    let mask: UInt8 = inverted ? 0xFF : 0
    return IPAddress(bytes: bytes[index..<index + 4].map { $0 ^ mask })
  }

  /// Returns true if the first `count` bits are equal; false if the address families differ.
  package func sharesPrefix(_ count: Int, with other: IPAddress) -> Bool {
    guard bytes.count == other.bytes.count else { return false }
    let whole = count / 8
    guard bytes[..<whole] == other.bytes[..<whole] else { return false }
    let rest = count % 8
    guard rest > 0 else { return true }
    let mask = UInt8(truncatingIfNeeded: 0xFF00 >> rest)
    return bytes[whole] & mask == other.bytes[whole] & mask
  }
}

extension IPAddress: CustomStringConvertible {
  package var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = isIPv4 ? AF_INET : AF_INET6
    guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "?" }
    return text.withUnsafeBufferPointer { buffer in
      String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}

/// A block of addresses in CIDR notation, or a single address.
package struct IPNetwork: Hashable, Sendable {
  package let base: IPAddress
  package let prefixLength: Int

  /// Parses `10.1.0.0/16`, `fd00::/8` or `192.168.1.7`.
  package init?(_ text: some StringProtocol) {
    let bytes = Substring(text).utf8
    let parts = bytes.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
      .map { Substring($0) }
    guard let first = parts.first, let base = IPAddress(first) else { return nil }
    let bits = base.bytes.count * 8
    guard parts.count == 2 else {
      self.base = base
      prefixLength = bits
      return
    }
    guard let length = Int(parts[1]), (0...bits).contains(length) else { return nil }
    self.base = base
    prefixLength = length
  }

  package func contains(_ address: IPAddress) -> Bool {
    address.sharesPrefix(prefixLength, with: base)
  }
}
