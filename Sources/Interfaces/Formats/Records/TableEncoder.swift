import NewsCore
import NewsText
import NewsToolbox

/// Encodes selected columns of records as JSON, JSON Lines, TSV or CSV, or only their ids.
struct TableEncoder<Record: Sendable>: RecordEncoding {
  let shape: TableFormat
  let columns: [Column<Record>]
  let hasHeader: Bool
  /// True: put `'` before CSV text that a spreadsheet would run as a formula.
  let escapesFormulas: Bool
  /// The bytes before each value of an object: `,"id":`, `,"title":` and so on.
  private let keys: [[UInt8]]
  private var isFirst = true

  init(
    _ shape: TableFormat,
    columns: [Column<Record>],
    hasHeader: Bool = false,
    escapesFormulas: Bool = false
  ) {
    self.shape = shape
    self.columns = columns
    self.hasHeader = hasHeader
    self.escapesFormulas = escapesFormulas
    keys = columns.map { Array(",\"\($0.name)\":".utf8) }
  }

  mutating func begin(_ buffer: inout ByteBuffer) {
    switch shape {
    case .json: buffer.append(UInt8(ascii: "["))
    case .jsonLines, .ids: break
    case .tsv where hasHeader:
      appendCells(&buffer, separator: UInt8(ascii: "\t")) { $0.append($1.name) }
      buffer.newLine()
    case .csv where hasHeader:
      appendCells(&buffer, separator: UInt8(ascii: ",")) { $0.append($1.name) }
      buffer.append(literal: "\r\n")
    case .tsv, .csv: break
    }
  }

  // Specialized for items and changes, of which there may be millions: unspecialized code takes twice as long.
  @specialized(where Record == ItemMatch)
  @specialized(where Record == LogEntry)
  mutating func append(_ record: Record, to buffer: inout ByteBuffer) {
    switch shape {
    case .json:
      buffer.append(literal: isFirst ? "\n" : ",\n")
      appendObject(record, to: &buffer)
    case .jsonLines:
      appendObject(record, to: &buffer)
      buffer.newLine()
    case .tsv:
      appendCells(&buffer, separator: UInt8(ascii: "\t")) { $0.append(tsv: $1.value(record)) }
      buffer.newLine()
    case .csv:
      appendCells(&buffer, separator: UInt8(ascii: ",")) {
        $0.append(csv: $1.value(record), escapesFormulas: escapesFormulas)
      }
      buffer.append(literal: "\r\n")
    case .ids:
      // Skip changes of feeds, which have no item id.
      guard let id = columns.first?.value(record), id != .none else { return }
      buffer.append(tsv: id)
      buffer.newLine()
    }
    isFirst = false
  }

  mutating func end(_ buffer: inout ByteBuffer) {
    guard shape == .json else { return }
    buffer.append(literal: isFirst ? "]\n" : "\n]\n")
  }

  private func appendObject(_ record: Record, to buffer: inout ByteBuffer) {
    buffer.append(literal: "{\"schema\":1")
    // By index: an iterator would retain each column and key once more.
    for index in keys.indices {
      buffer.append(keys[index])
      buffer.append(json: columns[index].value(record))
    }
    buffer.append(UInt8(ascii: "}"))
  }

  private func appendCells(
    _ buffer: inout ByteBuffer,
    separator: UInt8,
    _ cell: (inout ByteBuffer, Column<Record>) -> Void
  ) {
    var isFirstCell = true
    for column in columns {
      if !isFirstCell { buffer.append(separator) }
      isFirstCell = false
      cell(&buffer, column)
    }
  }
}

/// The formats of a `TableEncoder`.
enum TableFormat: Sendable { case json, jsonLines, tsv, csv, ids }
