import Glibc
import Modules
import NewsCore

/// A program that uses the terminal while it runs: a browser, a pipe, or one of newsd's commands.
public struct ForegroundCall: Hashable, Sendable {
  /// The program, looked up in PATH if its name has no slash, and its arguments. Never empty.
  public var words: [String]
  /// Bytes for its standard input; nil: the terminal.
  public var input: [UInt8]?
  /// True: the program's output stays on the screen until a key is pressed.
  public var pauses: Bool
  /// True: the program is newsd, which needs the whole environment.
  public var isNewsd: Bool
  /// The recording that the program plays; nil: none.
  public var playback: PlayerCall?

  public init(
    words: [String],
    input: [UInt8]? = nil,
    pauses: Bool = false,
    isNewsd: Bool = false,
    playback: PlayerCall? = nil
  ) {
    self.words = words
    self.playback = playback
    self.input = input
    self.pauses = pauses
    self.isNewsd = isNewsd
  }
}

extension PlayerCall {
  var call: ForegroundCall { ForegroundCall(words: player + [url], playback: self) }
}

/// Runs foreground programs. Call it between `CursesScreen.leave` and the next drawing.
struct ForegroundProgram {
  let environment: [String: String]
  /// Names of the variables that hold credentials of feeds.
  var credentials: Set<String> = []

  /// Waits for the program's end. Returns a description of the failure; nil: success.
  func run(_ call: ForegroundCall) -> String? {
    let source = call.input.flatMap(Self.temporaryFile)
    defer { if let source { close(source) } }
    if call.input != nil, source == nil { return Wording.noTemporaryFileForItsInput(call.words[0]) }
    let outcome = Self.ignoringInterrupts { spawn(call, source) }
    if call.pauses { pause(outcome) }
    return outcome
  }

  /// Ignores SIGINT and SIGQUIT while the program runs, because the keys for them are meant for the program.
  private static func ignoringInterrupts(_ body: () -> String?) -> String? {
    var ignore = sigaction()
    ignore.__sigaction_handler.sa_handler = SIG_IGN
    var interrupt = sigaction()
    var quit = sigaction()
    sigaction(SIGINT, &ignore, &interrupt)
    sigaction(SIGQUIT, &ignore, &quit)
    defer {
      sigaction(SIGINT, &interrupt, nil)
      sigaction(SIGQUIT, &quit, nil)
    }
    return body()
  }

  private func spawn(_ call: ForegroundCall, _ source: Int32?) -> String? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let source { posix_spawn_file_actions_adddup2(&actions, source, STDIN_FILENO) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for signal in [SIGPIPE, SIGINT, SIGQUIT, SIGTSTP, SIGXFSZ] { sigaddset(&defaults, signal) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let variables =
      call.isNewsd ? environment : ChildEnvironment.inherited(environment, withholding: credentials)
    var words: [UnsafeMutablePointer<CChar>?] = call.words.map { strdup($0) } + [nil]
    var entries: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in words + entries { free(word) } }
    var pid: pid_t = 0
    let error = posix_spawnp(&pid, call.words[0], &actions, &attributes, &words, &entries)
    guard error == 0 else { return Wording.cannotRun(call.words[0], String(cString: strerror(error))) }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    guard status != 0 else { return nil }
    let code =
      status & 0x7F == 0
      ? Wording.endedWithStatus(Int((status >> 8) & 0xFF)) : Wording.wasEndedBySignal(Int(status & 0x7F))
    return "\(call.words[0]) \(code)"
  }

  private func pause(_ outcome: String?) {
    let text = Wording.pressEnter(outcome ?? "done")
    _ = Array(text.utf8).withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    var byte: UInt8 = 0
    while read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") {}
  }

  /// An unnamed temporary file for the program's input: a pipe would block the reader if the program does not
  /// read.
  private static func temporaryFile(_ bytes: [UInt8]) -> Int32? {
    guard let file = tmpfile() else { return nil }
    let descriptor = fcntl(fileno(file), F_DUPFD_CLOEXEC, 3)
    fclose(file)
    guard descriptor >= 0 else { return nil }
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else {
        close(descriptor)
        return nil
      }
      written += count
    }
    lseek(descriptor, 0, SEEK_SET)
    return descriptor
  }
}
