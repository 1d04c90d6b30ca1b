package import NewsCore
import Glibc

/// How the items of a feed are identified.
package enum IdentityPolicy: String {
  /// By guid, or else by link, or else by content. Suits every feed with stable guids.
  case guid
  /// By link, or else by guid, or else by content. Suits feeds whose guids change or are the same for all items.
  case link
  /// By title and text. Suits feeds whose guids and links are both unusable.
  case content

  package func identity(guid: String?, url: String?, title: String, text: String) -> Int64 {
    var hash = StableHash()
    switch self {
    case .guid: if Self.add(guid, to: &hash) || Self.add(url, to: &hash) { return hash.value }
    case .link: if Self.add(url, to: &hash) || Self.add(guid, to: &hash) { return hash.value }
    case .content: break
    }
    hash.add("c")
    hash.add(title)
    hash.add(text)
    return hash.value
  }

  /// Returns the identity of a removed item; nil if the policy needs its text, which is no longer stored.
  package func identity(guid: String?, url: String?) -> Int64? {
    guard self != .content, guid?.isEmpty == false || url?.isEmpty == false else { return nil }
    return identity(guid: guid, url: url, title: "", text: "")
  }

  /// Returns the error for an unknown name of a policy.
  package static func unknown(_ policy: String) -> StoreError {
    StoreError(
      code: .badQuery,
      message: "the identity of a feed's items is one of "
        + FeedIdentity.policies.joined(separator: ", ") + ", not '\(policy)'"
    )
  }

  /// Hashes guids and links alike, so that the identities of items stay the same if a feed starts to repeat its links
  /// as guids. Ignores the scheme and `www.`, because sites change these for all items at once.
  private static func add(_ value: String?, to hash: inout StableHash) -> Bool {
    guard var value, !value.isEmpty else { return false }
    value.withUTF8 { bytes in
      var start = 0
      for scheme in ["https://" as StaticString, "http://"] where start == 0 {
        if bytes.hasPrefix(scheme, at: 0) { start = scheme.utf8CodeUnitCount }
      }
      if start > 0, bytes.hasPrefix("www.", at: start) { start += 4 }
      hash.add(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start...]))
    }
    return true
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func hasPrefix(_ prefix: StaticString, at start: Int) -> Bool {
    let length = prefix.utf8CodeUnitCount
    guard count - start >= length, let baseAddress else { return false }
    return memcmp(baseAddress + start, prefix.utf8Start, length) == 0
  }
}
