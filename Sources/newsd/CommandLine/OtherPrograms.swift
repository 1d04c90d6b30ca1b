import Glibc
import Modules
import NewsCore
import NewsToolbox

/// Sends standard output through a pager.
struct Pager {
  /// The pager's command line.
  let command: String
  private let environment: [String: String]

  /// Chooses `$NEWSD_PAGER`, `$PAGER`, or `less -FRX`. Nil if the variable is empty or `cat`, and without a
  /// variable if `less` is not installed.
  init?(environment: [String: String]) {
    if let named = environment["NEWSD_PAGER"] ?? environment["PAGER"] {
      guard !named.isEmpty, named != "cat" else { return nil }
      command = named
    } else {
      guard ExecutableSearch.finds("less") else { return nil }
      command = "less -FRX"
    }
    self.environment = environment
  }

  /// The program that the command names; nil if newsd cannot parse the command as a shell does.
  var program: String? {
    let words = try? CommandWords.split(command)
    return words?.first { !$0.contains("=") }
  }

  /// True unless the program certainly does not exist.
  var canRun: Bool {
    guard !command.contains(where: { "$`;&|<>(){}*?~#".contains($0) }), let program else { return true }
    return ExecutableSearch.finds(program)
  }

  /// Starts the pager and redirects standard output to it; nil on failure.
  func start() -> Running? {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    posix_spawn_file_actions_addclose(&actions, ends[1])
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // newsd ignores these signals during the pager's run; the pager must not inherit that.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for signal in [SIGPIPE, SIGINT, SIGQUIT] { sigaddset(&defaults, signal) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

    // Without these settings less and lv show colours as escape sequences.
    let variables = ChildEnvironment.inherited(
      ["LESS": "FRX", "LV": "-c"].merging(environment) { $1 },
      withholding: []
    )
    var words: [UnsafeMutablePointer<CChar>?] =
      ["sh", "-c", command].map { (word: String) in strdup(word) } + [nil]
    var entries: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in words + entries { free(word) } }
    var pid: pid_t = 0
    let saved = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard saved >= 0, posix_spawn(&pid, "/bin/sh", &actions, &attributes, &words, &entries) == 0 else {
      close(ends[0])
      close(ends[1])
      return nil
    }
    dup2(ends[1], STDOUT_FILENO)
    close(ends[0])
    close(ends[1])
    // If Ctrl-C ended newsd, the shell and the pager would both read the terminal.
    signal(SIGINT, SIG_IGN)
    signal(SIGQUIT, SIG_IGN)
    return Running(pid: pid, saved: saved)
  }

  /// A running pager that reads newsd's output.
  struct Running {
    fileprivate let pid: pid_t
    fileprivate let saved: Int32

    /// Closes the pager's input and waits for the pager to end; returns false if the shell could not run it.
    func finish() -> Bool {
      dup2(saved, STDOUT_FILENO)
      close(saved)
      var status: Int32 = 0
      while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
      signal(SIGINT, SIG_DFL)
      signal(SIGQUIT, SIG_DFL)
      let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 0
      // POSIX.1-2017, XCU 2.8.2: 127 means not found, 126 not executable.
      return code != 126 && code != 127
    }
  }
}

/// Finds programs as execvp(3) does.
enum ExecutableSearch {
  /// True if `name` is the path of an executable file, or the name of one in a folder of PATH.
  static func finds(_ name: String) -> Bool {
    if name.contains("/") { return isExecutable(name) }
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    return path.split(separator: ":", omittingEmptySubsequences: false)
      .contains { isExecutable($0.isEmpty ? name : "\($0)/\(name)") }
  }

  private static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}

/// The user's web browser.
struct Browser {
  let words: [String]
  private let environment: [String: String]

  /// Finds the browser: `$BROWSER`, split into words like a shell does, else `xdg-open`.
  /// `credentials` are the names of the variables that hold credentials of feeds, which the browser does not inherit.
  init(environment: [String: String], credentials: Set<String> = []) throws {
    self.environment = ChildEnvironment.inherited(environment, withholding: credentials)
    let line = environment["BROWSER"].flatMap { $0.isEmpty ? nil : $0 } ?? "xdg-open"
    do {
      words = try CommandWords.split(line)
    } catch {
      throw UserMessage(code: .notFound, text: "BROWSER: \(error.message)")
    }
    guard ExecutableSearch.finds(words[0]) else {
      throw UserMessage(
        code: .notFound,
        text: "there is no program \(words[0]) to open pages with; set BROWSER to one"
      )
    }
  }

  /// Runs the browser with the link as its last argument, and waits for it.
  func open(_ link: String) throws {
    // A store's address may have controls, which a program could pass on to the terminal.
    let link = URLResolver.resolve(link, base: nil) ?? ""
    var arguments: [UnsafeMutablePointer<CChar>?] = (words + [link]).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in arguments + variables { free(word) } }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // newsd ignores SIGPIPE; a browser must not inherit that.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var pid: pid_t = 0
    let error = posix_spawnp(&pid, words[0], nil, &attributes, &arguments, &variables)
    guard error == 0 else {
      throw UserMessage(code: .notFound, text: "cannot run \(words[0]): \(SystemError(code: error).reason)")
    }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    guard status == 0 else {
      throw UserMessage(code: .unreachable, text: "\(words[0]) could not open \(link)")
    }
  }
}
