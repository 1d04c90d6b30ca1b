/// The purpose of an IP address, for the address guard (RFC 6890 and the IANA special-purpose registries).
package enum AddressClass: String, Hashable, Sendable {
  case `public` = "public"
  case unspecified
  case loopback
  case `private` = "private"
  case linkLocal = "link-local"
  case carrierNAT = "carrier-grade NAT"
  case uniqueLocal = "unique local"
  case multicast
  /// Cloud metadata services, which provide a machine's configuration and credentials.
  case metadata
  case documentation
  case reserved
}

extension IPAddress {
  /// The class of this address. An IPv6 address that embeds an IPv4 address has the class of the IPv4 address, because
  /// packets are delivered there.
  package var addressClass: AddressClass {
    isIPv4 ? classOfIPv4 : classOfIPv6
  }

  private var classOfIPv4: AddressClass {
    switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
    case (169, 254, 169, 254), (169, 254, 170, 2), (169, 254, 170, 23), (169, 254, 0, 23),
      (100, 100, 100, 200), (192, 0, 0, 192), (168, 63, 129, 16):
      // AWS, Azure, GCP and most others; ECS tasks; EKS pods; Tencent; Alibaba; Oracle; Azure's wire server.
      .metadata
    case (0, _, _, _): .unspecified
    case (127, _, _, _): .loopback
    case (10, _, _, _), (172, 16...31, _, _), (192, 168, _, _): .private
    case (169, 254, _, _): .linkLocal
    case (100, 64...127, _, _): .carrierNAT
    case (224...239, _, _, _): .multicast
    case (192, 0, 2, _), (198, 51, 100, _), (203, 0, 113, _): .documentation
    case (192, 0, 0, _), (192, 88, 99, _), (198, 18...19, _, _), (240..., _, _, _): .reserved
    default: .public
    }
  }

  private var classOfIPv6: AddressClass {
    let high = UInt32(bytes[0]) << 24 | UInt32(bytes[1]) << 16 | UInt32(bytes[2]) << 8 | UInt32(bytes[3])
    if bytes[..<10].allSatisfy({ $0 == 0 }) {
      // ::ffff:0:0/96, mapped.
      if bytes[10] == 0xFF, bytes[11] == 0xFF { return embedded(at: 12).addressClass }
      guard bytes[10] == 0, bytes[11] == 0 else { return .reserved }
      if bytes[12..<15].allSatisfy({ $0 == 0 }), bytes[15] <= 1 {
        return bytes[15] == 0 ? .unspecified : .loopback
      }
      return embedded(at: 12).addressClass  // ::/96, IPv4-compatible, deprecated
    }
    if high == 0x0064_FF9B {
      // NAT64: the well-known prefix embeds an IPv4 address; the prefix 64:ff9b:1::/48 is for local use (RFC 8215).
      return bytes[4..<12].allSatisfy { $0 == 0 } ? embedded(at: 12).addressClass : .private
    }
    if high >> 16 == 0x2002 { return embedded(at: 2).addressClass }  // 6to4
    if high == 0x2001_0000 {
      // Teredo embeds the server's address as is and the client's address inverted. Either may be the destination.
      let server = embedded(at: 4).addressClass
      return server == .public ? embedded(at: 12, inverted: true).addressClass : server
    }
    if high >> 24 == 0xFF { return .multicast }
    if Self.metadataOfIPv6.contains(self) { return .metadata }
    if high >> 25 == 0xFC >> 1 { return .uniqueLocal }
    if high >> 22 == 0xFE80_0000 >> 22 { return .linkLocal }
    if high >> 22 == 0xFEC0_0000 >> 22 { return .private }  // site-local, deprecated
    if high == 0x2001_0DB8 || high >> 12 == 0x3FFF_0 { return .documentation }
    // Only 2000::/3 is global unicast, except for 2001::/23, which is reserved for protocols.
    guard high >> 29 == 1, high >> 9 != 0x2001_0000 >> 9 else { return .reserved }
    return .public
  }

  /// The metadata services of AWS instances, EKS pods, Google and Oracle.
  private static let metadataOfIPv6 = Set(
    ["fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "fd00:c1::a9fe:a9fe"].compactMap { IPAddress($0) }
  )
}
