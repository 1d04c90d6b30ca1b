import FoundationEssentials
import NewsToolbox
import Testing

/// The style of messages (CONTRIBUTING.md): lower case at the start, and no full stop after a single sentence.
@Suite struct `Message style` {
  /// Folders and files whose texts are not messages: help, screens, pages, documents, protocols, labels.
  private static let exempt = [
    "Interfaces/Web/", "Interfaces/Terminal/", "Interfaces/Sync/", "Interfaces/Formats/Mail/",
    "Interfaces/Formats/Documents/", "Interfaces/Formats/Hooks/", "newsd/Commands/",
    "CommandLine/OptionGroups.swift", "CommandLine/HelpText.swift", "CommandLine/ManualPage.swift",
    "CommandLine/Version.swift", "FeedDetailsPresenter.swift", "HealthPresenter.swift", "Metrics.swift",
    "/Generated/", "UnicodeTables.swift", "/Dates/", "Syndication/Articles/Page", "Log/RefreshLog.swift",
    "NewsItem/NewsItemView.swift", "Modules/Wording/",
  ]
  /// Names, fields of HTTP, and sentences that other texts put after a first one.
  private static let beginnings = [
    " Fields are", "'newsd feeds set", "Accept", "Atom", "Authorization", "Basic realm", "Content-", "Cookie",
    "Create one",
    "GoogleLogin", "Host ",
    "Idempotency-Key", "If-", "Import a list", "Later polls", "Name another", "Polling has begun",
    "Raise the feed's", "Range: bytes=", "Start the service", "This is a test", "To allow",
    "Too many wrong passwords.",
  ]

  private struct Literal {
    var line: Int
    var text = ""
  }

  /// The string literals of a file that take one line each. Literals joined by `+` are one, and `\()` is an
  /// interpolation.
  private static func literals(_ bytes: [UInt8]) -> [Literal] {
    var found: [Literal] = []
    var line = 1
    var index = 0
    var followsLiteral = false
    var joins = false
    func at(_ place: Int) -> UInt8 { place < bytes.count ? bytes[place] : 0 }
    func skip(toClosing quotes: Int) {
      while index < bytes.count, !(0..<quotes).allSatisfy({ at(index + $0) == UInt8(ascii: "\"") }) {
        if at(index) == UInt8(ascii: "\n") { line += 1 }
        index += at(index) == UInt8(ascii: "\\") ? 2 : 1
      }
      index += quotes
    }
    /// Skips the expression of an interpolation, whose opening parenthesis comes next.
    func skipInterpolation() {
      var depth = 0
      repeat {
        switch at(index) {
        case UInt8(ascii: "("): depth += 1
        case UInt8(ascii: ")"): depth -= 1
        case UInt8(ascii: "\""):
          index += 1
          skip(toClosing: 1)
          index -= 1
        default: break
        }
        index += 1
      } while depth > 0 && index < bytes.count
    }
    while index < bytes.count {
      switch at(index) {
      case UInt8(ascii: "\n"):
        line += 1
        index += 1
      case UInt8(ascii: "/") where at(index + 1) == UInt8(ascii: "/"):
        while index < bytes.count, at(index) != UInt8(ascii: "\n") { index += 1 }
      case UInt8(ascii: "\"")
      where at(index + 1) == UInt8(ascii: "\"") && at(index + 2) == UInt8(ascii: "\""):
        index += 3
        skip(toClosing: 3)
        joins = false
        followsLiteral = false
      case UInt8(ascii: "\""):
        var text: [UInt8] = []
        index += 1
        while index < bytes.count, at(index) != UInt8(ascii: "\"") {
          text.append(at(index))
          index += 1
          guard text.last == UInt8(ascii: "\\") else { continue }
          text.append(at(index))
          if at(index) == UInt8(ascii: "(") {
            skipInterpolation()
            text.append(UInt8(ascii: ")"))
          } else {
            index += 1
          }
        }
        index += 1
        if !joins { found.append(Literal(line: line)) }
        found[found.count - 1].text += String(decoding: text, as: UTF8.self)
        joins = false
        followsLiteral = true
      case UInt8(ascii: "+"):
        joins = followsLiteral
        index += 1
      case UInt8(ascii: " "):
        index += 1
      default:
        joins = false
        followsLiteral = false
        index += 1
      }
    }
    return found
  }

  private static func isProse(_ text: String) -> Bool {
    text.contains(" ") && text.firstMatch(of: /\b[A-Z]{4,}\b.* (?:[A-Z]{2,}|[a-z_]+)\b/) == nil
  }

  @Test func `A message begins in lower case, and ends without a full stop if it is one sentence`() throws {
    let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    let paths = try FileManager.default.subpathsOfDirectory(atPath: "\(root)/Sources")
    var count = 0
    for path in paths where path.hasSuffix(".swift") && !Self.exempt.contains(where: path.contains) {
      for literal in Self.literals(try FileBytes.read("\(root)/Sources/\(path)"))
      where Self.isProse(literal.text) {
        count += 1
        let text = literal.text
        guard !Self.beginnings.contains(where: text.hasPrefix) else { continue }
        let isCapital = text.prefixMatch(of: /(?:[A-Z][a-z]+|A)\b/) != nil
        let isSingle = text.firstMatch(of: /[.?!)] +(?:[A-Z'`<\\]|newsd )/) == nil
        let hasStop = text.firstMatch(of: /[^.\s]\.(?:\\n)?$/) != nil
        #expect(!isCapital, "Sources/\(path):\(literal.line): \(text)")
        #expect(!(isSingle && hasStop), "Sources/\(path):\(literal.line): \(text)")
      }
    }
    #expect(count > 500)
  }

  /// Calls that show their literal to people: elements and attributes of the page, and what the reader draws and tells.
  private static var showing: Regex<Substring> {
    #/(?:\btext: (?:[^",()]+\? )?|\bhtml\.text\(|"(?:aria-label|placeholder|title|data-label)", |\bNotice\(|PageReply\.text\(\d+, |\bPageFrame\(title: |\bPageReply\.gate\(|FormView\.field\(&html, |\b(?:tell|fail)\(|DisplayText\((?:line: )?|\bput\(safe: )"(?:[^"\\]|\\\([^")]*\))*[A-Za-z]{2}/#
  }

  /// The ends of texts that are the same in every language: names, commands and examples.
  private static let names = [
    "\"newsd", "newsd web password", "\"newsd feeds set", "\"web", "NEWSD_WEB_URL=http", "Europe/Berlin",
  ]

  @Test func `Page and reader take the texts that people read from the table`() throws {
    #expect(#"html.element("p", text: isOn ? "On")"#.contains(Self.showing))
    let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    var files = 0
    for folder in ["Web", "Terminal"] {
      let base = "\(root)/Sources/Interfaces/\(folder)"
      for path in try FileManager.default.subpathsOfDirectory(atPath: base) where path.hasSuffix(".swift") {
        files += 1
        let text = String(decoding: try FileBytes.read("\(base)/\(path)"), as: UTF8.self)
        for match in text.matches(of: Self.showing) where !Self.names.contains(where: match.0.hasSuffix) {
          Issue.record("\(folder)/\(path): move to Wording: \(match.0)")
        }
      }
    }
    #expect(files > 100)
  }
}
