import Modules
import NewsCore
import NewsText
import NewsToolbox

/// Converts an item to a mail message (RFC 5322) with HTML and plain text as alternatives, and with header fields
/// for filters.
struct MailComposer: Sendable {
  /// Renders HTML for the plain text part; nil: the stored plain text is used.
  let richText: (any RichTextRendering)?
  /// A reserved domain (RFC 2606): no mail can be sent to it.
  private static let domain = "newsd.invalid"

  /// Header and body, with LF as the line end, as in mailbox files.
  func message(_ item: NewsItem) -> String {
    let id = StableID(item).hexadecimal
    return header(item, id) + content(item, id)
  }

  /// The fields and parts of the body, from `Content-Type` on.
  func content(_ item: NewsItem, _ id: String) -> String {
    let plain = part("text/plain; charset=utf-8", plainText(item))
    guard let html = item.contentHTML, !html.isEmpty else { return plain }
    // `=_` occurs in neither transfer encoding.
    let boundary = "=_\(id)"
    var text = "Content-Type: multipart/alternative;\n boundary=\"\(boundary)\"\n\n"
    text += "--\(boundary)\n\(plain)\n"
    text += "--\(boundary)\n\(part("text/html; charset=utf-8", page(item, html)))\n"
    return text + "--\(boundary)--\n"
  }

  /// The sort time of the item, which is never in the future. If it is before 1900, which mail cannot represent
  /// (RFC 5322 section 3.3), the time of storage.
  static func time(_ item: NewsItem) -> Timestamp {
    item.sortTime.civil().year < 1900 ? item.stored : item.sortTime
  }

  private func header(_ item: NewsItem, _ id: String) -> String {
    let feed = item.feedTitle.isEmpty ? item.feedURL : item.feedTitle
    let label = StableID(item.feedURL).hexadecimal.prefix(16)
    let author = item.authors.first.map(\.displayName) ?? ""
    let sender = author.isEmpty ? feed : "\(author) (\(feed))"
    let title = item.title.isEmpty ? "(untitled)" : item.title
    var lines = [
      "From: \(MailText.phrase(sender, indent: 6))\n <feed-\(label)@\(Self.domain)>",
      "Subject: \(MailText.unstructured(title, indent: 9))",
      "Date: \(ProtocolText.mailDate(Self.time(item)))",
      "Message-ID: <\(id)@\(Self.domain)>",
      "List-Id: \(MailText.phrase(feed, indent: 9))\n <\(label).\(Self.domain)>",
    ]
    if let url = item.url { lines.append("Archived-At: <\(Self.asciiURL(url))>") }
    let tags = item.tags.filter { !$0.isEmpty }
    if !tags.isEmpty {
      lines.append("Keywords: \(MailText.unstructured(tags.joined(separator: ", "), indent: 10))")
    }
    if let language = ProtocolText.language(item.language) { lines.append("Content-Language: \(language)") }
    lines.append("MIME-Version: 1.0")
    return lines.joined(separator: "\n") + "\n"
  }

  func part(_ type: String, _ text: String) -> String {
    let (encoding, lines) = MailText.body(text)
    return "Content-Type: \(type)\nContent-Transfer-Encoding: \(encoding)\n\n\(lines)\n"
  }

  private func plainText(_ item: NewsItem) -> String {
    let rich = item.contentHTML.flatMap { html in richText?.richText(fromHTML: html) }
    var buffer = ByteBuffer(capacity: 4096)
    let fallback = item.contentText.isEmpty ? item.summary ?? "" : item.contentText
    let blocks = rich.map(ProseBlock.blocks(of:)) ?? ProseBlock.blocks(ofPlain: DisplayText(block: fallback))
    ProseView(terminal: Terminal(width: 72, now: item.stored)).render(blocks, into: &buffer)
    var text = buffer.string()
    if let rich, !rich.links.isEmpty {
      text += "\n"
      for (index, link) in rich.links.enumerated() {
        text += "[\(index + 1)] \(DisplayText(line: link).string)\n"
      }
    }
    let files = item.enclosures.map(\.url)
    let addresses = [item.url, item.commentsURL].compactMap { $0 } + files
    if !addresses.isEmpty {
      text += "\n" + addresses.map { DisplayText(line: $0).string + "\n" }.joined()
    }
    return text
  }

  private func page(_ item: NewsItem, _ html: String) -> String {
    var buffer = ByteBuffer(capacity: html.utf8.count + 1024)
    buffer.append(
      literal: "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"></head>\n<body dir=\"auto\">\n"
    )
    buffer.append(markup: html)
    buffer.append(literal: "\n<hr>\n")
    for address in [item.url, item.commentsURL].compactMap({ $0 }) + item.enclosures.map(\.url) {
      buffer.append(literal: "<p><a")
      buffer.attribute("href", ProtocolText.url(address))
      buffer.append(literal: ">")
      buffer.append(html: address)
      buffer.append(literal: "</a></p>\n")
    }
    buffer.append(literal: "</body></html>\n")
    return buffer.string()
  }

  /// Percent-encodes everything but ASCII, as a URI in a header must be.
  private static func asciiURL(_ url: String) -> String {
    PercentCoding.encode(ProtocolText.url(url)) { $0 < 0x80 }
  }
}

/// Encodes items as one mailbox file in the mboxrd format.
struct MboxEncoder: RecordEncoding {
  let mail: MailComposer

  mutating func append(_ item: NewsItem, to buffer: inout ByteBuffer) {
    let date = ProtocolText.mailboxDate(MailComposer.time(item))
    buffer.append("From newsd@newsd.invalid \(date)\n")
    // Mail programs read these header fields as seen and flagged.
    if item.isRead { buffer.append(literal: "Status: RO\n") }
    if item.isStarred { buffer.append(literal: "X-Status: F\n") }
    buffer.append(mail.message(item))
    buffer.newLine()
  }
}

/// Delivers items as messages to a mailbox directory; the document itself is empty.
struct MaildirEncoder: RecordEncoding {
  let mail: MailComposer
  let directory: Maildir

  mutating func append(_ item: NewsItem, to buffer: inout ByteBuffer) throws(OutputError) {
    let id = StableID(item).hexadecimal
    guard !directory.hasDelivered(id) else { return }
    try directory.deliver(
      Array(mail.message(item).utf8),
      id: id,
      time: MailComposer.time(item),
      isSeen: item.isRead,
      isFlagged: item.isStarred
    )
  }

  mutating func end(_ buffer: inout ByteBuffer) throws(OutputError) { try directory.finish() }
}
