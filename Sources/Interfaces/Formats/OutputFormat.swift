public import Modules

/// The shapes that results come in.
public enum OutputFormat: String, Hashable, Sendable, CaseIterable {
  /// For people.
  case text
  case tsv
  /// RFC 4180.
  case csv
  /// One array.
  case json
  /// One object a line.
  case jsonl
  /// One id a line.
  case ids
  /// The nine fields of sfeed(5).
  case sfeed
  /// RFC 4287.
  case atom
  /// RSS 2.0.
  case rss
  /// JSON Feed 1.1.
  case jsonfeed
  /// One page that needs nothing else.
  case html
  /// A list of subscriptions.
  case opml
  /// One mailbox file, mboxrd.
  case mbox
  /// A mailbox directory; only what is new there is delivered.
  case maildir
  case markdown
  /// By a template of the user's own.
  case template

  /// What items can be printed as.
  public static let forItems = allCases.filter { $0 != .opml }
  /// What feeds can be printed as.
  public static let forFeeds: [OutputFormat] = [.text, .tsv, .csv, .json, .jsonl, .ids, .opml, .template]
  /// What other records can be printed as.
  public static let forRecords: [OutputFormat] = [.text, .tsv, .csv, .json, .jsonl, .ids, .template]

  /// True for shapes whose readers pick what they want by name: all columns, unless some are asked for.
  var showsAllColumns: Bool { self == .json || self == .jsonl }

  /// True for shapes that begin with a line of column names unless told otherwise.
  var hasHeader: Bool { self == .csv }

  /// The format of that name.
  ///
  /// - Throws: A usage error with the nearest name.
  public init(named name: String, among formats: [OutputFormat] = allCases) throws(UserMessage) {
    guard let format = OutputFormat(rawValue: name), formats.contains(format) else {
      throw UserMessage(code: .usage, text: Spelling.unknown("format", name, among: formats.map(\.rawValue)))
    }
    self = format
  }
}
