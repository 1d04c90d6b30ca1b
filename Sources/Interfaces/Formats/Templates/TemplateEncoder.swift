import Modules
import NewsCore
import NewsText
import NewsToolbox

/// Formats records with the user's template.
///
/// Values cannot break lines or control a terminal: control characters become U+FFFD and line breaks become
/// spaces. The filter `lines`, and `join` with a line break, keep line breaks; `json` and `url` encode the
/// value as it is.
struct TemplateEncoder<Record: Sendable>: RecordEncoding {
  let template: Template<Record>
  let terminal: Terminal
  private var width: DisplayWidth { DisplayWidth(ambiguousIsWide: terminal.ambiguousIsWide) }

  mutating func append(_ record: Record, to buffer: inout ByteBuffer) {
    let start = buffer.count
    append(template.nodes, record, &buffer)
    // End the line if the template does not: nearly all users mean one record per line.
    if buffer.count == start || !buffer.hasLineEnd { buffer.newLine() }
  }

  private func append(_ nodes: [Template<Record>.Node], _ record: Record, _ buffer: inout ByteBuffer) {
    for node in nodes {
      switch node {
      case .text(let text):
        buffer.append(text)
      case .field(let field, let filters):
        append(field.value(record), filters, &buffer)
      case .choice(let field, let present, let absent):
        append(field.value(record).isTruthy ? present : absent, record, &buffer)
      }
    }
  }

  /// A value during filtering: as stored, then as text.
  private struct FilterState {
    var value: FieldValue
    var text: String?
    var keepsLines = false

    var time: Timestamp? {
      guard case .time(let time) = value else { return nil }
      return time
    }
    var raw: String { text ?? value.text }
    var safe: String {
      keepsLines ? DisplayText(block: raw).string : DisplayText(line: raw).string
    }
  }

  private func append(_ value: FieldValue, _ filters: [TemplateFilter], _ buffer: inout ByteBuffer) {
    var state = FilterState(value: value)
    for filter in filters {
      switch filter {
      case .shell: return appendShell(state.safe, &buffer)
      case .json(let member): return appendJSON(state, member, &buffer)
      case .html: return buffer.append(xml: state.safe)
      case .markdown: return appendMarkdown(state.safe, &buffer)
      case .csv: return buffer.append(csv: state.safe)
      case .url: return appendEncoded(state.raw, &buffer)
      default: apply(filter, &state)
      }
    }
    buffer.append(state.safe)
  }

  private func appendMarkdown(_ text: String, _ buffer: inout ByteBuffer) {
    let lines = text.split(ascii: "\n", omittingEmptySubsequences: false)
    buffer.append(lines.map { MarkdownText.escape(String($0)) }.joined(separator: "\n"))
  }

  private func apply(_ filter: TemplateFilter, _ state: inout FilterState) {
    switch filter {
    case .truncate(let columns):
      state.text = width.fit(state.safe, into: columns).text
    case .limit(let units):
      if state.text == nil, case .words(let words) = state.value {
        state.value = .words(words.map { Self.limited($0, units) })
      } else {
        state.text = Self.limited(state.raw, units)
      }
    case .left(let columns):
      let text = state.safe
      state.text = text + padding(columns, text)
    case .right(let columns):
      let text = state.safe
      state.text = padding(columns, text) + text
    case .date(let pattern):
      state.text = state.time.map { terminal.zone.format($0, pattern) } ?? ""
    case .age:
      state.text = state.time.map { $0.age(at: terminal.now, in: terminal.zone) } ?? ""
    case .join(let separator):
      state.text = state.value.parts.joined(separator: separator)
      // The separator comes from the user, so it may break lines.
      if separator.contains(ascii: "\n") { state.keepsLines = true }
    case .first: state.text = state.value.parts.first ?? ""
    case .defaultValue(let text): if state.raw.isEmpty { state.text = text }
    case .lines: state.keepsLines = true
    case .upper: state.text = state.raw.uppercased()
    case .lower: state.text = state.raw.lowercased()
    case .shell, .json, .html, .markdown, .csv, .url: break
    }
  }

  private static func limited(_ text: String, _ units: Int) -> String {
    guard text.utf16.count > units else { return text }
    var kept = String.UnicodeScalarView()
    var used = 1
    for scalar in text.unicodeScalars {
      used += UTF16.width(scalar)
      guard used <= units else { break }
      kept.append(scalar)
    }
    return String(kept) + "…"
  }

  private func padding(_ columns: Int, _ text: String) -> String {
    String(repeating: " ", count: max(0, columns - width.columns(text)))
  }

  /// Appends text quoted as one word of a POSIX shell.
  private func appendShell(_ text: String, _ buffer: inout ByteBuffer) {
    buffer.append(UInt8(ascii: "'"))
    text.withBytes { bytes in
      buffer.appendReplacing(bytes) { $0 == UInt8(ascii: "'") ? "'\\''" : nil }
    }
    buffer.append(UInt8(ascii: "'"))
  }

  private func appendJSON(_ state: FilterState, _ member: String?, _ buffer: inout ByteBuffer) {
    if let member {
      buffer.appendArray(state.text.map { [$0] } ?? state.value.parts) { buffer, part in
        buffer.append(literal: "{")
        buffer.append(json: member)
        buffer.append(literal: ":")
        buffer.append(json: part)
        buffer.append(literal: "}")
      }
    } else if let text = state.text {
      buffer.append(json: text)
    } else {
      buffer.append(json: state.value)
    }
  }

  /// Appends text percent-encoded for a URL's query (RFC 3986 section 2.3).
  private func appendEncoded(_ text: String, _ buffer: inout ByteBuffer) {
    buffer.append(PercentCoding.encode(text, keeping: PercentCoding.isUnreserved))
  }
}
