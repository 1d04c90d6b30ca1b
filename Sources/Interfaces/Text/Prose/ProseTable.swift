import Modules

/// Aligns the rows of tables in columns.
struct ProseTable {
  let width: DisplayWidth
  /// The columns of the screen.
  let columns: Int

  private static let crossing = "─┼─"

  /// Pads the cells of tables that fit into the columns. Tables that are wider, have one column, or contain
  /// right-to-left text or line breaks stay as they are.
  func aligned(_ blocks: [ProseBlock]) -> [ProseBlock] {
    guard blocks.contains(where: { !$0.cells.isEmpty }) else { return blocks }
    var result: [ProseBlock] = []
    var rest = blocks[...]
    while let first = rest.first {
      // A second header begins another table.
      let end = rest.dropFirst().firstIndex { $0.cells.isEmpty || $0.isHeader } ?? rest.endIndex
      if first.cells.isEmpty {
        result.append(first)
        rest = rest.dropFirst()
      } else {
        result += table(rest[..<end])
        rest = rest[end...]
      }
    }
    return result
  }

  private func table(_ rows: ArraySlice<ProseBlock>) -> [ProseBlock] {
    var widths: [Int] = []
    for cells in rows.map(\.cells) {
      for (index, cell) in cells.enumerated() {
        let columns = cell.reduce(0) { $0 + width.columns($1.text.string) }
        if index < widths.count {
          widths[index] = max(widths[index], columns)
        } else {
          widths.append(columns)
        }
      }
    }
    let gaps = width.columns(ProseBlock.cellSeparator.text.string) * (widths.count - 1)
    // Text from right to left is laid out by lines, and a line break inside a cell would end its row.
    let isPlain = rows.allSatisfy { row in
      !row.spans.contains { $0.text.isRightToLeft || $0.text.string.utf8.contains(UInt8(ascii: "\n")) }
    }
    guard isPlain, widths.count > 1, widths.reduce(gaps, +) <= columns else { return Array(rows) }
    let lines: [[ProseBlock.Span]] = rows.flatMap { row in
      let padded = padded(row.cells, widths)
      guard row.isHeader, rows.count > 1 else { return [padded] }
      // Add a rule: colour alone would not distinguish names from values.
      let rule = widths.map { String(repeating: "─", count: $0 / max(width.columns("─"), 1)) }
        .joined(separator: Self.crossing)
      return [padded, [.init(text: DisplayText(unchecked: rule), style: .faint)]]
    }
    var block = ProseBlock(kind: .columns)
    block.cells = lines
    return [block]
  }

  private func padded(_ cells: [[ProseBlock.Span]], _ widths: [Int]) -> [ProseBlock.Span] {
    var spans: [ProseBlock.Span] = []
    for (index, cell) in cells.enumerated() {
      if index > 0 { spans.append(ProseBlock.cellSeparator) }
      spans += cell
      let gap = widths[index] - cell.reduce(0) { $0 + width.columns($1.text.string) }
      guard index < cells.count - 1, gap > 0 else { continue }
      spans.append(.init(text: DisplayText(unchecked: String(repeating: " ", count: gap)), style: .plain))
    }
    return spans
  }
}
