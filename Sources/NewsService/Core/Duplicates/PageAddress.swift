import NewsToolbox

/// The parts of an http(s) URL with normalised percent-encoding (RFC 3986 section 6.2.2).
struct PageAddress {
  var host: String
  /// Empty, or starts with a slash.
  var path: String
  var query: [(name: String, value: String?)]
  /// Kept only if it starts with `#!`, because such a fragment selects a page.
  var fragment: String?

  init?(_ url: String) {
    var rest = Substring(url)
    while let first = rest.unicodeScalars.first, first.properties.isWhitespace {
      rest.unicodeScalars.removeFirst()
    }
    guard rest.utf8.count <= 4096, let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = rest[..<colon].lowercased()
    guard scheme == "http" || scheme == "https" else { return nil }
    rest = rest[rest.utf8.index(after: colon)...]
    guard rest.hasPrefix(bytesOf: "//") else { return nil }
    rest = rest.dropFirst(2)
    while let last = rest.unicodeScalars.last, last.properties.isWhitespace {
      rest.unicodeScalars.removeLast()
    }

    // Works on bytes, because a combining mark after `/`, `?` or `#` would hide the delimiter from Character
    // comparison.
    let end = rest.utf8.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? rest.endIndex
    var host = Substring(rest[..<end].lowercased())
    rest = rest[end...]
    if let at = host.utf8.lastIndex(of: 0x40) { host = host[host.utf8.index(after: at)...] }
    for port in [":80", ":443", ":"] where host.hasSuffix(port) { host = host.dropLast(port.count) }
    while host.hasSuffix(bytesOf: ".") { host = host.dropLast() }
    guard !host.isEmpty, !host.utf8.contains(0x25) else { return nil }
    self.host = String(host)

    if let hash = rest.utf8.firstIndex(of: 0x23) {
      let fragment = rest[rest.utf8.index(after: hash)...]
      if fragment.hasPrefix(bytesOf: "!") { self.fragment = String(fragment) }
      rest = rest[..<hash]
    }
    let question = rest.utf8.firstIndex(of: 0x3F) ?? rest.endIndex
    path = PercentCoding.normalize(rest[..<question].utf8)
    query = []
    guard question < rest.endIndex else { return }
    let pairs = rest[rest.utf8.index(after: question)...].utf8.split { $0 == 0x26 || $0 == 0x3B }
    for pair in pairs.map(Substring.init) {
      let equals = pair.utf8.firstIndex(of: 0x3D)
      let name = pair[..<(equals ?? pair.endIndex)]
      let value = equals.map { pair[pair.utf8.index(after: $0)...] }
      // Some feeds escape `&amp;` twice.
      let bare = name.hasPrefix(bytesOf: "amp;") ? name.dropFirst(4) : name
      query.append((PercentCoding.normalize(bare.utf8), value.map { PercentCoding.normalize($0.utf8) }))
    }
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

  /// The decoded value of a parameter.
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
    var segments = path.utf8.split(separator: 0x2F).map(Substring.init)
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
