import Modules
import NewsCore

/// The line below a page: its number, and the command that shows the next page.
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
  func command(page number: Int) -> DisplayText { command(option: "--page \(number)") }

  /// The command for what follows the item in a list by time. Unlike a page number it skips nothing where items have left
  /// the list since, and repeats nothing where items have been stored.
  func command(after id: NewsItem.ID) -> DisplayText { command(option: "--before \(id.rawValue)") }

  private func command(option: String) -> DisplayText {
    DisplayText(line: "\(command) \(option)\(query.isEmpty ? "" : " \(query)")")
  }
}
