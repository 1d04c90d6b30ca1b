import Modules

/// What text says below a page: where the reader is, and the command that shows the next page.
public struct ListFooter: Hashable, Sendable {
  /// The command that showed this page, without the option that chose it.
  public var command: String
  /// Words that come after the page option: the query.
  public var query: String

  public init(command: String = "newsd list", query: String = "") {
    self.command = command
    self.query = query
  }

  /// The command for page `number`.
  func command(page number: Int) -> DisplayText {
    DisplayText(line: "\(command) --page \(number)\(query.isEmpty ? "" : " \(query)")")
  }
}
