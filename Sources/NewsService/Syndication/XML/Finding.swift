import NewsCore

/// A problem at a position in the document.
struct Finding {
  /// Offset in the document's UTF-8.
  var offset: Int
  var message: String

  /// Converts the offsets of findings to lines and columns in one pass. Both count from 1; columns count characters.
  /// Returns the problems in document order.
  static func locate(_ findings: [Finding], in utf8: UnsafeBufferPointer<UInt8>) -> [SyntaxProblem] {
    var place = DocumentPlace()
    return findings.sorted { $0.offset < $1.offset }.map { finding in
      place.advance(over: utf8, to: finding.offset)
      return SyntaxProblem(line: place.line, column: place.column, message: finding.message)
    }
  }
}

/// A line and column that advance through a document.
private struct DocumentPlace {
  private(set) var line = 1
  private(set) var column = 1
  private var offset = 0
  /// True if the previous byte was a carriage return: a line feed after it is part of the same line end (XML 1.0
  /// section 2.11).
  private var isBehindReturn = false

  /// Advances to `target`, or to the end of the document.
  mutating func advance(over document: UnsafeBufferPointer<UInt8>, to target: Int) {
    while offset < min(target, document.count) {
      let byte = document[offset]
      offset += 1
      if byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") {
        if byte == UInt8(ascii: "\r") || !isBehindReturn { line += 1 }
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
      isBehindReturn = byte == UInt8(ascii: "\r")
    }
  }
}
