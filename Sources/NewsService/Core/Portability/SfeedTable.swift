import NewsToolbox

/// sfeed's file format: one file per feed, one item per line, tab-separated fields (time, title, link, content, content
/// type, id, author, enclosure, categories).
public enum SfeedTable {
  /// Reads the items in file order. Skips lines that have none of title, link, content and id. HTML is not
  /// sanitized.
  public static func items(_ bytes: [UInt8]) -> [ImportedItem] {
    ByteLines(bytes[...]).compactMap(item)
  }

  /// Reads the item of one line; returns nil if the line has no title, link, content or id.
  public static func item(_ line: ArraySlice<UInt8>) -> ImportedItem? {
    let fields = line.split(separator: UInt8(ascii: "\t"), maxSplits: 9, omittingEmptySubsequences: false)
    func field(_ number: Int) -> String? {
      guard number < fields.count, !fields[number].isEmpty else { return nil }
      return String(streamSafe: fields[number])
    }
    guard (1...5).contains(where: { $0 != 4 && field($0) != nil }) else { return nil }
    var item = ParsedItem()
    item.published = field(0).flatMap { Int64($0) }.map(Timestamp.init(seconds:))
    item.title = field(1)
    item.url = field(2)
    if let content = fields.count > 3 ? unescaped(fields[3]) : nil {
      if field(4) == "html" { item.contentHTML = content } else { item.contentText = content }
    }
    item.id = field(5)
    if let author = field(6) { item.authors = [Author(name: author)] }
    if let enclosure = field(7) { item.enclosures = [Enclosure(url: enclosure)] }
    item.tags = (field(8) ?? "").split(ascii: "|", atMost: ParsedItem.longestList)
      .map { Category(term: String($0)) }
    return ImportedItem(item: item)
  }

  /// Replaces the escapes `\n`, `\t` and `\\`; returns nil for an empty field.
  private static func unescaped(_ field: ArraySlice<UInt8>) -> String? {
    guard !field.isEmpty else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(field.count)
    var isEscaped = false
    for byte in field {
      if isEscaped {
        isEscaped = false
        switch byte {
        case UInt8(ascii: "n"): result.append(UInt8(ascii: "\n"))
        case UInt8(ascii: "t"): result.append(UInt8(ascii: "\t"))
        case UInt8(ascii: "\\"): result.append(byte)
        default: result += [UInt8(ascii: "\\"), byte]
        }
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        result.append(byte)
      }
    }
    return String(streamSafe: result)
  }
}
