import Modules

/// Breaks prose into lines no wider than a terminal.
///
/// Lines break at spaces, beside ideographs (which are written without spaces), and inside a word only if it is
/// wider than a line.
package struct TextWrapper {
  let width: DisplayWidth
  /// Maximum width of a line, in columns.
  let columns: Int

  package typealias Line = [ProseBlock.Span]

  package init(width: DisplayWidth, columns: Int) {
    self.width = width
    self.columns = columns
  }

  package func lines(of spans: [ProseBlock.Span]) -> [Line] {
    var assembler = Assembler(columns: max(columns, 1))
    for span in spans {
      for cluster in span.text.string {
        assembler.take(cluster, span.style, width.columns(cluster))
      }
    }
    return assembler.finish()
  }

  /// Assembles words from clusters and lines from words.
  private struct Assembler {
    let columns: Int
    var lines: [Line] = []
    var line = Run()
    var word = Run()
    /// Style of the space between `line` and `word`; nil: there is no space.
    var space: TextStyle?

    /// A run of clusters in one or more styles.
    struct Run {
      var spans: [(text: String, style: TextStyle)] = []
      var columns = 0
      var isEmpty: Bool { spans.isEmpty }

      mutating func append(_ text: String, _ style: TextStyle, _ width: Int) {
        if let last = spans.indices.last, spans[last].style == style {
          spans[last].text += text
        } else {
          spans.append((text, style))
        }
        columns += width
      }

      mutating func append(_ cluster: Character, _ style: TextStyle, _ width: Int) {
        if let last = spans.indices.last, spans[last].style == style {
          spans[last].text.append(cluster)
        } else {
          spans.append((String(cluster), style))
        }
        columns += width
      }

      mutating func append(_ other: Run) {
        for span in other.spans { append(span.text, span.style, 0) }
        columns += other.columns
      }
    }

    init(columns: Int) { self.columns = columns }

    mutating func take(_ cluster: Character, _ style: TextStyle, _ width: Int) {
      let role = Role(cluster)
      switch role {
      case .lineEnd:
        endWord()
        endLine()
      case .space:
        endWord()
        space = style
      case .mustFollow, .mustLead, .other:
        // A line may break on either side of an ideograph, but not before closing punctuation.
        let isIdeograph = width == 2
        let mayBreak = (isIdeograph && !afterOpening) || afterIdeograph
        if (mayBreak && role != .mustFollow) || word.columns + width > columns { endWord() }
        word.append(cluster, style, width)
        afterOpening = role == .mustLead
        afterIdeograph = isIdeograph && !afterOpening
        return
      }
      afterIdeograph = false
      afterOpening = false
    }

    /// True if the previous cluster was an ideograph; `afterOpening`: opening punctuation.
    private var afterIdeograph = false
    private var afterOpening = false

    mutating func endWord() {
      guard !word.isEmpty else { return }
      let gap = space == nil || line.isEmpty ? 0 : 1
      if !line.isEmpty, line.columns + gap + word.columns > columns {
        endLine()
      } else if gap == 1, let space {
        line.append(" ", line.spans.last?.style == word.spans.first?.style ? space : .plain, 1)
      }
      line.append(word)
      word = Run()
      space = nil
    }

    mutating func endLine() {
      lines.append(line.spans.map { ProseBlock.Span(text: DisplayText(unchecked: $0.text), style: $0.style) })
      line = Run()
      space = nil
    }

    mutating func finish() -> [Line] {
      endWord()
      if !line.isEmpty { endLine() }
      return lines
    }
  }

  /// What a cluster does to lines. Read from its first scalar: comparing Characters takes most of the time of a long text.
  private enum Role {
    case lineEnd
    case space
    /// A line must not break before it, or after it.
    case mustFollow
    case mustLead
    case other

    init(_ cluster: Character) {
      var scalars = cluster.unicodeScalars.makeIterator()
      guard let first = scalars.next() else {
        self = .other
        return
      }
      if scalars.next() == nil { self.init(first) } else { self = Self.isSpace(first) ? .space : .other }
    }

    private init(_ scalar: Unicode.Scalar) {
      switch scalar {
      case "\n": self = .lineEnd
      case "\u{A0}", "\u{202F}": self = .other
      // Ideographic and fullwidth punctuation, some written as numbers because the fullwidth forms look like ASCII.
      case "、", "。", "」", "』", "】", "》", "〉", "\u{232A}", "ー", "々", "…", "\u{FF0C}", "\u{FF0E}", "\u{FF01}",
        "\u{FF1F}", "\u{FF1A}", "\u{FF1B}", "\u{FF09}", "\u{FF3D}", ",", ".", "!", "?", ":", ";", "\u{37E}",
        ")", "]":
        self = .mustFollow
      case "「", "『", "【", "《", "〈", "\u{2329}", "\u{FF08}", "\u{FF3B}", "(", "[": self = .mustLead
      default: self = Self.isSpace(scalar) ? .space : .other
      }
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
      scalar.isASCII ? scalar == " " || (9...13).contains(scalar.value) : scalar.properties.isWhitespace
    }
  }
}
