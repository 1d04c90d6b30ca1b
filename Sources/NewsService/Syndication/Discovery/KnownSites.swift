import NewsToolbox
import NewsCore

/// Derives the feeds of common sites from the addresses of their pages.
enum KnownSites {
  /// Returns the feeds derived from the page's address, likeliest first. Fetches nothing.
  static func feeds(forPage url: String) -> [DiscoveredFeed] {
    guard let page = SiteURL(url) else { return [] }
    var feeds: [DiscoveredFeed] = []
    for rule in SitePattern.all {
      guard let values = rule.match(page) else { continue }
      feeds.append(DiscoveredFeed(url: rule.address(values), title: rule.title))
    }
    return DiscoveredFeed.distinct(feeds)
  }
}

/// A page's address split into the components that a `SitePattern` matches.
struct SiteURL {
  /// The host in lower case, without `www.` and `m.`.
  let host: Substring
  let scheme: String
  /// Scheme, host and any non-default port.
  let origin: String
  let segments: [Substring]
  let query: [(name: Substring, value: Substring)]

  init?(_ url: String) {
    guard let clean = URLResolver.resolve(url, against: nil, policy: .resource),
      let address = WebAddress(clean), address.isWeb
    else { return nil }
    origin = address.root
    scheme = address.scheme
    var name = Substring(address.host)
    for prefix in ["www.", "m."] where name.hasPrefix(prefix) && name.dropFirst(prefix.count).contains(".") {
      name = name.dropFirst(prefix.count)
    }
    self.host = name
    segments = address.path.split(ascii: "/")
    query = (address.query ?? "").split(ascii: "&").map { pair in
      let halves = pair.split(ascii: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (halves[0], halves.count > 1 ? halves[1] : "")
    }
  }
}

/// A rule that maps a page's address to its feed.
///
/// The host is exact, begins with `*.` (any subdomain, captured as `{sub}`), or is `*` (any host, whose origin is
/// captured as `{origin}`). In the path, `{name}` captures a whole segment or the end of a segment; `/**` captures
/// the rest of the path as `{rest}`. A name after `?` is a required query parameter, whose value is captured too.
struct SitePattern {
  let host: String
  let path: [Substring]
  let takesRest: Bool
  let parameter: String?
  let template: String
  let title: String?

  init?(_ line: Substring) {
    let columns = line.split(ascii: " ", maxSplits: 3)
    guard columns.count >= 3 else { return nil }
    host = String(columns[0])
    let halves = columns[1].split(ascii: "?", maxSplits: 1)
    var path = (halves.first ?? "").split(ascii: "/")
    takesRest = path.last == "**"
    if takesRest { path.removeLast() }
    self.path = path
    parameter = halves.count > 1 ? String(halves[1]) : nil
    template = String(columns[2])
    title = columns.count > 3 ? String(columns[3]) : nil
  }

  /// Matches a page and returns the captured values; nil if the page does not match.
  func match(_ page: SiteURL) -> [String: String]? {
    var values = ["origin": page.origin]
    if host.hasPrefix("*.") {
      let suffix = host.dropFirst(1)
      guard page.host.hasSuffix(suffix) else { return nil }
      let sub = page.host.dropLast(suffix.count)
      guard !sub.isEmpty else { return nil }
      values["sub"] = String(sub)
    } else if host != "*", page.host != host {
      return nil
    } else if host == "*", SiteTable.genericPatternExclusions.contains(String(page.host)) {
      return nil
    }
    guard takesRest ? page.segments.count >= path.count : page.segments.count == path.count else {
      return nil
    }
    for (pattern, segment) in zip(path, page.segments) {
      guard Self.match(pattern, segment, &values) else { return nil }
    }
    if takesRest {
      values["rest"] = page.segments.dropFirst(path.count).map { "/" + $0 }.joined()
    }
    if let parameter {
      guard let pair = page.query.first(where: { $0.name == parameter }), !pair.value.isEmpty else {
        return nil
      }
      values[parameter] = String(pair.value)
    }
    return values
  }

  private static func match(_ pattern: Substring, _ segment: Substring, _ values: inout [String: String])
    -> Bool
  {
    guard let open = pattern.firstIndex(of: "{"), pattern.last == "}" else { return pattern == segment }
    let prefix = pattern[..<open]
    guard segment.hasPrefix(prefix) else { return false }
    let value = segment.dropFirst(prefix.count)
    guard !value.isEmpty else { return false }
    let name = pattern[pattern.index(after: open)...].dropLast()
    values[String(name)] = String(value)
    return true
  }

  func address(_ values: [String: String]) -> String {
    var address = ""
    var rest = Substring(template)
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      address += rest[..<open]
      address += values[String(rest[rest.index(after: open)..<close])] ?? ""
      rest = rest[rest.index(after: close)...]
    }
    return address + rest
  }

  static let all = SiteTable.lines.split(ascii: "\n").compactMap { SitePattern($0) }
}
