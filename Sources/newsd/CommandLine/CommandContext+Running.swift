import DIContainer
import Glibc
import Modules
import NewsFormats
import NewsText
import NewsToolbox

// MARK: - Running tasks

extension CommandContext {
  /// The format and destination of results, from the options of the invocation.
  func presentation(_ invocation: Invocation) throws -> Presentation {
    let header: Bool? = invocation.has("header") ? true : invocation.has("no-header") ? false : nil
    var template = invocation.value("template")
    if let path = invocation.value("template-file") {
      template = String(decoding: try InputFile.read(path), as: UTF8.self)
    }
    let shape = OutputShape(
      format: format(invocation),
      fields: invocation.value("fields")?.split(ascii: ",").map(String.init),
      header: header,
      template: template,
      mailDirectory: try invocation.value("output").map { try Maildir(path: $0) },
      terminal: terminal(invocation)
    )
    var presentation = Presentation(
      shape: shape,
      footer: isQuiet ? nil : CommandText(program: program).footer(of: invocation),
      output: DescriptorWriter(descriptor: STDOUT_FILENO),
      messages: DescriptorWriter(descriptor: STDERR_FILENO)
    )
    let messageProbe = messageProbe
    presentation.messageTerminal = messageProbe.terminal(
      zone: shape.terminal.zone,
      now: shape.terminal.now
    )
    presentation.currentWidth = { [probe] in probe.width }
    if !isQuiet, messageProbe.canRedraw { presentation.progressWidth = { messageProbe.width } }
    presentation.input = { try InputChunks.next() }
    presentation.help = ErrorReport.help(on: invocation.path.first)
    presentation.isQuiet = isQuiet
    presentation.isInteractive = isInteractive
    presentation.isVerbose = isVerbose
    return presentation
  }

  /// Builds and runs modules with the presentation that the options ask for.
  func configurator(_ invocation: Invocation) throws -> Configurator {
    Configurator(
      services: services,
      presentation: try presentation(invocation),
      accounts: accounts,
      isForAllAccounts: isForAllAccounts
    )
  }

  /// Performs a task; sends long text for people through the pager.
  func run(_ task: CommandTask, _ invocation: Invocation) async throws -> ExitStatus {
    switch task {
    case .open(let route):
      return try await run(.run(.init(route)) { try await $0.open(route) }, invocation)
    case .print(let text):
      try DescriptorWriter(descriptor: STDOUT_FILENO).write(Array(text.utf8))
      return .done
    case .run(let paging, let body):
      let configurator = try configurator(invocation)
      switch paging {
      case .never: return try await body(configurator)
      case .always: return try await paged { try await body(configurator) }
      case .whenLong(let list, let linesOfItem):
        guard isLong(list, linesOfItem, configurator.presentation.shape.format) else {
          return try await body(configurator)
        }
        return try await paged { try await body(configurator) }
      }
    }
  }

  /// True if a list is text that may have more lines than the terminal, and there is a pager for it. An item takes at
  /// most `linesOfItem` lines.
  private func isLong(_ list: ListRoute, _ linesOfItem: Int, _ format: OutputFormat) -> Bool {
    // Do not start a pager that cannot run: the list would be lost.
    guard format == .text, isInteractive, Pager(environment: environment)?.canRun == true else {
      return false
    }
    guard case .page(_, let size) = list.extent else { return true }
    return size * linesOfItem + 1 >= probe.rows
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

/// Formats an invocation as a command to paste into a shell.
struct CommandText {
  let program: String

  /// The footer of a page that `invocation` shows.
  func footer(of invocation: Invocation) -> ListFooter {
    let options = CommandTable.globalOptions + (CommandTable.command(invocation.path)?.options ?? [])
    var words = [program] + invocation.path
    for option in options where !["page", "before"].contains(option.long) {
      for value in invocation.values(option.long) {
        words.append(option.short.map { "-\($0)" } ?? "--\(option.long)")
        if option.value != nil { words.append(option.long == "db" ? Settings.storeName(value) : value) }
      }
    }
    // A query word that begins with a dash could be read as an option.
    let isDashed = invocation.operands.contains { $0.utf8.first == UInt8(ascii: "-") }
    let query = (isDashed ? ["--"] : []) + invocation.operands
    return ListFooter(
      command: words.map(CommandWords.quoted).joined(separator: " "),
      query: query.map(CommandWords.quoted).joined(separator: " ")
    )
  }
}

extension CommandContext {
  /// Runs a stream until a signal arrives. The stream stops between two items, with all output flushed; within an
  /// item only if the reader of the output has stalled.
  ///
  /// - Parameters:
  ///   - output: The destination of the stream.
  ///   - watchesReader: True: also end when the reader of standard output has closed it.
  ///   - stream: Runs until its task is cancelled.
  /// - Returns: The exit status of the stream.
  /// - Throws: Errors of the stream; `OutputError.closed` if the reader has closed the output.
  func untilSignalled(
    _ output: StoppableWriter,
    watchesReader: Bool,
    _ stream: @escaping @Sendable () async throws -> ExitStatus
  ) async throws -> ExitStatus {
    let signals = try requireSignals()
    return try await withThrowingTaskGroup(of: ExitStatus?.self) { group in
      group.addTask {
        do {
          return try await stream()
        } catch OutputError.failed(EINTR) where output.isStopped {
          return .done
        }
      }
      group.addTask {
        for await _ in signals.signals {
          output.stop()
          return nil
        }
        guard Task.isCancelled else {
          throw UserMessage(
            code: .internalError,
            text: "cannot install signal handlers: no pipe or thread can be created"
          )
        }
        return nil
      }
      if watchesReader {
        group.addTask {
          try await Self.throwWhenReaderCloses()
          return nil
        }
      }
      var status = ExitStatus.done
      while let ended = try await group.next() {
        group.cancelAll()
        if let ended { status = ended }
      }
      return status
    }
  }

  /// Runs a command that makes unfinished stores. A signal ends the process as it would without this, but leaves none of them.
  func removingUnfinished(_ body: () async throws -> ExitStatus) async throws -> ExitStatus {
    let signals = try requireSignals()
    let watch = Task {
      for await signal in signals.signals {
        WorkFolder.removeAll()
        SignalStream.end(by: signal)
      }
    }
    defer { watch.cancel() }
    return try await body()
  }

  /// Polls until the task is cancelled, and throws when the reader has closed the output. Without this, only the next
  /// write would notice, perhaps hours later.
  private static func throwWhenReaderCloses() async throws(OutputError) {
    while (try? await Task.sleep(for: .milliseconds(500))) != nil {
      var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
      if poll(&output, 1, 0) > 0, output.revents & Int16(POLLERR | POLLHUP) != 0 { throw .closed }
    }
  }
}
