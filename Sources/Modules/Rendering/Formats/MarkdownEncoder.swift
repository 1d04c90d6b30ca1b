import NewsService

/// Items as Markdown (CommonMark, tables as GitHub has them): a heading for each, its text below.
struct MarkdownEncoder: RecordEncoding {
  let document: OutputDocument
  let richText: (any RichTextRendering)?
  let zone: Zone

  mutating func begin(_ buffer: inout ByteBuffer) {
    buffer.append("# \(MarkdownText.escape(document.title))\n")
  }

  mutating func append(_ item: NewsItem, to buffer: inout ByteBuffer) {
    let title = MarkdownText.escape(item.title.isEmpty ? "(untitled)" : item.title)
    buffer.append("\n## \(item.url.map { MarkdownText.link(title, to: $0) } ?? title)\n\n")
    var facts = [item.feedTitle] + item.authors.map(\.displayName)
    facts = facts.filter { !$0.isEmpty }.map(MarkdownText.escape)
    facts.append((item.published ?? item.stored).dateAndTime(in: zone))
    buffer.append("*\(facts.joined(separator: " · "))*\n")
    for line in body(item) {
      buffer.append(line)
      buffer.newLine()
    }
    for enclosure in item.enclosures {
      let name = MarkdownText.escape(enclosure.title ?? enclosure.url)
      buffer.append("\n\(MarkdownText.link(name, to: enclosure.url))\n")
    }
  }

  private func body(_ item: NewsItem) -> [String] {
    if let html = item.contentHTML, let richText {
      return MarkdownText.lines(of: richText.richText(fromHTML: html))
    }
    let text = item.contentText.isEmpty ? item.summary ?? "" : item.contentText
    let lines = DisplayText(block: text).string.split(separator: "\n", omittingEmptySubsequences: false)
    guard !text.isEmpty else { return [] }
    return [""] + lines.map { MarkdownText.escape(String($0)) }
  }
}

/// Markdown's ways of saying things.
enum MarkdownText {
  /// One line of text that stays text: everything that Markdown or HTML could read as markup gets a backslash.
  static func escape(_ text: String) -> String {
    escapeStart(escapeInline(DisplayText(line: text).string))
  }

  /// `#`, `-`, `+`, `=` and `1.` mean something where a line begins.
  private static func escapeStart(_ line: String) -> String {
    let start = line.drop { $0 == " " }
    guard let first = start.first else { return line }
    if "#-+=".contains(first) { return "\\" + start }
    let digits = start.prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty, let next = start.dropFirst(digits.count).first, next == "." || next == ")" else {
      // Four spaces would make code of it.
      return line.hasPrefix(" ") ? String(start) : line
    }
    return digits + "\\" + start.dropFirst(digits.count)
  }

  /// `text` is Markdown already.
  static func link(_ text: String, to url: String) -> String {
    "[\(text)](<\(ProtocolText.url(url))>)"
  }

  /// The lines of a text, each block with an empty line before it where Markdown wants one.
  static func lines(of text: RichText) -> [String] {
    var lines: [String] = []
    var previous: RichText.Block?
    for block in text.blocks {
      if !joins(block, previous) { lines.append("") }
      lines += self.lines(of: block, text, isFirstRow: !isRow(previous))
      previous = block
    }
    return lines
  }

  private static func joins(_ block: RichText.Block, _ previous: RichText.Block?) -> Bool {
    switch (block, previous) {
    case (.listItem, .listItem), (.tableRow, .tableRow): true
    default: false
    }
  }

  private static func isRow(_ block: RichText.Block?) -> Bool {
    if case .tableRow = block { return true }
    return false
  }

  private static func lines(of block: RichText.Block, _ text: RichText, isFirstRow: Bool) -> [String] {
    switch block {
    case .paragraph(let spans, _):
      return self.text(of: spans, text).split(separator: "\n").map { escapeStart(String($0)) + "  " }
        .trimmedLast
    case .heading(let spans, let level):
      // Below the item's own heading.
      return [
        String(repeating: "#", count: min(max(level, 1) + 2, 6)) + " " + self.text(of: spans, text).oneLine
      ]
    case .listItem(let spans, let marker, let indent):
      let isNumber = marker.first?.isNumber == true && marker.hasSuffix(".")
      let lead = isNumber ? marker : "-"
      let pad = String(repeating: " ", count: 3 * min(max(indent, 0), 8))
      return [pad + lead + " " + escapeStart(self.text(of: spans, text).oneLine)]
    case .preformatted(let code, _):
      let safe = DisplayText(block: code).string
      let longest = safe.split { $0 != "`" }.map(\.count).max() ?? 0
      let fence = String(repeating: "`", count: max(3, longest + 1))
      return [fence] + safe.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) + [
        fence
      ]
    case .quotation(let spans, _):
      return self.text(of: spans, text).split(separator: "\n").map { "> " + escapeStart(String($0)) }
    case .tableRow(let cells, _):
      let row = "| " + cells.map { self.text(of: $0, text).oneLine }.joined(separator: " | ") + " |"
      return isFirstRow ? [row, "|" + String(repeating: " --- |", count: max(cells.count, 1))] : [row]
    case .rule:
      return ["---"]
    }
  }

  /// Spans with their emphasis; those of one link, which end with its footnote, within one pair of brackets.
  private static func text(of spans: [RichText.Span], _ text: RichText) -> String {
    var result = ""
    var linked = ""
    for span in joined(spans) {
      let piece = emphasized(span)
      if let footnote = span.footnote, text.links.indices.contains(footnote - 1) {
        result += link((linked + piece).oneLine, to: text.links[footnote - 1])
        linked = ""
      } else if span.style.contains(.link) {
        linked += piece
      } else {
        result += linked + piece
        linked = ""
      }
    }
    return result + linked
  }

  /// Neighbours of one style as one: `*a**b*` would mean something else.
  private static func joined(_ spans: [RichText.Span]) -> [RichText.Span] {
    spans.reduce(into: []) { joined, span in
      if let last = joined.last, last.style == span.style, last.footnote == nil {
        joined[joined.count - 1].text += span.text
        joined[joined.count - 1].footnote = span.footnote
      } else {
        joined.append(span)
      }
    }
  }

  private static func emphasized(_ span: RichText.Span) -> String {
    let safe = DisplayText(block: span.text).string
    if span.style.contains(.code), !safe.contains("`"), !safe.isEmpty { return "`\(safe)`" }
    let text = safe.split(separator: "\n", omittingEmptySubsequences: false).map { escapeInline(String($0)) }
      .joined(separator: "\n")
    let mark: String =
      span.style.contains(.strong)
      ? "**" : span.style.contains(.emphasis) ? "*" : span.style.contains(.struck) ? "~~" : ""
    // A mark must touch its words, so that spaces go outside.
    let core = text.drop { $0.isWhitespace }
    let lead = text.prefix(text.count - core.count)
    let inner = DisplayText(safe: String(core)).trimmed.string
    guard !mark.isEmpty, !inner.isEmpty else { return text }
    return lead + mark + inner + mark + core.dropFirst(inner.count)
  }

  private static func escapeInline(_ line: String) -> String {
    var result = ""
    for character in line {
      if "\\`*_[]<>&|~".contains(character) { result.append("\\") }
      result.append(character)
    }
    return result
  }
}

extension String {
  fileprivate var oneLine: String { String(map { $0 == "\n" ? " " : $0 }) }
}

extension [String] {
  /// Without the line break that two spaces at the very end would be.
  fileprivate var trimmedLast: [String] {
    guard let last, last.hasSuffix("  ") else { return self }
    return dropLast() + [String(last.dropLast(2))]
  }
}
