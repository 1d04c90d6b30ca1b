import DIContainer
import Glibc
import Modules
import NewsService

/// What every command works with, settled before it starts.
struct CommandContext: Sendable {
  let environment: [String: String]
  let settings: Settings
  let services: ServiceContainer
  let isQuiet: Bool
  let isVerbose: Bool
  let color: TerminalProbe.ColorChoice
  /// For a long-running command: what it is told by signals.
  let signals: SignalStream?
  let output = StandardOutput()

  private var probe: TerminalProbe { TerminalProbe(environment: environment, color: color) }

  /// True when people look at standard output.
  var isInteractive: Bool { probe.isTerminal }

  /// What views are told, by the options of the invocation.
  func terminal(_ invocation: Invocation) -> Terminal {
    probe.terminal(zone: invocation.has("utc") ? .utc : .local, now: services.clock.now())
  }

  /// The format and the place for results, by the options of the invocation.
  func presentation(_ invocation: Invocation) throws -> Presentation {
    let header: Bool? = invocation.has("header") ? true : invocation.has("no-header") ? false : nil
    var template = invocation.value("template")
    if let path = invocation.value("template-file") {
      template = String(decoding: try InputFile.read(path), as: UTF8.self)
    }
    let preset: OutputFormat = template == nil ? .text : .template
    return Presentation(
      format: try invocation.value("format").map { try OutputFormat(named: $0) } ?? preset,
      fields: invocation.value("fields")?.split(separator: ",").map(String.init),
      header: header,
      template: template,
      mailDirectory: try invocation.value("output").map { try Maildir(path: $0) },
      terminal: terminal(invocation),
      output: DescriptorWriter(descriptor: STDOUT_FILENO),
      messages: DescriptorWriter(descriptor: STDERR_FILENO)
    )
  }

  /// Runs something that prints, through the pager when people look at a terminal.
  func paged<Result>(_ body: () async throws -> Result) async throws -> Result {
    guard isInteractive, let pager = Pager.start(environment: environment) else { return try await body() }
    defer { pager.finish() }
    do {
      return try await body()
    } catch OutputError.closed {
      // The user has left the pager: the end, and no failure.
      throw PagerLeft()
    }
  }

  func configurator(_ invocation: Invocation) throws -> Configurator {
    Configurator(services: services, presentation: try presentation(invocation))
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
