import Glibc
import Modules
import NewsCore

/// The reader's thread: waits for keys and events, changes the state, draws. Work that may block runs in
/// tasks elsewhere.
struct ReaderLoop {
  let screen: CursesScreen
  let inbox: ReaderInbox
  let programs: ForegroundProgram
  let now: @Sendable () -> Timestamp
  /// Performs the effects that do not concern the terminal.
  let effects: @Sendable (ReaderEffect) -> Void
  private var lastPress: (row: Int, time: ContinuousClock.Instant)?

  init(
    screen: CursesScreen,
    inbox: ReaderInbox,
    programs: ForegroundProgram,
    now: @escaping @Sendable () -> Timestamp,
    effects: @escaping @Sendable (ReaderEffect) -> Void
  ) {
    self.screen = screen
    self.inbox = inbox
    self.programs = programs
    self.now = now
    self.effects = effects
  }

  /// Maximum number of keys processed before the screen is drawn again.
  private static let burst = 64

  /// Runs until the user leaves or the terminal is closed. `first` are the effects of starting the state.
  mutating func run(_ state: inout ReaderState, _ first: [ReaderEffect]) {
    perform(first)
    while !state.isOver {
      screen.draw(state.grid())
      guard wait() else { return }
      state.set(now: now())
      for event in inbox.take() { take(event, &state) }
      for _ in 0..<Self.burst where !state.isOver {
        guard let input = screen.nextInput() else { break }
        take(.input(doubled(input)), &state)
      }
    }
  }

  private func take(_ event: ReaderEvent, _ state: inout ReaderState) {
    guard case .input(.resized) = event else { return perform(state.take(event)) }
    let size = screen.size
    screen.resize(to: size)
    perform(state.take(.resized(size)))
  }

  /// Waits for a key or an event. Returns false if the terminal was closed.
  private func wait() -> Bool {
    var descriptors = [
      pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
      pollfd(fd: inbox.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&descriptors, 2, -1) < 0 {
      guard errno == EINTR else { return false }
    }
    return descriptors[0].revents & Int16(POLLHUP | POLLERR | POLLNVAL) == 0
  }

  /// Converts a second press on the same line within half a second to a double press.
  private mutating func doubled(_ input: ReaderInput) -> ReaderInput {
    guard case .mouse(.press(let row, let column)) = input else { return input }
    let time = ContinuousClock.now
    if let last = lastPress, last.row == row, time - last.time < .milliseconds(500) {
      lastPress = nil
      return .mouse(.doublePress(row: row, column: column))
    }
    lastPress = (row, time)
    return input
  }

  private func perform(_ effects: [ReaderEffect]) {
    for effect in effects {
      switch effect {
      case .redraw: screen.forget()
      case .suspend: suspend()
      case .run(let call): run(call)
      case .copy(let text): screen.send(Clipboard.sequence(text))
      default: self.effects(effect)
      }
    }
  }

  /// Runs a program on the terminal and waits for its end.
  private func run(_ call: ForegroundCall) {
    screen.leave()
    var problem: String?
    if let playback = call.playback {
      let end = playback.play { words in
        var call = call
        call.words = words
        return programs.run(call)
      }
      problem = end.problem
      if let played = end.played { effects(.played(played)) }
    } else {
      problem = programs.run(call)
    }
    screen.comeBack()
    inbox.post(.input(.resized))
    if let problem { inbox.post(.told(ReaderMessage(DisplayText(line: problem), isError: true))) }
  }

  /// Stops the process group as Ctrl-Z does, and returns when the shell continues it.
  private func suspend() {
    screen.leave()
    var action = sigaction()
    var previous = sigaction()
    sigaction(SIGTSTP, &action, &previous)
    kill(0, SIGTSTP)
    // Another thread may receive the signal first, so wait until the process stops. It does not stop if there is no
    // shell that could continue it.
    usleep(50_000)
    sigaction(SIGTSTP, &previous, nil)
    screen.comeBack()
    inbox.post(.input(.resized))
  }
}
