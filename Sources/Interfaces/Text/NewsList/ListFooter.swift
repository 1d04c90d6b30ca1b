import Modules
import NewsCore

/// The line below a page: the page's number, and the command that shows the next page.
public struct ListFooter: Hashable, Sendable {
  /// The command that shows this list, without the option for the page.
  public var command: String
  /// The query, which follows the option for the page.
  public var query: String

  public init(command: String = "newsd list", query: String = "") {
    self.command = command
    self.query = query
  }

  /// The command for page `number`.
  func command(page number: Int) -> DisplayText { command(option: "--page \(number)") }

  /// The command for the items after `id` in a list by time. Unlike a page number, it skips and repeats no item if
  /// the list has changed in the meantime.
  func command(after id: NewsItem.ID) -> DisplayText { command(option: "--before \(id.rawValue)") }

  private func command(option: String) -> DisplayText {
    DisplayText(line: "\(command) \(option)\(query.isEmpty ? "" : " \(query)")")
  }
}
