import NewsCore

/// A problem at a place in the document.
struct Finding {
  /// In the document's UTF-8.
  var offset: Int
  var message: String

  /// Converts offsets to lines and columns (both from 1, columns in characters) in one pass. Returns them in document
  /// order.
  static func locate(_ findings: [Finding], in utf8: UnsafeBufferPointer<UInt8>) -> [SyntaxProblem] {
    var place = DocumentPlace()
    return findings.sorted { $0.offset < $1.offset }.map { finding in
      place.advance(over: utf8, to: finding.offset)
      return SyntaxProblem(line: place.line, column: place.column, message: finding.message)
    }
  }
}

/// A line and column that advance through a document, piece by piece if need be.
struct DocumentPlace {
  private(set) var line = 1
  private(set) var column = 1
  private var offset = 0
  /// The previous byte was a carriage return, which ends a line by itself or together with a line feed (XML 1.0
  /// section 2.11).
  private var isBehindReturn = false
  /// Offset of the current piece in the document.
  private var pieceStart = 0

  /// Advances to `target`, an offset in the document, or to the end of the piece.
  mutating func advance(over piece: UnsafeBufferPointer<UInt8>, to target: Int) {
    let end = min(target - pieceStart, piece.count)
    var index = offset - pieceStart
    while index < end {
      let byte = piece[index]
      if byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") {
        if byte == UInt8(ascii: "\r") || !isBehindReturn { line += 1 }
        column = 1
        isBehindReturn = byte == UInt8(ascii: "\r")
        index += 1
        continue
      }
      isBehindReturn = false
      if byte & 0xC0 != 0x80 {
        column += 1
      }
      index += 1
    }
    offset = max(offset, pieceStart + max(end, 0))
  }

  /// Advances to the end of the piece, before the next one.
  mutating func finish(_ piece: UnsafeBufferPointer<UInt8>) {
    advance(over: piece, to: pieceStart + piece.count)
    pieceStart += piece.count
  }
}
