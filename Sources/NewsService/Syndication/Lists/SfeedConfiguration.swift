import NewsCore
import NewsToolbox

/// Reads sfeed's `sfeedrc`: a shell script whose function `feeds` calls `feed NAME URL [BASE [ENCODING]]`.
///
/// The script is never run: calls whose arguments need shell expansion (variables, commands, patterns) are skipped.
enum SfeedConfiguration {
  static func isLikely(_ text: [UInt8]) -> Bool {
    var reader = ShellReader(text)
    var sawFunction = false
    while let command = reader.next() {
      guard let name = command.words.first?.text else { continue }
      if name == "feeds()" || name == "feeds" || name.hasPrefix(bytesOf: "sfeedpath=") { sawFunction = true }
      if name == "feed", command.words.count >= 3 { return true }
    }
    return sawFunction
  }

  static func read(_ text: [UInt8], into collector: inout ListCollector) {
    var reader = ShellReader(text)
    while let command = reader.next() {
      guard command.words.first?.text == "feed", command.words.count > 1 else { continue }
      let words = command.words.dropFirst()
      guard words.allSatisfy(\.isLiteral) else {
        collector.skip(line: command.line, command.source, "could only be read by running it")
        continue
      }
      let values = words.map(\.text)
      guard values.count >= 2 else {
        collector.skip(line: command.line, command.source, "has no address")
        continue
      }
      var feed = NewFeed(url: values[1], title: values[0])
      if values.count > 2, !values[2].isEmpty { feed.siteURL = values[2] }
      if values.count > 3, !values[3].isEmpty { feed.settings.encoding = values[3] }
      collector.add(feed, line: command.line)
    }
  }
}

/// Splits a shell script into commands and words without running anything (POSIX shell, sections 2.2 and 2.3).
struct ShellReader {
  struct Word {
    var text: String
    /// False if a shell would expand the word.
    var isLiteral: Bool
  }

  struct Command {
    var words: [Word]
    /// 1-based line of the first word.
    var line: Int
    /// The source text, on one line.
    var source: String
  }

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Returns the next command that has at least one word.
  mutating func next() -> Command? {
    var command = Command(words: [], line: line, source: "")
    var start = position
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "{"),
        UInt8(ascii: "}"):
        // A line feed, `;`, `&`, `|`, and braces as separate words end a command.
        if byte == UInt8(ascii: "|") || byte == UInt8(ascii: "&"), bytes.dropFirst(position + 1).first == byte
        {
          position += 1
        }
        finish(&command, from: start)
        if byte == UInt8(ascii: "\n") { line += 1 }
        position += 1
        if !command.words.isEmpty { return command }
        start = position
        command.line = line
      case UInt8(ascii: "#"):
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
      case UInt8(ascii: "\\") where position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "\n"):
        position += 2
        line += 1
      case 0...UInt8(ascii: " "):
        position += 1
        if command.words.isEmpty { start = position }
      default:
        let word = word()
        // Reserved words are not part of the command.
        if !command.words.isEmpty || !["do", "then", "else", "!"].contains(word.text) {
          command.words.append(word)
        }
      }
    }
    finish(&command, from: start)
    return command.words.isEmpty ? nil : command
  }

  private func finish(_ command: inout Command, from start: Int) {
    guard !command.words.isEmpty else { return }
    let source = bytes[start..<min(position, start + 400)].map {
      $0 < UInt8(ascii: " ") ? UInt8(ascii: " ") : $0
    }
    command.source = String(streamSafe: source)
  }

  private mutating func word() -> Word {
    var text: [UInt8] = []
    var isLiteral = true
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case 0...UInt8(ascii: " "), UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "|"):
        return Word(text: String(streamSafe: text), isLiteral: isLiteral)
      case UInt8(ascii: "'"):
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "'") {
          if bytes[position] == UInt8(ascii: "\n") { line += 1 }
          text.append(bytes[position])
          position += 1
        }
        position = min(position + 1, bytes.count)
      case UInt8(ascii: "\""):
        position += 1
        doubleQuoted(&text, &isLiteral)
      case UInt8(ascii: "\\"):
        position += 1
        guard position < bytes.count else { break }
        if bytes[position] == UInt8(ascii: "\n") { line += 1 } else { text.append(bytes[position]) }
        position += 1
      default:
        // A shell expands `$`, backquote, `*`, `[`, `<` and `>`. It would also expand `?`, which is accepted for
        // queries.
        if "$`*[<>".utf8.contains(byte) { isLiteral = false }
        text.append(byte)
        position += 1
      }
    }
    return Word(text: String(streamSafe: text), isLiteral: isLiteral)
  }

  private mutating func doubleQuoted(_ text: inout [UInt8], _ isLiteral: inout Bool) {
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\n") { line += 1 }
      if byte == UInt8(ascii: "$") || byte == UInt8(ascii: "`") { isLiteral = false }
      if byte == UInt8(ascii: "\\"), position + 1 < bytes.count,
        "\"\\$`\n".utf8.contains(bytes[position + 1])
      {
        position += 1
        if bytes[position] == UInt8(ascii: "\n") { line += 1 } else { text.append(bytes[position]) }
      } else {
        text.append(byte)
      }
      position += 1
    }
    position = min(position + 1, bytes.count)
  }
}
