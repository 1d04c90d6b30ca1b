import Glibc
import NewsToolbox

/// A form that is refused with 400.
struct FormProblem: Error {
  var message: String
}

/// Reads `multipart/form-data` (RFC 7578).
enum Multipart {
  static let mostParts = 1000
  /// Maximum length of a boundary in bytes (RFC 2046 section 5.1.1).
  static let longestBoundary = 70
  /// Maximum length of the header fields of a part in bytes; a part with longer ones is ignored.
  private static let longestHead = 8 << 10

  /// Returns the boundary in a Content-Type field; nil if the type is not `multipart/form-data` or has no
  /// boundary.
  static func boundary(_ type: String) -> [UInt8]? {
    let parts = type.split(ascii: ";")
    guard parts.first?.trimmingBlanks.isEqual(ignoringASCIICase: "multipart/form-data") == true else {
      return nil
    }
    return parts.dropFirst().lazy.compactMap { parameter($0, "boundary") }.first.map { Array($0.utf8) }
  }

  /// Parses a body. Parts with a file name become files; other parts become fields of a form.
  ///
  /// The time is linear in the length of the body: a boundary contains no CR, so bytes that were compared with it
  /// cannot begin another match.
  static func read(
    _ body: [UInt8],
    boundary: [UInt8]
  ) throws(FormProblem) -> (form: HTTPParameters, files: [HTTPUpload]) {
    guard 1...longestBoundary ~= boundary.count else {
      throw FormProblem(message: "the boundary must have 1 to \(longestBoundary) bytes")
    }
    let delimiter = Array("\r\n--".utf8) + boundary
    var form = HTTPParameters()
    var files: [HTTPUpload] = []
    // The first delimiter may be at the start, without a line break before it.
    var start =
      body.starts(with: delimiter[2...])
      ? delimiter.count - 2 : find(delimiter, in: body, from: 0).map { $0 + delimiter.count }
    var count = 0
    // Two hyphens after a boundary end the body.
    while let begin = start, !body[begin...].starts(with: "--".utf8),
      let lineEnd = body[begin...].firstIndex(of: UInt8(ascii: "\n")),
      let end = find(delimiter, in: body, from: lineEnd - 1)
    {
      count += 1
      guard count <= mostParts else {
        throw FormProblem(message: "a form may have \(mostParts) parts at most")
      }
      if let part = part(body[min(lineEnd + 1, end)..<end]) {
        if let file = part.fileName {
          files.append(HTTPUpload(name: part.name, fileName: file, bytes: Array(part.content)))
        } else {
          form.pairs.append((part.name, String(streamSafe: part.content)))
        }
      }
      start = end + delimiter.count
    }
    return (form, files)
  }

  private static func part(
    _ bytes: ArraySlice<UInt8>
  ) -> (name: String, fileName: String?, content: ArraySlice<UInt8>)? {
    var rest = bytes
    var name: String?
    var fileName: String?
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")), end - bytes.startIndex < longestHead {
      var line = rest[..<end]
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      rest = rest[(end + 1)...]
      if line.isEmpty { return name.map { ($0, fileName, rest) } }
      let text = String(streamSafe: line)
      guard let (field, value) = text.cut(atFirst: ":"),
        field.isEqual(ignoringASCIICase: "content-disposition")
      else { continue }
      for piece in value.split(ascii: ";") {
        name = name ?? parameter(piece, "name")
        fileName = fileName ?? parameter(piece, "filename")
      }
    }
    return nil
  }

  /// Returns the value of the parameter `name=value` or `name="value"`.
  private static func parameter(_ text: Substring, _ name: String) -> String? {
    guard let (key, value) = text.cut(atFirst: "="), key.trimmingBlanks.isEqual(ignoringASCIICase: name)
    else {
      return nil
    }
    var bytes = Array(value.trimmingBlanks.utf8)[...]
    if bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") {
      bytes = bytes.dropFirst().dropLast()
    }
    // There are no backslash escapes to decode: browsers write a quotation mark in a name as %22.
    return String(streamSafe: bytes)
  }

  /// Returns the first index at or after `start` at which the delimiter begins; nil if there is none.
  private static func find(_ delimiter: [UInt8], in body: [UInt8], from start: Int) -> Int? {
    body.withUnsafeBytes { body in
      var index = max(0, start)
      while index + delimiter.count <= body.count, let base = body.baseAddress,
        let found = memchr(base + index, Int32(UInt8(ascii: "\r")), body.count - index)
      {
        index = UnsafeRawPointer(found) - base
        let rest = body[index...]
        if rest.starts(with: delimiter) { return index }
        index += 1
      }
      return nil
    }
  }
}

/// Reads a URL-encoded or multipart body into the form of its request.
enum FormReader {
  /// Maximum number of pairs of a URL-encoded form.
  static let mostPairs = 20_000

  static func read(_ request: inout HTTPRequest) throws(FormProblem) {
    let type = request.fields.first("Content-Type") ?? "application/x-www-form-urlencoded"
    if let boundary = Multipart.boundary(type) {
      (request.form, request.files) = try Multipart.read(request.body, boundary: boundary)
    } else if type.prefix(upToAny: ";").trimmingBlanks
      .isEqual(ignoringASCIICase: "application/x-www-form-urlencoded")
    {
      guard let form = HTTPParameters(encoded: request.body, limit: mostPairs) else {
        throw FormProblem(message: "a form may have \(mostPairs) fields at most")
      }
      request.form = form
    }
  }
}
