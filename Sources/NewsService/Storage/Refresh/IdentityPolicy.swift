import Glibc
import NewsCore

/// How the items of one feed are told apart.
enum IdentityPolicy: String {
  /// The guid, else the link, else the content: right for all feeds that keep their guids.
  case guid
  /// The link, else the guid: for feeds whose guids change, or which give one guid to all items.
  case link
  /// Title and text: for feeds where neither means anything.
  case content

  func identity(guid: String?, url: String?, title: String, text: String) -> Int64 {
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

  /// The identity of a removed item; nil when the policy needs its text, which is gone.
  func identity(guid: String?, url: String?) -> Int64? {
    guard self != .content, guid?.isEmpty == false || url?.isEmpty == false else { return nil }
    return identity(guid: guid, url: url, title: "", text: "")
  }

  /// A guid and a link are of one kind: a feed that begins to repeat its links as guids keeps its items. So does a feed that
  /// moves to https, or to or from `www.`: sites change both for all their items in one night.
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
