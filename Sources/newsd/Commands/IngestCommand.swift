import DIContainer
import Glibc
import Modules
import NewsCore

extension CommandTable {
  static let ingestCommand = CommandSpec(
    "ingest",
    "take in items from standard input, so that a script can be a feed",
    details: """
      Reads JSON Lines with the names of JSON Feed or of 'newsd list --format jsonl', sfeed's table, or one feed document
      (RSS, Atom, JSON Feed). Lines are taken as they come, the last being the newest. Rules apply; an item that is there
      already (by id, else address, else text) is brought up to date. Lines that cannot be read are named and cost
      nothing but themselves: the others are stored, and the exit status is 65.
      """,
    options: [
      OptionSpec(
        "feed",
        value: "NAME",
        completion: .feeds,
        "the feed they belong to, by id, URL or whole title; made when new"
      )
    ],
    examples: [
      .init("backup-report | newsd ingest --feed Backups", "a script's JSON lines as a feed"),
      .init(
        "newsd list --starred --format jsonl | newsd ingest --feed Kept",
        "copies of items in a feed of their own"
      ),
      .init("newsd ingest --feed LWN < ~/.sfeed/feeds/lwn", "items that sfeed has kept"),
    ]
  ) { invocation, context in
    guard let name = invocation.value("feed"), !name.isEmpty else {
      throw UsageError("ingest needs --feed NAME", command: "ingest")
    }
    let report = try await context.services.makeItemIngestion().run(into: name) { try InputChunks.next() }
    for problem in report.problems {
      let place = problem.line > 0 ? "line \(problem.line): " : ""
      context.warn(DisplayText(line: "\(place)\(problem.message)").string)
    }
    let more = report.problemCount - report.problems.count
    if more > 0 { context.warn("and \(more) more that could not be read") }
    context.note(
      "\(report.inserted) new, \(report.updated) changed, \(report.known) were there already"
    )
    return report.problemCount == 0 ? .done : .badData
  }
}

/// Standard input as it comes.
private enum InputChunks {
  /// More than this is not gathered before it is worked on.
  private static let limit = 1 << 20

  /// What is there, after waiting for something; nil at the end.
  static func next() throws(CommandFailure) -> [UInt8]? {
    var bytes: [UInt8] = []
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { chunk.deallocate() }
    while bytes.count < limit {
      let count = read(STDIN_FILENO, chunk.baseAddress, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw CommandFailure(.noInput, "cannot read standard input: \(String(cString: strerror(errno)))")
      }
      if count == 0 { return bytes.isEmpty ? nil : bytes }
      bytes.append(contentsOf: chunk[..<count])
      var more = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      if poll(&more, 1, 0) == 0 { break }
    }
    return bytes
  }
}
