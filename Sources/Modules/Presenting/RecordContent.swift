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

/// A small list: a line for people of each record, after a sentence on what was done.
public protocol RecordListContent: RecordContent {
  var lines: [RecordLine<Record>] { get }
  /// What was done, in a sentence before the records; nil: nothing was.
  var notice: DisplayText? { get }
}

extension RecordListContent {
  public var records: [Record] { lines.map(\.record) }
  public var notice: DisplayText? { nil }
}

/// A record with the line that people see of it.
public struct RecordLine<Record: Sendable>: Sendable {
  public var record: Record
  public var text: DisplayText
  /// A second line, indented.
  public var note: DisplayText?
}

/// What a view shows of items, so that the store is asked for nothing else and no line is made in vain.
public enum ItemInterest: Hashable, Sendable {
  /// Lines for people, with totals.
  case headlines
  /// Items with these parts, and no lines.
  case records(ItemParts)

  var showsHeadlines: Bool { self == .headlines }
}
