import NewsCore
@testable import NewsSyndication

/// A resolved reference cannot end an attribute or run code, and resolving it again changes nothing.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzURL(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  // Callers always pass well-formed UTF-8. The first line is the base.
  let bytes = Array(String(decoding: UnsafeBufferPointer(start: data, count: size), as: UTF8.self).utf8)
  let halves = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
  let base = halves.count > 1 ? BaseURL(String(decoding: halves[0], as: UTF8.self)) : nil
  let text = halves.last.map { String(decoding: $0, as: UTF8.self) } ?? ""
  for policy in [URLPolicy.link, .resource, .field] {
    guard let url = URLResolver.resolve(text, against: base, policy: policy) else { continue }
    for byte in url.utf8 {
      require(
        byte > 0x20 && byte != 0x7F && !"\"<>`{}^".utf8.contains(byte),
        "\(url.debugDescription) is not clean"
      )
    }
    let lower = url.lowercased()
    for scheme in ["javascript:", "vbscript:", "data:", "file:", "livescript:"] {
      require(!lower.hasPrefix(scheme), "\(url.debugDescription) is active")
    }
    let again = URLResolver.resolve(url, against: base, policy: policy)
    require(again == url, "\(url.debugDescription) becomes \(again.debugDescription)")
    let canonical = WebAddress.canonical(url)
    require(
      WebAddress.canonical(canonical) == canonical,
      "\(canonical.debugDescription) becomes \(WebAddress.canonical(canonical).debugDescription)"
    )
    if let address = WebAddress(url) {
      require(!address.origin.isEmpty && !address.host.utf8.contains(UInt8(ascii: "@")), "\(url) has a wrong host")
    }
    let redacted = WebAddress.redacted(url)
    require(WebAddress.redacted(redacted) == redacted, "\(redacted) is redacted twice")
    _ = KnownSites.feeds(forPage: url)
  }
  return 0
}
