import NewsCore

/// What is wrong at some place of a document.
struct Finding {
  /// In the document's UTF-8.
  var offset: Int
  var message: String

  /// Offsets as lines and columns, both from 1, columns in characters; one walk over the document. In document order.
  static func locate(_ findings: [Finding], in utf8: UnsafeBufferPointer<UInt8>) -> [SyntaxProblem] {
    var place = DocumentPlace()
    return findings.sorted { $0.offset < $1.offset }.map { finding in
      place.advance(over: utf8, to: finding.offset)
      return SyntaxProblem(line: place.line, column: place.column, message: finding.message)
    }
  }
}

/// A line and column that move through a document, perhaps piece by piece.
struct DocumentPlace {
  private(set) var line = 1
  private(set) var column = 1
  private var offset = 0
  /// The byte before was a carriage return, which is a line end of its own or with a line feed (XML 1.0 section 2.11).
  private var isBehindReturn = false
  /// Where the piece at hand begins in the document.
  private var pieceStart = 0

  /// Moves on to `target`, an offset in the document, or to the end of the piece.
  mutating func advance(over piece: UnsafeBufferPointer<UInt8>, to target: Int) {
    let end = min(target - pieceStart, piece.count)
    var index = offset - pieceStart
    while index < end {
      let byte = piece[index]
      if byte == 0x0D || byte == 0x0A {
        if byte == 0x0D || !isBehindReturn { line += 1 }
        column = 1
        isBehindReturn = byte == 0x0D
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

  /// Moves to the end of the piece; another one follows.
  mutating func finish(_ piece: UnsafeBufferPointer<UInt8>) {
    advance(over: piece, to: pieceStart + piece.count)
    pieceStart += piece.count
  }
}
