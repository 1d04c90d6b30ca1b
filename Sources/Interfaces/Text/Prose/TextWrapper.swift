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

      mutating func append(_ other: Run) {
        for span in other.spans { append(span.text, span.style, 0) }
        columns += other.columns
      }
    }

    init(columns: Int) { self.columns = columns }

    mutating func take(_ cluster: Character, _ style: TextStyle, _ width: Int) {
      if cluster == "\n" {
        endWord()
        endLine()
      } else if cluster == " " || (cluster.isWhitespace && cluster != "\u{A0}" && cluster != "\u{202F}") {
        endWord()
        space = style
      } else {
        // A line may break on either side of an ideograph, but not before closing punctuation.
        let isIdeograph = width == 2
        let mayBreak = (isIdeograph && !afterOpening) || afterIdeograph
        if (mayBreak && !Self.mustFollow.contains(cluster)) || word.columns + width > columns { endWord() }
        word.append(String(cluster), style, width)
        afterOpening = Self.mustLead.contains(cluster)
        afterIdeograph = isIdeograph && !afterOpening
        return
      }
      afterIdeograph = false
      afterOpening = false
    }

    /// True if the previous cluster was an ideograph; `afterOpening`: opening punctuation.
    private var afterIdeograph = false
    private var afterOpening = false
    // Ideographic and fullwidth punctuation, written as numbers because the fullwidth forms look like ASCII.
    private static let mustFollow: Set<Character> = [
      "、", "。", "」", "』", "】", "》", "〉", "ー", "々", "…", "\u{FF0C}", "\u{FF0E}", "\u{FF01}", "\u{FF1F}",
      "\u{FF1A}", "\u{FF1B}", "\u{FF09}", "\u{FF3D}", ",", ".", "!", "?", ":", ";", ")", "]",
    ]
    private static let mustLead: Set<Character> = ["「", "『", "【", "《", "〈", "\u{FF08}", "\u{FF3B}", "(", "["]

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
}
