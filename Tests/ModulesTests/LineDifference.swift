/// The lines that differ between a recorded text and a new one, for the failures of tests.
///
/// Compares bytes, because `==` on strings uses canonical equivalence.
struct LineDifference: CustomStringConvertible {
  private let changes: [(line: Int, sign: String, text: String)]

  init(from recorded: String, to text: String) {
    let old = Self.lines(recorded)
    let new = Self.lines(text)
    var changes: [(line: Int, sign: String, text: String)] = []
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, let line, _): changes.append((offset + 1, "-", Self.readable(line)))
      case .insert(let offset, let line, _): changes.append((offset + 1, "+", Self.readable(line)))
      }
    }
    self.changes = changes.sorted { $0.line < $1.line }
  }

  var isEmpty: Bool { changes.isEmpty }

  var description: String {
    let shown = changes.prefix(40).map { "\($0.sign)\($0.line): \($0.text)" }
    let rest = changes.count - shown.count
    return (shown + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: "\n")
  }

  private static func lines(_ text: String) -> [[UInt8]] {
    Array(text.utf8).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
  }

  /// Invisible characters are shown as escapes.
  private static func readable(_ line: [UInt8]) -> String {
    var text = ""
    for scalar in String(decoding: line, as: UTF8.self).unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
