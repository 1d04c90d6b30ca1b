import DIContainer
import Modules

/// What the words of a command ask for.
enum CommandTask: Sendable {
  /// Opens the screen of a route, on the command line or in the reader.
  case open(Route)
  /// Runs a module that no screen opens.
  case run(Paging = .never, @Sendable (Configurator) async throws -> ExitStatus)
  /// Prints a text about the command line.
  case print(String)

  /// Whether text for people goes through the pager.
  enum Paging: Sendable {
    case never, always
    /// If the list may have more lines than the terminal; an item takes at most `linesOfItem` lines.
    case whenLong(ListRoute, linesOfItem: Int)

    init(_ route: Route) {
      self =
        switch route {
        case .items, .read, .versions, .difference: .always
        case .list(let list): .whenLong(list, linesOfItem: 1)
        case .search(let search): .whenLong(search.list, linesOfItem: 2)
        default: .never
        }
    }
  }
}
