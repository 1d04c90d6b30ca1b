import DIContainer
import Modules
import NewsFormats

extension CommandContext {
  /// Runs `body` through the pager if the list may have more lines than the terminal. An item takes at most
  /// `linesOfItem` lines.
  func pagedWhenLong<Result>(
    _ list: ListRoute,
    linesOfItem: Int = 1,
    _ presentation: Presentation,
    _ body: () async throws -> Result
  ) async throws -> Result {
    // Do not start a pager that cannot run: the list would be lost.
    let hasPager = Pager(environment: environment)?.canRun ?? false
    guard presentation.format == .text, isInteractive, hasPager,
      Self.lines(of: list, linesOfItem) >= probe.rows
    else {
      return try await body()
    }
    return try await paged(body)
  }

  /// Upper bound on the lines of the list, its footer included.
  private static func lines(of list: ListRoute, _ linesOfItem: Int) -> Int {
    if case .page(_, let size) = list.extent { size * linesOfItem + 1 } else { .max }
  }
}
