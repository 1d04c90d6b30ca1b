import NewsToolbox

extension NewsItem {
  /// Maximum number of Unicode scalars of a stand-in for a title.
  private static let standInLength = 300

  /// The title; of an item without one, the beginning of its summary or text, else its URL or guid. It is one line and
  /// never empty, because some clients fail at items without a title.
  ///
  /// The item must have been read with `ItemParts.headlineText` or with its text.
  public var shownTitle: String {
    if Self.isVisible(title) { return title }
    return [summary ?? "", contentText, url ?? "", guid].lazy.map { Self.line($0) }.first(
      where: Self.isVisible
    )
      ?? "(untitled)"
  }

  /// True if the title is missing, and `shownTitle` is the beginning of the text that readers see anyway.
  public var isTitledByText: Bool {
    guard !Self.isVisible(title) else { return false }
    let text = Self.line(contentText.isEmpty ? summary ?? "" : contentText)
    return Self.isVisible(text) && text == shownTitle
  }

  private static func isVisible(_ text: String) -> Bool {
    text.unicodeScalars.contains {
      !$0.properties.isWhitespace && ![.control, .format].contains($0.properties.generalCategory)
    }
  }

  /// The beginning of a text with each run of white space as one space.
  private static func line(_ text: String) -> String {
    var line = String.UnicodeScalarView()
    var isPending = false
    var count = 0
    for scalar in text.unicodeScalars {
      guard !scalar.properties.isWhitespace else {
        isPending = !line.isEmpty
        continue
      }
      if isPending { line.append(" ") }
      isPending = false
      line.append(scalar)
      count += 1
      if count == standInLength { break }
    }
    return String(line)
  }

  /// The pictures to show above the text: those of the feed that the text does not contain, each in its largest size.
  ///
  /// The item must have been read with `ItemParts.details` and its HTML.
  public var picturesBesideText: [ItemPicture] {
    var found: [ItemPicture] = []
    var names: [Substring] = []
    func add(_ picture: ItemPicture) {
      guard picture.url.utf8.count <= ItemPicture.longestURL else { return }
      let name = picture.name
      let same = zip(found, names).enumerated().first { _, other in
        other.0.url == picture.url || picture.isVariant(of: other.0, isSameName: other.1 == name)
      }
      guard let index = same?.offset else {
        guard found.count < ItemPicture.mostBesideText else { return }
        found.append(picture)
        return names.append(name)
      }
      let alt = found[index].alt ?? picture.alt
      if picture.url == found[index].url || picture.width ?? 0 > found[index].width ?? 0 {
        found[index] = picture
      }
      found[index].alt = alt
    }
    if let image { add(ItemPicture(url: image)) }
    for picture in media?.pictures ?? [] { add(picture) }
    for enclosure in enclosures where enclosure.isPicture {
      add(ItemPicture(url: enclosure.url, alt: enclosure.title))
    }
    guard let contentHTML, contentHTML.contains(bytesOf: "<img") else { return found }
    let start = String(decoding: contentHTML.utf8.prefix(ItemPicture.searchedBytes), as: UTF8.self)
    return found.filter { !$0.isShown(in: start) }
  }

  /// Those of `picturesBesideText` that tell more than the text: the only one is a stand-in for the item, such as a
  /// thumbnail, which a text with a picture of its own does not need.
  public var picturesAboveText: [ItemPicture] {
    let beside = picturesBesideText
    guard beside.count == 1, let contentHTML, PictureInText.url(in: contentHTML) != nil else { return beside }
    return []
  }
}

extension ItemPicture {
  /// The last part of the address's path, without the size that some programs append to the name: `dune` of
  /// `/2026/dune-300x200.jpg?w=140`. Addresses of one picture in several sizes mostly have the same name.
  fileprivate var name: Substring {
    let file = url.prefix(upToAny: "?#").split(ascii: "/").last ?? ""
    let name = file.prefix(upToAny: ".")
    guard let (before, after) = name.cut(atLast: "-") else { return name }
    let sides = after.split(ascii: "x", omittingEmptySubsequences: false)
    let isSize = sides.count == 2 && sides.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(ASCII.isDigit) }
    return isSize ? before : name
  }

  /// True for two sizes of one picture. Only addresses that differ in nothing but the size have the same name and
  /// different widths.
  fileprivate func isVariant(of other: ItemPicture, isSameName: Bool) -> Bool {
    isSameName && name.utf8.count >= Self.distinctLength && (width != other.width || width == nil)
  }

  // Each picture is compared with the others and looked for in the text, whenever the item is shown: these limits bound the
  // time.

  /// Maximum number of pictures that are shown beside a text.
  fileprivate static let mostBesideText = 50
  /// Maximum bytes of their addresses.
  fileprivate static let longestURL = 4096
  /// Maximum bytes of HTML in which they are looked for.
  fileprivate static let searchedBytes = 256 << 10

  /// Minimum bytes of a name that is unlikely to name two pictures.
  private static var distinctLength: Int { 4 }

  /// True if the HTML shows this picture, perhaps in another size.
  fileprivate func isShown(in html: String) -> Bool {
    if html.contains(bytesOf: url) || html.contains(bytesOf: url.replacing(ascii: "&", with: "&amp;")) {
      return true
    }
    return name.utf8.count >= 2 * Self.distinctLength && html.contains(bytesOf: name)
  }
}
