import DIContainer
import Glibc
import Modules
import NewsCore
import NewsFormats
import NewsText
import NewsToolbox

// MARK: - Running the module of a route

extension CommandContext {
  /// The format and destination of results, from the options of the invocation.
  func presentation(_ invocation: Invocation) throws -> Presentation {
    let header: Bool? = invocation.has("header") ? true : invocation.has("no-header") ? false : nil
    var template = invocation.value("template")
    if let path = invocation.value("template-file") {
      template = String(decoding: try InputFile.read(path), as: UTF8.self)
    }
    var presentation = Presentation(
      format: try format(invocation),
      fields: invocation.value("fields")?.split(ascii: ",").map(String.init),
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
    presentation.tellsOfNothing = isInteractive
    presentation.isVerbose = isVerbose
    return presentation
  }

  /// Builds and runs modules with the presentation that the options ask for.
  func configurator(_ invocation: Invocation) throws -> Configurator {
    Configurator(
      services: services,
      presentation: try presentation(invocation),
      host: ProcessHost(context: self, invocation: invocation)
    )
  }

  /// Runs the module of the route; sends long text for people through the pager.
  func run(_ route: Route, _ invocation: Invocation) async throws -> ExitStatus {
    var presentation = try presentation(invocation)
    // Hide progress: its line would mix with results on the terminal or in its pager.
    if isInteractive, route.writesResults { presentation.progressWidth = nil }
    let output = StoppableWriter(descriptor: STDOUT_FILENO)
    if case .follow = route { presentation.output = output }
    if case .reader = route { presentation.isQuiet = true }
    // No socket is in use, so let a closed output end newsd by SIGPIPE at once, not after the whole document
    // is parsed.
    if case .parsedFeed = route { signal(SIGPIPE, SIG_DFL) }
    let host = ProcessHost(context: self, invocation: invocation)
    let configurator = Configurator(services: services, presentation: presentation, host: host)
    @Sendable func run() async throws -> ExitStatus { try await configurator.run(route) }
    switch route {
    case .follow(let follow):
      return try await untilSignalled(output, watchesReader: follow.program == nil, run)
    case .items, .articles, .read, .next, .open, .versions, .difference: return try await paged(run)
    case .list(let list), .arrivals(in: .list(let list), cursor: _):
      return try await pagedWhenLong(list, configurator.presentation, run)
    case .search(let search), .arrivals(in: .search(let search), cursor: _):
      return try await pagedWhenLong(search.list, linesOfItem: 2, configurator.presentation, run)
    default: return try await run()
    }
  }

  /// Runs `body` with its output sent through the pager, if standard output is a terminal.
  func paged<Result>(_ body: () async throws -> Result) async throws -> Result {
    guard isInteractive, let pager = Pager(environment: environment) else { return try await body() }
    guard pager.canRun, let running = pager.start() else {
      warn(
        DisplayText(
          line: "there is no pager '\(pager.program ?? pager.command)'; the output is printed without one"
        ).string
      )
      return try await body()
    }
    let outcome: Swift.Result<Result, any Error>
    do {
      outcome = .success(try await body())
    } catch OutputError.closed {
      // The user has quit the pager: exit without an error.
      outcome = .failure(PagerLeft())
    } catch {
      outcome = .failure(error)
    }
    guard running.finish() else {
      throw UserMessage(code: .io, text: "the pager cannot be run: \(pager.command)")
    }
    return try outcome.get()
  }
}

/// Thrown when the user has quit the pager.
struct PagerLeft: Error {}
