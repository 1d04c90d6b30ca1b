import Glibc
import NewsCore
import Synchronization

/// A child process in a group of its own, with pipes to it. The thread that starts it watches it until it has ended.
struct ChildProcess {
  let pid: pid_t
  /// Our ends; -1 where there is none or it is closed.
  var input: Int32
  var output: Int32
  var errors: Int32

  struct Failure: Error {
    var reason: String
    init(_ code: Int32) { reason = String(cString: strerror(code)) }
  }

  /// Held from making pipes to starting: a program that another thread starts in between would inherit them, and keep
  /// this one from seeing the end of its input.
  private static let starting = Mutex(())

  static func start(_ words: [String], isRead: Bool) throws(Failure) -> ChildProcess {
    let result = starting.withLock { _ in
      Result { () throws(Failure) in try ChildProcess(words, isRead: isRead) }
    }
    return try result.get()
  }

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - words: The program and its arguments.
  ///   - isRead: True: its output comes to us; else it goes where ours goes.
  /// - Throws: Why it cannot be started.
  private init(_ words: [String], isRead: Bool) throws(Failure) {
    var pipes = Pipes()
    defer { pipes.closeChildEnds() }
    do {
      input = try pipes.make(for: 0)
      output = isRead ? try pipes.make(for: 1) : -1
      errors = isRead ? try pipes.make(for: 2) : -1
    } catch {
      pipes.closeOwnEnds()
      throw error
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (child, descriptor) in pipes.childEnds {
      posix_spawn_file_actions_adddup2(&actions, descriptor, child)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // newsd ignores SIGPIPE and may block signals; a program starts with a clean slate.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGUSR1] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var pid: pid_t = 0
    let status = posix_spawnp(&pid, words[0], &actions, &attributes, &arguments, environ)
    guard status == 0 else {
      pipes.closeOwnEnds()
      throw Failure(status)
    }
    self.pid = pid
  }

  /// Tells the program and all that it has started.
  func tell(_ signal: Int32) {
    kill(-pid, signal)
  }

  /// The wait status, if it has ended.
  func reap() -> Int32? {
    var status: Int32 = 0
    while true {
      let found = waitpid(pid, &status, WNOHANG)
      if found == pid { return status }
      // ECHILD: someone else has taken its status; it has ended.
      if found < 0, errno != EINTR { return 0 }
      if found == 0 { return nil }
    }
  }

  private struct Pipes {
    /// Their number in the child, and here.
    var childEnds: [(child: Int32, descriptor: Int32)] = []
    var ownEnds: [Int32] = []

    mutating func make(for child: Int32) throws(Failure) -> Int32 {
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else { throw Failure(errno) }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      // The child reads what is 0 there and writes the others.
      let (own, other) = child == 0 ? (ends[1], ends[0]) : (ends[0], ends[1])
      _ = fcntl(own, F_SETFL, O_NONBLOCK)
      childEnds.append((child, other))
      ownEnds.append(own)
      return own
    }

    func closeChildEnds() { for end in childEnds { close(end.descriptor) } }
    func closeOwnEnds() { for end in ownEnds { close(end) } }
  }
}
