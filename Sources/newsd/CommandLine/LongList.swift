import Modules

extension CommandContext {
  /// Runs a list through the pager where people look at more lines than their terminal has.
  func pagedWhenLong<Result>(
    _ list: ListRoute,
    isText: Bool,
    _ body: () async throws -> Result
  ) async throws -> Result {
    // Without a pager that can run, a list must not be lost in it.
    let hasPager = Pager(environment: environment)?.canRun ?? false
    guard isText, isInteractive, hasPager, Self.lines(of: list) >= probe.rows else {
      return try await body()
    }
    return try await paged(body)
  }

  /// Lines that a list may have, its footer included.
  private static func lines(of list: ListRoute) -> Int {
    if case .page(_, let size) = list.extent { size + 1 } else { .max }
  }
}
