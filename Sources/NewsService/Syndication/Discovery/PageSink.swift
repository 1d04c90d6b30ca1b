import NewsCore
import NewsToolbox

/// Collects links to feeds from a page's tokens.
struct PageSink: HTMLSink, ~Copyable {
  private struct Candidate {
    var feed: DiscoveredFeed
    var rank: Int
  }

  private var base: BaseURL?
  private var links: [Candidate] = []
  private var hints: [Candidate] = []
  private var canonical: String?

  // The `a` element being read.
  private var anchor: (href: String, type: String?, title: String?)?
  /// Depth of open `template` elements, whose content is not part of the document (HTML standard, section 4.12.3).
  private var templates = 0
  private var anchorText = HTMLTextWriter(keepsLines: false)

  private static let maximumCandidates = 200

  /// Creates a sink; `element` is the address in the page's `base` element.
  init(base: String?, element: String?) {
    let document = base.flatMap { BaseURL($0) }
    let own = element.flatMap { URLResolver.resolve($0, against: document, policy: .resource) }
    self.base = own.flatMap { BaseURL($0) } ?? document
  }

  /// Returns the linked feeds, best first. If there are none, returns the feeds that anchors suggest.
  consuming func finish() -> (feeds: [DiscoveredFeed], canonical: String?) {
    endAnchor()
    func ranked(_ candidates: [Candidate]) -> [DiscoveredFeed] {
      // `sorted` is not guaranteed to be stable: document order breaks ties.
      let sorted = candidates.enumerated().sorted {
        ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
      }
      return DiscoveredFeed.distinct(sorted.map(\.element.feed))
    }
    return (ranked(links.isEmpty ? hints : links), canonical)
  }

  mutating func text(_ start: UnsafePointer<UInt8>, _ length: Int) {
    guard anchor != nil, anchorText.buffer.count < 200 else { return }
    anchorText.append(start, min(length, 200))
  }

  mutating func character(_ reference: HTMLEntities.Reference) {
    guard anchor != nil, anchorText.buffer.count < 200 else { return }
    anchorText.append(reference)
  }

  mutating func startTag(_ tag: borrowing HTMLTag) {
    if tag.element == .template { templates += 1 }
    guard templates == 0 else { return }
    switch tag.element {
    case .link:
      link(tag)
    case .a, .area:
      endAnchor()
      guard hints.count < Self.maximumCandidates, let href = tag.text(.href) else { return }
      anchor = (href, tag.text(.type), tag.text(.title))
      anchorText.removeAll()
    case .img:
      // Read an image's alternative text as text of the link, which may contain only a feed icon.
      if anchor != nil, var alternative = tag.text(.alt) {
        alternative.withUTF8 { bytes in
          if let start = bytes.baseAddress { text(start, bytes.count) }
        }
      }
    default:
      return
    }
  }

  mutating func endTag(_ element: HTMLElement) {
    if element == .template, templates > 0 { templates -= 1 }
    if element == .a { endAnchor() }
  }

  private mutating func link(_ tag: borrowing HTMLTag) {
    // A `link` with an empty `href` is not a link (HTML standard, section 4.2.4). Without `rel`, the media type of a
    // feed is enough.
    let rel = tag.text(.rel) ?? "alternate"
    guard links.count < Self.maximumCandidates, let href = tag.text(.href),
      href.utf8.contains(where: { $0 > UInt8(ascii: " ") })
    else { return }
    let tokens = rel.lowercased().split {
      $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" || $0 == "\u{C}"
    }
    if canonical == nil, tokens.contains("canonical") {
      canonical = URLResolver.resolve(href, against: base, policy: .resource)
    }
    let type = tag.text(.type).map(FeedType.essence)
    let kind = type.map { FeedType($0) } ?? .unknown
    let isFeed = tokens.contains("feed")
    guard isFeed || !tokens.contains("stylesheet") else { return }
    if tag.text(.rel) == nil, kind != .feed { return }
    guard isFeed && kind != .other || tokens.contains("alternate") && (kind == .feed || kind == .generic)
    else {
      return
    }
    guard let url = address(href) else { return }
    if kind == .generic, !isFeed, FeedType.isAPIEndpoint(url) { return }
    let title = tag.text(.title).flatMap(Self.line)
    let rank = FeedType.isAboutComments(url: url, title: title) ? 2 : kind == .generic ? 1 : 0
    links.append(Candidate(feed: DiscoveredFeed(url: url, title: title, mimeType: type), rank: rank))
  }

  private mutating func endAnchor() {
    guard let link = anchor else { return }
    anchor = nil
    let text = anchorText.finish()
    let type = link.type.map(FeedType.essence)
    let isTyped = type.map { FeedType($0) == .feed } ?? false
    guard
      isTyped || FeedType.looksLikeFeed(href: link.href) || FeedType.mentionsFeed(text)
        || link.title.map(FeedType.mentionsFeed) == true,
      let url = address(link.href), !FeedType.isSubscriptionService(url)
    else { return }
    let title = link.title.flatMap(Self.line) ?? (text.isEmpty ? nil : text)
    var rank = isTyped ? 0 : FeedType.looksLikeFeed(href: link.href) ? 1 : 2
    if FeedType.isAboutComments(url: url, title: title) { rank += 3 }
    // Feeds of other sites come last.
    if !isOwn(url) { rank += 6 }
    hints.append(
      Candidate(feed: DiscoveredFeed(url: url, title: title, mimeType: isTyped ? type : nil), rank: rank)
    )
  }

  /// Returns the absolute address of a feed; nil for a URL that cannot be fetched.
  private func address(_ href: String) -> String? {
    let target = WebAddress.withoutFeedScheme(href)
    guard let url = URLResolver.resolve(target, against: base, policy: .resource) else { return nil }
    return WebAddress(url)?.isWeb == true ? url : nil
  }

  /// True for an address on the page's own site or on a common feed host.
  private func isOwn(_ url: String) -> Bool {
    guard let own = base.flatMap({ WebAddress($0.string) })?.host, let host = WebAddress(url)?.host else {
      return true
    }
    func site(_ host: String) -> Substring {
      let labels = host.split(ascii: ".")
      return labels.count > 2 ? host.suffix(labels.suffix(2).joined(separator: ".").count) : host[...]
    }
    return site(own) == site(host) || site(host) == "feedburner.com"
  }

  private static func line(_ text: String) -> String? {
    let words = text.split { $0.isWhitespace }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}
