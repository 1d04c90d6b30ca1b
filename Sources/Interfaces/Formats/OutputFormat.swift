public import Modules
import NewsToolbox

/// The output formats.
public enum OutputFormat: String, Hashable, Sendable, CaseIterable {
  /// Text for people.
  case text
  case tsv
  /// RFC 4180.
  case csv
  /// One JSON array.
  case json
  /// JSON Lines: one object per line.
  case jsonl
  /// One id per line.
  case ids
  /// The nine fields of sfeed(5).
  case sfeed
  /// RFC 4287.
  case atom
  /// RSS 2.0.
  case rss
  /// JSON Feed 1.1.
  case jsonfeed
  /// Google Reader's form, which FreshRSS imports.
  case greaderJSON = "greader-json"
  /// One self-contained page.
  case html
  /// A list of subscriptions; only for feeds.
  case opml
  /// One mailbox file in the mboxrd format.
  case mbox
  /// A Maildir; each item is delivered once.
  case maildir
  case markdown
  /// The user's template.
  case template
  /// Metrics; only for `status`.
  case prometheus

  /// The formats of items.
  public static let forItems = allCases.filter { $0 != .opml && $0 != .prometheus }
  /// The formats of feeds.
  public static let forFeeds: [OutputFormat] = [.text, .tsv, .csv, .json, .jsonl, .ids, .opml, .template]
  /// The formats of all other records.
  public static let forRecords: [OutputFormat] = [.text, .tsv, .csv, .json, .jsonl, .ids, .template]
  /// The formats of `status`.
  public static let forStatus = forRecords + [.prometheus]

  /// True for formats whose readers select columns by name; they contain all columns by default.
  var showsAllColumns: Bool { self == .json || self == .jsonl }

  /// True for formats that begin with a line of column names by default.
  var hasHeader: Bool { self == .csv }

  /// Finds the format with that name. Throws a usage error that suggests the most similar name.
  public init(named name: String, among formats: [OutputFormat] = allCases) throws(UserMessage) {
    guard let format = OutputFormat(rawValue: name), formats.contains(format) else {
      throw UserMessage(
        code: .usage,
        text: NameHint.unknown("format", name, among: formats.map(\.rawValue))
      )
    }
    self = format
  }
}
