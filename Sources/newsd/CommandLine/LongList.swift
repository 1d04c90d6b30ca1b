import Glibc
import Modules

extension CommandContext {
  /// Runs a list through the pager where people look at more lines than their terminal has.
  func pagedWhenLong<Result>(
    _ list: ListRoute,
    isText: Bool,
    _ body: () async throws -> Result
  ) async throws -> Result {
    guard isText, isInteractive, hasPager, Self.lines(of: list) >= terminalRows else {
      return try await body()
    }
    return try await paged(body)
  }

  /// Lines that a list may have, its footer included.
  private static func lines(of list: ListRoute) -> Int {
    if case .page(_, let size) = list.extent { size + 1 } else { .max }
  }

  private var terminalRows: Int {
    var size = winsize()
    // TIOCGWINSZ is a macro that Swift does not import on Linux.
    return ioctl(STDOUT_FILENO, 0x5413, &size) == 0 && size.ws_row > 0 ? Int(size.ws_row) : 24
  }

  /// False when it is known that the pager is not there: a list must not be lost in it.
  private var hasPager: Bool {
    let command = environment["NEWSD_PAGER"] ?? environment["PAGER"] ?? "less"
    let program = command.split(separator: " ").first.map(String.init) ?? ""
    return program.contains(where: { "=$(;".contains($0) }) || ExecutableSearch.finds(program)
  }
}
