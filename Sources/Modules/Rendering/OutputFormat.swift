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
}
