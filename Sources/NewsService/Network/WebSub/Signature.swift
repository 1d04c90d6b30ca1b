import NewsToolbox

/// Verifies the `X-Hub-Signature` field, `method=digits` (W3C WebSub section 7.1).
enum HubSignature {
  /// Returns true if the field is a valid signature of the body under the secret.
  static func isValid(_ field: String?, body: [UInt8], secret: String) -> Bool {
    guard let field else { return false }
    let parts = field.split(ascii: "=", maxSplits: 1)
    guard parts.count == 2, let hash = SecureHash(rawValue: parts[0].trimmed.lowercased()),
      let claimed = Hex.decode(parts[1].trimmed)
    else { return false }
    let expected = hash.authenticate(body, key: Array(secret.utf8))
    return SecretComparison.areEqual(claimed, expected)
  }
}
