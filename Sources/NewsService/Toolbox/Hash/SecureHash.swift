import CCrypto

/// The hash functions for signatures and credentials (FIPS 180-4), computed by libcrypto.
public enum SecureHash: String, CaseIterable, Sendable {
  case sha1, sha256, sha384, sha512

  public func digest(_ message: some Collection<UInt8>) -> [UInt8] {
    let message = Array(message)
    return withMethod { method, digest, length in
      newsd_hash(method, message, message.count, digest, &length) == 1
    }
  }

  /// Computes the HMAC of a message (RFC 2104).
  public func authenticate(_ message: some Collection<UInt8>, key: [UInt8]) -> [UInt8] {
    let message = Array(message)
    return withMethod { method, digest, length in
      newsd_hmac(method, key, CInt(key.count), message, message.count, digest, &length) != nil
    }
  }

  private func withMethod(
    _ compute: (OpaquePointer, UnsafeMutablePointer<UInt8>?, inout CUnsignedInt) -> Bool
  ) -> [UInt8] {
    Array(unsafeUninitializedCapacity: 64) { buffer, count in
      var length: CUnsignedInt = 0
      guard let method = newsd_digest_named(rawValue), compute(method, buffer.baseAddress, &length) else {
        // No configuration of libcrypto refuses SHA, and an empty digest would be equal to another one.
        fatalError("libcrypto cannot compute \(rawValue)")
      }
      count = Int(length)
    }
  }
}

/// MD5 (RFC 1321), needed for Fever's key. Do not use it to protect anything.
public enum MD5 {
  public static func digest(_ message: some Collection<UInt8>) -> [UInt8] {
    let message = Array(message)
    return Array(unsafeUninitializedCapacity: 16) { buffer, count in
      guard newsd_md5(message, message.count, buffer.baseAddress) != nil else {
        // No configuration of libcrypto 3 refuses this function, and a key must never be uninitialized memory.
        fatalError("libcrypto cannot compute MD5")
      }
      count = 16
    }
  }
}

/// Compares secrets in a time that depends on their lengths only.
public enum SecretComparison {
  /// True when both hold the same bytes.
  public static func areEqual(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    // Compare all bytes, so that the duration reveals nothing.
    return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// True when both texts consist of the same UTF-8 bytes.
  public static func areEqual(_ a: some StringProtocol, _ b: some StringProtocol) -> Bool {
    areEqual(Array(a.utf8), Array(b.utf8))
  }
}
