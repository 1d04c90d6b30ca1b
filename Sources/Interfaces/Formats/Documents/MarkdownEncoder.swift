import Modules
import NewsCore
import NewsText
import NewsToolbox

/// Encodes items as Markdown (CommonMark, with GitHub's tables): a heading and a text for each.
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
    facts.append((item.published ?? item.sortTime).dateAndTime(in: zone))
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
    let lines = DisplayText(block: text).string.split(ascii: "\n", omittingEmptySubsequences: false)
    guard !text.isEmpty else { return [] }
    return [""] + lines.map { MarkdownText.escape(String($0)) }
  }
}

/// Builds Markdown syntax.
enum MarkdownText {
  /// Escapes a line of plain text: everything that Markdown or HTML could read as markup gets a backslash.
  static func escape(_ text: String) -> String {
    escapeStart(escapeInline(DisplayText(line: text).string))
  }

  /// Escapes `#`, `-`, `+`, `=` and `1.`, which are markup at the start of a line.
  private static func escapeStart(_ line: String) -> String {
    let bytes = line.utf8
    // Drop leading spaces: four of them would begin a code block.
    let start = bytes.firstIndex { $0 != UInt8(ascii: " ") } ?? bytes.endIndex
    let digitsEnd = bytes[start...].firstIndex { !ASCII.isDigit($0) } ?? bytes.endIndex
    guard digitsEnd < bytes.endIndex else { return String(line[start...]) }
    let isMarkup =
      digitsEnd == start
      ? "#-+=".utf8.contains(bytes[start]) : ".)".utf8.contains(bytes[digitsEnd])
    return line[start..<digitsEnd] + (isMarkup ? "\\" : "") + line[digitsEnd...]
  }

  /// Returns a link; `text` must already be Markdown.
  static func link(_ text: String, to url: String) -> String {
    "[\(text)](<\(ProtocolText.url(url))>)"
  }

  /// Converts a text to lines, with an empty line before each block that needs it.
  static func lines(of text: RichText) -> [String] {
    var lines: [String] = []
    var previous: RichText.Block?
    var isInList = false
    for block in text.blocks {
      isInList = isListed(block, isInList)
      if case .quotation = block, case .quotation = previous {
        // The block is another paragraph of the same quotation: join it with an empty quoted line.
        lines.append(">")
      } else if !joins(block, previous) {
        lines.append("")
      }
      lines += self.lines(of: block, text, isFirstRow: !isRow(previous), isInList: isInList)
      previous = block
    }
    return lines
  }

  /// True for items of a list and for blocks indented below them.
  private static func isListed(_ block: RichText.Block, _ isInList: Bool) -> Bool {
    switch block {
    case .listItem: true
    case .paragraph(_, let indent), .preformatted(_, let indent), .quotation(_, let indent):
      isInList && indent > 0
    default: false
    }
  }

  /// The indentation of the text of a list item at that depth.
  private static func pad(_ depth: Int) -> String { String(repeating: " ", count: 3 * min(max(depth, 0), 8)) }

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

  private static func lines(
    of block: RichText.Block,
    _ text: RichText,
    isFirstRow: Bool,
    isInList: Bool
  ) -> [String] {
    switch block {
    case .paragraph(let spans, let indent):
      let lead = isInList ? pad(indent) : ""
      return self.text(of: spans, text).split(ascii: "\n")
        .map { lead + escapeStart(String($0)) + "  " }.trimmedLast
    case .heading(let spans, let level):
      // Levels 1 and 2 are the headings of the document and of the item.
      return [
        String(repeating: "#", count: min(max(level, 1) + 2, 6)) + " " + self.text(of: spans, text).oneLine
      ]
    case .listItem(let spans, let marker, let indent):
      let digits = marker.utf8.dropLast()
      let isNumber =
        !digits.isEmpty && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        && marker.hasSuffix(bytesOf: ".")
      let lead = isNumber ? marker : "-"
      return [pad(indent) + lead + " " + escapeStart(self.text(of: spans, text).oneLine)]
    case .preformatted(let code, let indent):
      let safe = DisplayText(block: code).string
      let fence = String(repeating: "`", count: max(3, longestFence(in: safe) + 1))
      let code = safe.split(ascii: "\n", omittingEmptySubsequences: false).map(String.init)
      let lead = isInList ? pad(indent) : ""
      return ([fence] + code + [fence]).map { lead + $0 }
    case .quotation(let spans, let indent):
      // Within a list, `indent` is the depth of the list; elsewhere it is the depth of the quotation.
      let lead = isInList ? pad(indent) + "> " : String(repeating: "> ", count: min(max(indent, 0), 7) + 1)
      return self.text(of: spans, text).split(ascii: "\n").map { lead + escapeStart(String($0)) }
    case .tableRow(let cells, _):
      let row =
        "| " + cells.map { self.text(of: Self.cell($0), text).oneLine }.joined(separator: " | ") + " |"
      return isFirstRow ? [row, "|" + String(repeating: " --- |", count: max(cells.count, 1))] : [row]
    case .rule:
      return ["---"]
    }
  }

  /// Removes the code style from text with a bar: a bar ends the cell even in code, but can be escaped in plain
  /// text.
  private static func cell(_ spans: [RichText.Span]) -> [RichText.Span] {
    spans.map { span in
      guard span.style.contains(.code), span.text.contains(ascii: "|") else { return span }
      var plain = span
      plain.style.remove(.code)
      return plain
    }
  }

  /// Renders spans with their emphasis. The spans of one link, the last of which has its footnote, share one pair
  /// of brackets.
  private static func text(of spans: [RichText.Span], _ text: RichText) -> String {
    var result = ""
    var linked = ""
    let spans = merged(spans)
    for (index, span) in spans.enumerated() {
      let isInLink = span.footnote != nil || span.style.contains(.link)
      let before = isInLink ? linked.unicodeScalars.last ?? "[" : (result + linked).unicodeScalars.last
      let next = index + 1 < spans.count ? spans[index + 1].text.unicodeScalars.first : nil
      let piece = marked(span, before: before, after: next)
      if let footnote = span.footnote, text.links.indices.contains(footnote - 1) {
        // Escape `!` before a link: `![` would begin an image, which a reader would load.
        if result.utf8.last == UInt8(ascii: "!") { result = result.dropLastScalar + "\\!" }
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

  /// Merges neighbours of the same style: `*a**b*` does not mean the same as `*ab*`.
  private static func merged(_ spans: [RichText.Span]) -> [RichText.Span] {
    var merged: [RichText.Span] = []
    for span in spans {
      if let last = merged.last, last.style == span.style, last.footnote == nil {
        merged[merged.count - 1].text += span.text
        merged[merged.count - 1].footnote = span.footnote
      } else {
        merged.append(span)
      }
    }
    return merged
  }

  /// Puts emphasis marks around a span, unless CommonMark (section 6.2) would not recognize them beside these
  /// neighbours.
  private static func marked(_ span: RichText.Span, before: Unicode.Scalar?, after: Unicode.Scalar?) -> String
  {
    let safe = DisplayText(block: span.text).string
    if span.style.contains(.code), !safe.isEmpty { return code(safe.oneLine) }
    let text = escapeInline(safe)
    let mark: String =
      span.style.contains(.strong)
      ? "**" : span.style.contains(.emphasis) ? "*" : span.style.contains(.struck) ? "~~" : ""
    // Leading and trailing spaces go outside the marks, because a mark must touch a word.
    let scalars = text.unicodeScalars
    let start = scalars.firstIndex { !$0.properties.isWhitespace } ?? scalars.endIndex
    let end =
      scalars.lastIndex { !$0.properties.isWhitespace }.map { scalars.index(after: $0) } ?? scalars.endIndex
    let inner = text[start..<max(start, end)]
    let (lead, tail) = (scalars[..<start], scalars[max(start, end)...])
    guard !mark.isEmpty, let first = inner.unicodeScalars.first, let last = inner.unicodeScalars.last else {
      return text
    }
    let opens = !isPunctuation(first) || !isWord(lead.last ?? before)
    let closes = !isPunctuation(last) || !isWord(tail.first ?? after)
    // Adjacent marks would form one delimiter run of another length.
    let touches = lead.isEmpty && (before == "*" || before == "~")
    return opens && closes && !touches
      ? "\(text[..<start])\(mark)\(inner)\(mark)\(text[inner.endIndex...])" : text
  }

  /// Returns a code span. Its delimiters have one backtick more than the longest run of backticks in the text.
  private static func code(_ text: String) -> String {
    let fence = String(repeating: "`", count: longestFence(in: text) + 1)
    let (tick, space) = (UInt8(ascii: "`"), UInt8(ascii: " "))
    let ends = (text.utf8.first, text.utf8.last)
    let needsRoom = ends.0 == tick || ends.1 == tick || (ends.0 == space && ends.1 == space)
    return needsRoom ? "\(fence) \(text) \(fence)" : fence + text + fence
  }

  /// The length of the longest run of backticks.
  private static func longestFence(in text: String) -> Int {
    text.utf8.split { $0 != UInt8(ascii: "`") }.map(\.count).max() ?? 0
  }

  /// A punctuation character as CommonMark 0.31 section 2.1 defines it: the general categories P and S.
  private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol:
      true
    default: false
    }
  }

  private static func isWord(_ scalar: Unicode.Scalar?) -> Bool {
    guard let scalar else { return false }
    return !scalar.properties.isWhitespace && !isPunctuation(scalar)
  }

  private static func escapeInline(_ text: String) -> String { text.backslashing("\\`*_[]<>&|~") }
}

extension String {
  fileprivate var oneLine: String { replacing(ascii: "\n", with: " ") }
  fileprivate var dropLastScalar: String { String(unicodeScalars.dropLast()) }
}

extension [String] {
  /// Removes the two trailing spaces of the last line, which would be a hard line break.
  fileprivate var trimmedLast: [String] {
    guard let last, last.hasSuffix(bytesOf: "  ") else { return self }
    return dropLast() + [String(last.dropLast(2))]
  }
}
