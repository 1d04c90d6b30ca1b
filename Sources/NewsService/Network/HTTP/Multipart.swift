import NewsCore
import NewsToolbox

/// Reads `multipart/form-data` (RFC 7578).
enum Multipart {
  /// Maximum number of parts; further parts are ignored.
  static let mostParts = 1000

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
  static func read(_ body: [UInt8], boundary: [UInt8]) -> (form: HTTPParameters, files: [HTTPUpload]) {
    let delimiter = Array("--".utf8) + boundary
    var form = HTTPParameters()
    var files: [HTTPUpload] = []
    guard !boundary.isEmpty, var start = find(delimiter, in: body, from: 0) else { return (form, files) }
    for _ in 0..<mostParts {
      start += delimiter.count
      // Two hyphens after a boundary end the body.
      guard !body[start...].starts(with: "--".utf8),
        let lineEnd = body[start...].firstIndex(of: UInt8(ascii: "\n")),
        let end = find(Array("\r\n".utf8) + delimiter, in: body, from: lineEnd - 1)
      else { break }
      if let part = part(body[min(lineEnd + 1, end)..<end]) {
        if let file = part.fileName {
          files.append(HTTPUpload(name: part.name, fileName: file, bytes: Array(part.content)))
        } else {
          form.pairs.append((part.name, String(decoding: part.content, as: UTF8.self)))
        }
      }
      start = end + 2
    }
    return (form, files)
  }

  private static func part(
    _ bytes: ArraySlice<UInt8>
  ) -> (name: String, fileName: String?, content: ArraySlice<UInt8>)? {
    var rest = bytes
    var name: String?
    var fileName: String?
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      var line = rest[..<end]
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      rest = rest[(end + 1)...]
      if line.isEmpty { return name.map { ($0, fileName, rest) } }
      let text = String(decoding: line, as: UTF8.self)
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
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the first index at or after `start` at which `part` begins; nil if there is none.
  private static func find(_ part: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    guard bytes.count >= part.count, let first = part.first else { return nil }
    return bytes.withUnsafeBufferPointer { bytes in
      var index = max(0, start)
      while index <= bytes.count - part.count {
        guard let next = bytes[index...].firstIndex(of: first), next <= bytes.count - part.count else {
          return nil
        }
        if bytes[next..<(next + part.count)].elementsEqual(part) { return next }
        index = next + 1
      }
      return nil
    }
  }
}
