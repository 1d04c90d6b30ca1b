import Glibc
import Modules

/// The entry point.
@main
struct Newsd {
  /// Not async: with too little address space, the runtime waits for threads without end, so the limits are checked before it
  /// starts any.
  static func main() {
    StartLimits.fillStandardDescriptors()
    do {
      try StartLimits.check(StartLimits.always, for: "newsd")
    } catch {
      StandardError.line("newsd: \(error.text)")
      _exit(error.code.rawValue)
    }
    signal(SIGPIPE, SIG_IGN)
    // Without SIGXFSZ, a write beyond the file size limit fails instead of ending the process.
    signal(SIGXFSZ, SIG_IGN)
    // If the parent ignores SIGCHLD, newsd inherits that and cannot wait for its programs.
    signal(SIGCHLD, SIG_DFL)
    setlocale(LC_ALL, "")
    // Signals arrive in this thread. The parent may have blocked them, and libdispatch blocks them in its threads.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    let runner = CommandRunner(environment: CommandRunner.processEnvironment())
    let words = Array(CommandLine.arguments.dropFirst())
    // Detached, because this thread, which would run tasks of the main actor, only waits.
    Task.detached { exit(await runner.run(words).rawValue) }
    while true { pause() }
  }
}
