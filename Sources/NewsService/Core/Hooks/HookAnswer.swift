import NewsToolbox

/// Reads why a service refused a request: the status alone rarely shows what is wrong with a template.
enum HookAnswer {
  private static let maximumLength = 160

  /// Returns the first line of a text or JSON answer; nil for pages of HTML and for data.
  static func line(of response: FetchResponse) -> String? {
    guard response.header("Content-Encoding") == nil else { return nil }
    let bytes = response.body.prefix(64 * maximumLength)
    let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    guard let line = lines.first(where: { $0.contains { $0 > UInt8(ascii: " ") } }) else { return nil }
    let text = String(decoding: line.drop { $0 <= UInt8(ascii: " ") }, as: UTF8.self)
    guard text.utf8.first != UInt8(ascii: "<"), !text.unicodeScalars.contains("\u{FFFD}") else { return nil }
    return text
  }

  /// Returns the beginning of a line, for a message.
  static func shortened(_ line: String) -> String {
    let scalars = line.unicodeScalars
    guard scalars.count > maximumLength else { return line }
    return String(String.UnicodeScalarView(scalars.prefix(maximumLength))) + "…"
  }
}
