import Modules
public import NewsToolbox

/// Shows blocks of running text, wrapped to the terminal.
public struct ProseView {
  let terminal: Terminal
  /// 80 columns if the output is not a terminal.
  private var columns: Int { max(terminal.width ?? 80, 20) }
  private var width: DisplayWidth { DisplayWidth(ambiguousIsWide: terminal.ambiguousIsWide) }

  public init(terminal: Terminal) {
    self.terminal = terminal
  }

  /// Appends the blocks, with an empty line around each block that `isApart`.
  public func render(_ blocks: [ProseBlock], into buffer: inout ByteBuffer) {
    var isFirst = true
    var wasApart = true
    for block in blocks {
      // No empty line between the items of a list or the rows of a table.
      if !isFirst, block.isApart || wasApart { buffer.newLine() }
      render(block, into: &buffer)
      wasApart = block.isApart
      isFirst = false
    }
  }

  private func render(_ block: ProseBlock, into buffer: inout ByteBuffer) {
    switch block.kind {
    case .rule:
      buffer.paint(safe: String(repeating: "─", count: min(columns, 40)), .faint, on: terminal)
      buffer.newLine()
    case .preformatted:
      for span in block.spans {
        for line in span.text.string.split(separator: "\n", omittingEmptySubsequences: false) {
          if !line.isEmpty { buffer.spaces(block.indent) }
          buffer.paint(safe: String(line), span.style, on: terminal)
          buffer.newLine()
        }
      }
    case .text:
      let markerColumns = width.columns(block.marker.string)
      let wrapper = TextWrapper(width: width, columns: columns - block.indent - markerColumns)
      for (index, line) in wrapper.lines(of: block.spans).enumerated() {
        guard !line.isEmpty else {
          buffer.newLine()
          continue
        }
        buffer.spaces(block.indent)
        if index == 0 || block.repeatsMarker {
          buffer.paint(block.marker, .faint, on: terminal)
        } else {
          buffer.spaces(markerColumns)
        }
        for span in line { buffer.paint(span.text, span.style, on: terminal) }
        buffer.newLine()
      }
    }
  }
}
