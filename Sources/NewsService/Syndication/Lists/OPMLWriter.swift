import NewsCore
import NewsToolbox

/// Writes OPML 2.0, with newsd's settings in their own namespace.
enum OPMLWriter {
  static let namespace = "https://newsd.invalid/ns/opml/1"

  /// Writes feeds in the user's order, with folders as outlines. If the order returns to a folder, writes the folder
  /// again: readers merge both, and the order is kept.
  static func write(_ feeds: [Feed], searches: [SavedSearch] = [], title: String) -> String {
    var output = ByteBuffer(capacity: 256 + feeds.count * 256)
    output.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <opml version="2.0" xmlns:newsd="
      """
    )
    output.append(namespace)
    output.append("\">\n  <head>\n    <title>")
    escape(title, into: &output)
    output.append("</title>\n  </head>\n  <body>\n")
    var open: [Substring] = []
    for feed in feeds {
      let path = (feed.folder ?? "").split(ascii: "/")
      let common = zip(open, path).prefix { $0 == $1 }.count
      close(&open, downTo: common, into: &output)
      for name in path[common...] {
        indent(open.count, into: &output)
        output.append("<outline text=\"")
        escape(String(name), into: &output)
        output.append("\">\n")
        open.append(name)
      }
      indent(open.count, into: &output)
      write(feed, into: &output)
    }
    close(&open, downTo: 0, into: &output)
    for search in searches {
      indent(0, into: &output)
      output.append("<outline type=\"search\"")
      attribute("text", search.name, into: &output)
      attribute("newsd:query", search.query, into: &output)
      output.append("/>\n")
    }
    output.append("  </body>\n</opml>\n")
    return output.string()
  }

  private static func write(_ feed: Feed, into output: inout ByteBuffer) {
    output.append("<outline type=\"rss\"")
    attribute("text", feed.title, into: &output)
    attribute("title", feed.title, into: &output)
    attribute("xmlUrl", feed.url, into: &output)
    if let site = feed.siteURL { attribute("htmlUrl", site, into: &output) }
    for (name, value) in feed.settings.outlineAttributes { attribute("newsd:" + name, value, into: &output) }
    output.append("/>\n")
  }

  private static func close(_ open: inout [Substring], downTo count: Int, into output: inout ByteBuffer) {
    while open.count > count {
      open.removeLast()
      indent(open.count, into: &output)
      output.append("</outline>\n")
    }
  }

  private static func indent(_ depth: Int, into output: inout ByteBuffer) {
    output.append("    ")
    for _ in 0..<min(depth, 32) { output.append("  ") }
  }

  private static func attribute(_ name: String, _ value: String, into output: inout ByteBuffer) {
    output.append(UInt8(ascii: " "))
    output.append(name)
    output.append("=\"")
    escape(value, into: &output)
    output.append(UInt8(ascii: "\""))
  }

  /// Escapes text for attributes and content. Drops characters that XML 1.0 excludes, controls and direction overrides,
  /// because the file may be shown on a terminal.
  private static func escape(_ text: String, into output: inout ByteBuffer) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": output.append("&amp;")
      case "<": output.append("&lt;")
      case ">": output.append("&gt;")
      case "\"": output.append("&quot;")
      case "\t": output.append("&#9;")
      case "\n": output.append("&#10;")
      case "\r": output.append("&#13;")
      case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{FFFE}",
        "\u{FFFF}":
        continue
      default: for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { output.append(byte) }
      }
    }
  }
}
