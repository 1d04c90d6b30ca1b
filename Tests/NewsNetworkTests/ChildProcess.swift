import Glibc

/// A program that a test starts without input and output, and ends. Foundation's `Process` waits in a run loop, which
/// tasks do not have.
struct ChildProcess {
  private let id: pid_t

  struct NotStarted: Error {
    let program: String
  }

  init(_ program: String, _ arguments: [String]) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in 0...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    var argv = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for argument in argv { free(argument) } }
    var id: pid_t = 0
    guard posix_spawn(&id, program, &actions, nil, &argv, environ) == 0 else {
      throw NotStarted(program: program)
    }
    self.id = id
  }

  func wait() {
    while waitpid(id, nil, 0) < 0, errno == EINTR {}
  }

  func kill() {
    Glibc.kill(id, SIGKILL)
    wait()
  }
}
