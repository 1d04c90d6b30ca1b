public import NewsCore

/// A view model with typed records, for the formats that programs read.
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

/// A short list with a line of text for each record.
public protocol RecordListContent: RecordContent {
  var lines: [RecordLine<Record>] { get }
}

extension RecordListContent {
  public var records: [Record] { lines.map(\.record) }
}

/// A record and its line of text.
public struct RecordLine<Record: Sendable>: Sendable {
  public var record: Record
  public var text: DisplayText
  /// A second line, indented.
  public var note: DisplayText?
}

/// The parts of items that a view shows; nothing else is read from the store or formatted.
public enum ItemNeeds: Hashable, Sendable {
  /// Lines for people; lists and searches may also show the total number of items.
  case headlines
  /// Items with these parts, and no lines.
  case records(ItemParts)

  var showsHeadlines: Bool { self == .headlines }
}
