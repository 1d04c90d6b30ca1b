public import NewsCore

/// A view model that carries the typed records it shows, for the formats that programs read.
public protocol RecordContent<Record>: ScreenContent {
  associatedtype Record: Sendable
  var records: [Record] { get }
}

/// A view model whose records are items.
public protocol ItemContent: RecordContent where Record == ItemMatch {
  var items: [ItemMatch] { get }
}

extension ItemContent {
  public var records: [ItemMatch] { items }
  public var rowCount: Int { items.count }
}

/// A small list: a line for people of each record.
public protocol RecordListContent: RecordContent {
  var lines: [RecordLine<Record>] { get }
}

extension RecordListContent {
  public var records: [Record] { lines.map(\.record) }
}

/// A record with the line that people see of it.
public struct RecordLine<Record: Sendable>: Sendable {
  public var record: Record
  public var text: DisplayText
  /// A second line, indented.
  public var note: DisplayText?
}

/// The parts of items that a view shows, so that no others are read from the store and no unused lines are made.
public enum ItemInterest: Hashable, Sendable {
  /// Lines for people, with totals.
  case headlines
  /// Items with these parts, and no lines.
  case records(ItemParts)

  var showsHeadlines: Bool { self == .headlines }
}
