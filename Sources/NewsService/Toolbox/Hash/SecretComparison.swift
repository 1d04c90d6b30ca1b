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
