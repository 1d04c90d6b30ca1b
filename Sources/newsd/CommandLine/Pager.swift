import Glibc

/// Sends standard output through a pager, as git and man do.
enum Pager {
  /// Starts `$NEWSD_PAGER`, `$PAGER` or `less -FRX` and makes it the reader of standard output; nil when there is none
  /// to be had. An empty variable or `cat` means none.
  static func start(environment: [String: String]) -> Running? {
    let command = environment["NEWSD_PAGER"] ?? environment["PAGER"] ?? "less -FRX"
    guard !command.isEmpty, command != "cat" else { return nil }
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
    // newsd ignores SIGPIPE; a pager must not inherit that.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

    // The variable is the user's own command line, options and all: a shell splits it, as every pager's caller does.
    var words: [UnsafeMutablePointer<CChar>?] =
      ["sh", "-c", command].map { (word: String) in strdup(word) } + [nil]
    defer { for word in words { free(word) } }
    var pid: pid_t = 0
    let saved = dup(STDOUT_FILENO)
    guard saved >= 0, posix_spawn(&pid, "/bin/sh", &actions, &attributes, &words, environ) == 0 else {
      close(ends[0])
      close(ends[1])
      return nil
    }
    dup2(ends[1], STDOUT_FILENO)
    close(ends[0])
    close(ends[1])
    return Running(pid: pid, saved: saved)
  }

  /// A pager that reads our output.
  struct Running {
    fileprivate let pid: pid_t
    fileprivate let saved: Int32

    /// Closes its input and waits until the user has left it.
    func finish() {
      dup2(saved, STDOUT_FILENO)
      close(saved)
      var status: Int32 = 0
      while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    }
  }
}
