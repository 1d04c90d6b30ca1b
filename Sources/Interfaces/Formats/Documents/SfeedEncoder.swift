import NewsCore
import NewsText
import NewsToolbox

/// Encodes items in version 1 of the sfeed(5) format: nine tab-separated fields, for the sfeed tools.
struct SfeedEncoder: RecordEncoding {
  mutating func append(_ item: NewsItem, to buffer: inout ByteBuffer) {
    let tab = UInt8(ascii: "\t")
    if let time = item.published ?? item.updated { buffer.append(decimal: time.seconds) }
    buffer.append(tab)
    appendLine(item.title, to: &buffer)
    buffer.append(tab)
    appendLine(item.url ?? "", to: &buffer)
    buffer.append(tab)
    let content = item.contentHTML ?? item.contentText
    // Tabs and line feeds of the content are escaped, other control characters are dropped.
    buffer.append(sfeed: content)
    buffer.append(tab)
    if !content.isEmpty { buffer.append(literal: item.contentHTML == nil ? "plain" : "html") }
    buffer.append(tab)
    appendLine(item.guid, to: &buffer)
    buffer.append(tab)
    appendLine(item.authors.first?.displayName ?? "", to: &buffer)
    buffer.append(tab)
    appendLine(item.enclosures.first?.url ?? "", to: &buffer)
    buffer.append(tab)
    // A bar separates categories, so replace it within one.
    let tags = item.tags.map { $0.replacing(ascii: "|", with: "/") }
    appendLine(tags.joined(separator: "|"), to: &buffer)
    buffer.newLine()
  }

  private func appendLine(_ text: String, to buffer: inout ByteBuffer) {
    text.withBytes { bytes in
      buffer.appendReplacing(bytes) { byte in
        switch byte {
        case UInt8(ascii: "\t")...UInt8(ascii: "\r"): " "
        case 0x00...0x1F, 0x7F: ""
        default: nil
        }
      }
    }
  }
}

extension ByteBuffer {
  fileprivate mutating func append(sfeed text: String) {
    text.withBytes { bytes in
      appendReplacing(bytes) { byte in
        switch byte {
        case UInt8(ascii: "\t"): "\\t"
        case UInt8(ascii: "\n"): "\\n"
        case UInt8(ascii: "\\"): "\\\\"
        case 0x00...0x1F, 0x7F: ""
        default: nil
        }
      }
    }
  }
}
