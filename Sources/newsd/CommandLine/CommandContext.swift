import DIContainer
import Glibc
import Modules
import NewsCore
import NewsFormats
import NewsText

/// What every command works with, settled before it starts.
struct CommandContext: Sendable {
  let environment: [String: String]
  let settings: Settings
  let services: ServiceContainer
  let isQuiet: Bool
  let isVerbose: Bool
  /// What standard output was at the start.
  let probe: TerminalProbe
  /// For a long-running command: what it is told by signals.
  let signals: SignalStream?
  let output = StandardOutput()
  /// How newsd was called, for commands that users are told to type.
  let program = CommandText.program(CommandLine.arguments.first)

  /// True when people look at standard output.
  var isInteractive: Bool { probe.isTerminal }

  /// What views are told, by the options of the invocation.
  func terminal(_ invocation: Invocation) -> Terminal {
    var terminal = probe.terminal(zone: invocation.has("utc") ? .utc : .local, now: services.clock.now())
    terminal.escapesFormulas = invocation.has("csv-safe")
    return terminal
  }

  /// What messages are made for, which may be seen on a terminal while results go elsewhere.
  var messageProbe: TerminalProbe {
    TerminalProbe(environment: environment, color: probe.color, descriptor: STDERR_FILENO)
  }

  /// The format and the place for results, by the options of the invocation.
  ///
  /// - Throws: A usage error for a value that does not exist, and for a file that cannot be read.
  func presentation(_ invocation: Invocation) throws -> Presentation {
    let header: Bool? = invocation.has("header") ? true : invocation.has("no-header") ? false : nil
    var template = invocation.value("template")
    if let path = invocation.value("template-file") {
      template = String(decoding: try InputFile.read(path), as: UTF8.self)
    }
    var presentation = Presentation(
      format: try format(invocation),
      fields: invocation.value("fields")?.split(separator: ",").map(String.init),
      header: header,
      template: template,
      mailDirectory: try invocation.value("output").map { try Maildir(path: $0) },
      terminal: terminal(invocation),
      footer: isQuiet ? nil : CommandText(program: program).footer(of: invocation),
      output: DescriptorWriter(descriptor: STDOUT_FILENO),
      messages: DescriptorWriter(descriptor: STDERR_FILENO)
    )
    let messageProbe = messageProbe
    presentation.messageTerminal = messageProbe.terminal(
      zone: presentation.terminal.zone,
      now: presentation.terminal.now
    )
    presentation.currentWidth = { [probe] in probe.width }
    if !isQuiet, messageProbe.canRedraw { presentation.progressWidth = { messageProbe.width } }
    presentation.input = { try InputChunks.next() }
    presentation.help = ErrorReport.help(on: invocation.path.first)
    presentation.isQuiet = isQuiet
    presentation.isVerbose = isVerbose
    return presentation
  }

  /// The format that the options name; with a template and no format, that of templates.
  func format(_ invocation: Invocation) throws(UserMessage) -> OutputFormat {
    if let name = invocation.value("format") { return try OutputFormat(named: name) }
    return invocation.has("template") || invocation.has("template-file") ? .template : .text
  }

  /// The options as parts of routes.
  func reading(_ invocation: Invocation) throws -> RouteReading {
    RouteReading(
      invocation: invocation,
      now: services.clock.now(),
      isText: try format(invocation) == .text
    )
  }

  /// Runs the module of the route; long text for people goes through the pager.
  func run(_ route: Route, _ invocation: Invocation) async throws -> ExitStatus {
    var presentation = try presentation(invocation)
    // Where results are on the terminal, or in its pager, a progress line would get in between.
    if isInteractive, route.writesResults { presentation.progressWidth = nil }
    let output = StoppableWriter(descriptor: STDOUT_FILENO)
    if case .follow = route { presentation.output = output }
    let configurator = Configurator(services: services, presentation: presentation)
    @Sendable func run() async throws -> ExitStatus { ExitStatus(screen: try await configurator.run(route)) }
    switch route {
    case .follow(let follow):
      return try await untilSignalled(output, watchesReader: follow.program == nil, run)
    case .items, .articles, .read, .next, .open, .versions, .difference: return try await paged(run)
    case .list(let list), .arrivals(in: .list(let list), cursor: _):
      return try await tellingOfNothing { try await pagedWhenLong(list, configurator.presentation, run) }
    case .search(let search), .arrivals(in: .search(let search), cursor: _):
      return try await tellingOfNothing {
        try await pagedWhenLong(search.list, configurator.presentation, run)
      }
    default: return try await run()
    }
  }

  /// Says on a terminal that nothing was found, unless the screen has said that there are no feeds.
  private func tellingOfNothing(_ body: () async throws -> ExitStatus) async throws -> ExitStatus {
    let status = try await body()
    if status == .nothingMatched, isInteractive, try await !services.store().feeds().isEmpty {
      note("no item matches")
    }
    return status
  }

  /// Runs something that prints, through the pager when people look at a terminal.
  func paged<Result>(_ body: () async throws -> Result) async throws -> Result {
    guard isInteractive, let pager = Pager(environment: environment) else { return try await body() }
    guard pager.canRun, let running = pager.start() else {
      warn(DisplayText(line: "there is no pager \(pager.program ?? pager.command); printed without").string)
      return try await body()
    }
    let outcome: Swift.Result<Result, any Error>
    do {
      let result = try await body()
      try output.flush()
      outcome = .success(result)
    } catch OutputError.closed {
      // The user has left the pager: the end, and no failure.
      outcome = .failure(PagerLeft())
    } catch {
      outcome = .failure(error)
    }
    guard running.finish() else {
      throw CommandFailure(.inputOutput, "the pager cannot be run: \(pager.command)")
    }
    return try outcome.get()
  }

  /// A line for people on standard error, unless they asked for quiet.
  func note(_ text: String) {
    if !isQuiet { StandardError.line(text) }
  }

  /// A line that is wanted even when quiet: something failed.
  func warn(_ text: String) {
    StandardError.line("newsd: \(text)")
  }
}

/// The reader of the output was a pager that the user has left.
struct PagerLeft: Error {}

extension ExitStatus {
  /// What a module's screen ended with.
  init(screen status: Int32) {
    self = ExitStatus(rawValue: status) ?? .internalError
  }
}
