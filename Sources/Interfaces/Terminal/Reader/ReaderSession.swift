import Glibc
public import Modules
public import NewsCore
public import NewsText
import NewsToolbox

/// The interactive reader, from its first screen to its end.
public struct ReaderSession: Sendable {
  private let modules: any ReaderModules
  private let commands: any ReaderCommands
  private let options: ReaderOptions
  private let terminal: Terminal
  private let now: @Sendable () -> Timestamp
  private let environment: [String: String]
  private let credentials: Set<String>

  /// `credentials` are the names of the environment variables that hold credentials of feeds, which the reader's programs
  /// do not inherit.
  public init(
    modules: any ReaderModules,
    commands: any ReaderCommands,
    options: ReaderOptions,
    terminal: Terminal,
    environment: [String: String],
    credentials: Set<String>,
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.modules = modules
    self.commands = commands
    var options = options
    options.direction = options.direction.resolved(environment)
    self.options = options
    self.terminal = terminal
    self.environment = environment
    self.credentials = credentials
    self.now = now
  }

  /// Runs until the user leaves, the terminal is gone or a signal ends it. The terminal is restored when this
  /// returns. Without a route, it begins with the subscriptions, or the last place. Any signal but a resize
  /// or a stop ends the reader.
  public func run(_ route: Route?, signals: AsyncStream<Int32>) async throws {
    try CursesScreen.check(terminal: environment["TERM"])
    let inbox = try ReaderInbox()
    let (effects, output) = AsyncStream.makeStream(of: ReaderEffect.self)
    let (marks, markOutput) = AsyncStream.makeStream(of: MarkRequest.self)
    let worker = ReaderWorker(modules: modules, commands: commands, options: options, inbox: inbox)
    let failure = await withTaskGroup(of: Void.self) { group in
      group.addTask { await worker.run(effects) }
      group.addTask {
        for await signal in signals {
          switch signal {
          case SIGWINCH: inbox.post(.input(.resized))
          case SIGTSTP: inbox.post(.input(.suspended))
          default: inbox.post(.ended)
          }
        }
      }
      group.addTask { await worker.watch() }
      async let written: Void = worker.write(marks)
      let ended = await DetachedThread.run { [self] () -> UserMessage? in
        drive(route, inbox) { effect in
          if case .mark(let request) = effect { markOutput.yield(request) } else { output.yield(effect) }
        }
      }
      // Write all marks, even if other work is abandoned.
      markOutput.finish()
      output.finish()
      await written
      group.cancelAll()
      return ended ?? UserMessage(code: .internalError, text: Wording.cannotStartAThreadForTheTerminal)
    }
    if let failure { throw failure }
  }

  /// Runs the reader's thread. Returns the reason why the reader could not start; nil: it ran to its end.
  private func drive(
    _ route: Route?,
    _ inbox: ReaderInbox,
    _ effects: @escaping @Sendable (ReaderEffect) -> Void
  ) -> UserMessage? {
    let screen: CursesScreen
    do throws(UserMessage) {
      screen = try CursesScreen(
        theme: options.theme,
        usesColour: terminal.usesColour,
        usesMouse: options.usesMouse,
        stopsReordering: options.direction.mustTellTerminal(environment),
        terminal: environment["TERM"]
      )
    } catch {
      return error
    }
    var state = ReaderState(options: options, size: screen.size, terminal: terminal)
    var loop = ReaderLoop(
      screen: screen,
      inbox: inbox,
      programs: ForegroundProgram(environment: environment, credentials: credentials),
      now: now,
      effects: effects
    )
    let last = route == nil && options.startsAtLastPlace ? ReaderPlace(json: modules.lastPlace()) : nil
    loop.run(&state, last.map { state.start(at: $0) } ?? state.start(route))
    screen.leave()
    // If the place cannot be written, the reader opens on the subscriptions the next time.
    if options.startsAtLastPlace { try? modules.keep(lastPlace: state.place.json) }
    return nil
  }
}
