import Modules
public import NewsToolbox

/// Shows blocks of running text, wrapped to the terminal.
public struct ProseView {
  let terminal: Terminal
  /// Width of the terminal in columns, at least 20; 80 if the output is not a terminal.
  private var columns: Int { max(terminal.width ?? 80, 20) }
  private var width: DisplayWidth { DisplayWidth(ambiguousIsWide: terminal.ambiguousIsWide) }

  public init(terminal: Terminal) {
    self.terminal = terminal
  }

  /// Appends the blocks, with an empty line around each block that `isApart`.
  public func render(_ blocks: [ProseBlock], into buffer: inout ByteBuffer) {
    for line in lines(of: blocks) {
      for span in line { buffer.paint(span.text, span.style, on: terminal) }
      buffer.newLine()
    }
  }

  /// The lines of the blocks, with an empty line around each block that `isApart`.
  package func lines(of blocks: [ProseBlock]) -> [[ProseBlock.Span]] {
    directedLines(of: blocks).map(\.spans)
  }

  /// The same lines, each with the direction of its paragraph.
  package func directedLines(of blocks: [ProseBlock]) -> [(spans: [ProseBlock.Span], isRightToLeft: Bool)] {
    var lines: [(spans: [ProseBlock.Span], isRightToLeft: Bool)] = []
    var wasApart = true
    let table = ProseTable(width: width, columns: columns)
    for (index, block) in table.aligned(blocks).enumerated() {
      // No empty line between the items of a list or the rows of a table.
      if index > 0, block.isApart || wasApart { lines.append(([], false)) }
      var own: [[ProseBlock.Span]] = []
      append(block, to: &own)
      let isRightToLeft = block.isRightToLeft
      lines += own.map { ($0, isRightToLeft) }
      wasApart = block.isApart
    }
    return lines
  }

  private func append(_ block: ProseBlock, to lines: inout [[ProseBlock.Span]]) {
    switch block.kind {
    case .rule:
      let rule = String(repeating: "─", count: min(columns, 40))
      lines.append([.init(text: DisplayText(unchecked: rule), style: .faint)])
    case .columns: lines += block.cells
    case .preformatted:
      for span in block.spans {
        for line in span.text.string.split(separator: "\n", omittingEmptySubsequences: false) {
          let text = ProseBlock.Span(text: DisplayText(unchecked: String(line)), style: span.style)
          lines.append(line.isEmpty ? [] : Self.indent(block.indent) + [text])
        }
      }
    case .text:
      let markerColumns = width.columns(block.marker.string)
      let wrapper = TextWrapper(width: width, columns: columns - block.indent - markerColumns)
      for (index, line) in wrapper.lines(of: block.spans).enumerated() {
        guard !line.isEmpty else {
          lines.append([])
          continue
        }
        let start =
          index == 0 || block.repeatsMarker
          ? Self.indent(block.indent) + [.init(text: block.marker, style: .faint)]
          : Self.indent(block.indent + markerColumns)
        lines.append(start + line)
      }
    }
  }

  private static func indent(_ columns: Int) -> [ProseBlock.Span] {
    guard columns > 0 else { return [] }
    return [.init(text: DisplayText(unchecked: String(repeating: " ", count: columns)), style: .plain)]
  }
}
