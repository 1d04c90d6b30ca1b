public import NewsCore
import NewsToolbox

/// Finds the icons of an HTML page, in linear time.
///
/// The best icon is the largest of those with a size of at most 128 pixels, because clients show icons at 16 to 64. Icons
/// without a size come next, then larger ones, the smallest first, then those for the home screens of phones.
public struct IconDiscovery: IconFinding {
  /// Maximum bytes of a page that are searched, because icons are in its head.
  private static let maximumBytes = 1 << 20

  public init() {}

  public func icons(inPage document: FeedDocument) -> [String] {
    let text = PageText(document, limit: Self.maximumBytes)
    var sink = IconSink(base: document.baseURL, element: text.base)
    text.read(into: &sink)
    return sink.finish()
  }
}

/// Collects the icons of a page from its tokens.
private struct IconSink: HTMLSink, ~Copyable {
  private static let bestSide = 128
  private static let maximumIcons = 64

  private let base: BaseURL?
  private var icons: [(url: String, rank: Int)] = []

  init(base: String?, element: String?) {
    let document = base.flatMap { BaseURL($0) }
    let own = element.flatMap { URLResolver.resolve($0, against: document, policy: .resource) }
    self.base = own.flatMap { BaseURL($0) } ?? document
  }

  /// Returns the icons, best first.
  consuming func finish() -> [String] {
    // `sorted` is not guaranteed to be stable: document order breaks ties.
    icons.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
      .map(\.element.url)
  }

  mutating func text(_ start: UnsafePointer<UInt8>, _ length: Int) {}
  mutating func character(_ reference: HTMLEntities.Reference) {}
  mutating func endTag(_ element: HTMLElement) {}

  mutating func startTag(_ tag: borrowing HTMLTag) {
    guard tag.element == .link, icons.count < Self.maximumIcons, let rel = tag.text(.rel),
      let href = tag.text(.href),
      let url = URLResolver.resolve(href, against: base, policy: .resource), WebAddress.isWeb(url)
    else { return }
    let tokens = rel.lowercased().split {
      $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" || $0 == "\u{C}"
    }
    let isForHomeScreen = tokens.contains { $0.hasPrefix(bytesOf: "apple-touch-icon") }
    guard tokens.contains("icon") || isForHomeScreen else { return }
    let type = tag.text(.type)?.lowercased() ?? ""
    let path = url.prefix(upToAny: "?#").lowercased()
    guard !type.hasPrefix(bytesOf: "image/svg"), !path.hasSuffix(bytesOf: ".svg") else { return }
    let side = Self.side(tag.text(.sizes) ?? "")
    icons.append((url, (isForHomeScreen ? 1 << 24 : 0) + Self.rank(side)))
  }

  /// The place of a size in the order of icons; smaller is better.
  private static func rank(_ side: Int?) -> Int {
    guard let side else { return bestSide }
    return side <= bestSide ? bestSide - side : bestSide + side
  }

  /// The largest width up to the best one in an attribute such as `16x16 32x32`, else the smallest; nil without a
  /// number.
  private static func side(_ sizes: String) -> Int? {
    let sides = sizes.lowercased().split(ascii: " ").compactMap { size in
      size.cut(atFirst: "x").flatMap { Int($0.before) }.flatMap { (1...4096).contains($0) ? $0 : nil }
    }
    return sides.filter { $0 <= bestSide }.max() ?? sides.min()
  }
}
