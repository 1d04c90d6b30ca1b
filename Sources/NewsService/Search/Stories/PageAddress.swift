import NewsCore
import NewsToolbox

/// The parts of an http(s) URL with normalized percent-encoding (RFC 3986 section 6.2.2).
struct PageAddress {
  var host: String
  /// Empty, or starts with a slash.
  var path: String
  var query: [(name: String, value: String?)]
  /// Kept only if it starts with `#!`, because such a fragment selects a page.
  var fragment: String?

  /// Works on bytes, because a combining mark after `/`, `?` or `#` would hide the delimiter from Character comparison.
  init?(_ url: String) {
    let url = Self.trimmed(url)
    let parts = URLParts(url)
    guard url.utf8.count <= 4096, let length = parts.schemeLength, let authority = parts.authority,
      ["http", "https"].contains(url.slice(0..<length).lowercased())
    else { return nil }
    let server = url.slice((parts.host ?? authority).lowerBound..<authority.upperBound)
    var host = Substring(server.lowercased())
    for port in [":80", ":443", ":"] where host.hasSuffix(bytesOf: port) { host = host.dropLast(port.count) }
    while host.hasSuffix(bytesOf: ".") { host = host.dropLast() }
    guard !host.isEmpty, !host.contains(ascii: "%") else { return nil }
    self.host = String(host)
    if let fragment = parts.fragment.map(url.slice), fragment.hasPrefix(bytesOf: "!") {
      self.fragment = String(fragment)
    }
    path = PercentCoding.normalize(url.slice(parts.path).utf8)
    let pairs = parts.query.map(url.slice)?.utf8.split { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: ";") }
    query = (pairs ?? []).map { bytes in
      let pair = Substring(bytes)
      let halves = pair.cut(atFirst: "=")
      let name = halves?.before ?? pair
      // Some feeds escape `&amp;` twice.
      let bare = name.hasPrefix(bytesOf: "amp;") ? name.dropFirst(4) : name
      return (PercentCoding.normalize(bare.utf8), (halves?.after).map { PercentCoding.normalize($0.utf8) })
    }
  }

  /// Removes white space at both ends.
  private static func trimmed(_ url: String) -> String {
    var rest = url.unicodeScalars[...]
    while let first = rest.first, first.properties.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.properties.isWhitespace { rest.removeLast() }
    return String(rest)
  }

  var text: String {
    var text = host + path
    for (index, pair) in query.enumerated() {
      text += (index == 0 ? "?" : "&") + pair.name
      if let value = pair.value { text += "=" + value }
    }
    if let fragment { text += "#" + fragment }
    return text
  }

  /// Returns the decoded value of a parameter.
  func value(_ name: String) -> String? {
    query.first { $0.name.lowercased() == name }?.value.map { PercentCoding.decodeLeniently($0.utf8) }
  }
}

// MARK: Variants of the same page

extension PageAddress {
  mutating func reduceHost() {
    for prefix in ["www.", "www2.", "m.", "mobile.", "amp.", "touch."] where host.hasPrefix(prefix) {
      let rest = host.dropFirst(prefix.count)
      guard rest.contains(ascii: ".") else { continue }
      host = String(rest)
      break
    }
    if host.hasSuffix(bytesOf: ".m.wikipedia.org") { host = host.dropLast(16) + ".wikipedia.org" }
    switch host {
    case "old.reddit.com", "new.reddit.com": host = "reddit.com"
    case "x.com": host = "twitter.com"
    case "youtu.be" where path.utf8.count > 1:
      host = "youtube.com"
      query.insert(("v", String(path.dropFirst())), at: 0)
      path = "/watch"
    default: break
    }
  }

  mutating func reducePath() {
    var segments = path.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init)
    var kept: [Substring] = []
    for segment in segments where segment != "." {
      if segment == ".." { _ = kept.popLast() } else { kept.append(segment) }
    }
    segments = kept
    if let last = segments.last?.lowercased(), Self.indexPages.contains(last) { segments.removeLast() }
    // Removes AMP markers: /amp/story, /story/amp, story.amp.html, story.amp.
    if segments.count > 1 {
      if segments.first == "amp" { segments.removeFirst() }
      if segments.count > 1, segments.last == "amp" || segments.last == "amp.html" { segments.removeLast() }
    }
    if let last = segments.last {
      for (suffix, replacement) in [(".amp.html", ".html"), (".amp", "")] where last.hasSuffix(suffix) {
        segments[segments.count - 1] = last.dropLast(suffix.count) + replacement
        break
      }
    }
    path = segments.isEmpty ? "" : "/" + segments.joined(separator: "/")
  }

  private static let indexPages: Set<String> = [
    "index.html", "index.htm", "index.php", "index.xhtml", "index.shtml",
  ]

  mutating func reduceQuery() {
    query.removeAll { Tracking.isNoise($0.name.lowercased(), $0.value?.lowercased() ?? "") }
    // The order of parameters with different names rarely matters; that of parameters with the same name does.
    let order = query.indices.sorted { (query[$0].name, $0) < (query[$1].name, $1) }
    query = order.map { query[$0] }
  }
}

/// Query parameters that track readers and do not affect the page.
private enum Tracking {
  static func isNoise(_ name: String, _ value: String) -> Bool {
    if names.contains(name) { return true }
    if prefixes.contains(where: { name.hasPrefix($0) }) { return true }
    if fromFeed.contains(name) { return feedValues.contains(value) }
    if name == "outputtype" || name == "output" { return value == "amp" }
    return false
  }

  private static let prefixes = [
    "utm_", "mtm_", "pk_", "piwik_", "matomo_", "ns_", "at_", "wt.", "wt_", "_hs", "hsa_", "vero_", "oly_",
    "ga_", "sc_c", "stm_", "fb_", "itm_", "trk_",
  ]
  private static let names: Set<String> = [
    "fbclid", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "msclkid", "yclid", "twclid", "ttclid",
    "li_fat_id", "igshid", "igsh", "mc_cid", "mc_eid", "mkt_tok", "_ga", "_gl", "_openstat", "ref",
    "ref_src", "ref_url", "referrer", "referer", "cmp", "cmpid", "cmp_id", "campaign_id", "xtor", "ito",
    "smid", "smtyp", "emc", "spm", "trk", "ncid", "sr_share", "hsctatracking", "s_cid", "s_kwcid",
    "guccounter", "guce_referrer", "guce_referrer_sig", "amp", "maca", "sref", "soc_src", "soc_trk",
    "feature", "si", "taid", "tpcc", "ocid", "icid", "mbid", "wpisrc", "wkey", "zanpid", "xing_share",
    "share", "shared", "rss", "fromrss", "isfeed", "nr_email_referer", "__twitter_impression",
    "traffic_source", "via",
  ]
  /// Parameters that track readers only if the value is one of `feedValues`.
  private static let fromFeed: Set<String> = [
    "from", "source", "src", "partner", "f", "medium", "type", "feed", "cid", "s",
  ]
  private static let feedValues: Set<String> = [
    "rss", "feed", "atom", "rss2", "rss-feed", "rssfeed", "rss_feed", "feedburner", "newsletter", "twitter",
    "facebook",
  ]
}
