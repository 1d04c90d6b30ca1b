import Glibc
import Modules

/// The entry point.
@main
struct Newsd {
  /// Runs newsd. Not async, so that the limits are checked before the runtime starts threads: with too little address
  /// space, it would wait for them forever.
  static func main() {
    // Only root may raise the priority of threads. libdispatch tries to, and writes each refusal to the system's log.
    setenv("LIBDISPATCH_LOG", "NO", 0)
    SignalStream.hold()
    StartLimits.fillStandardDescriptors()
    do {
      try StartLimits.check(StartLimits.always, for: "newsd")
    } catch {
      StandardError.line("newsd: \(error.text)")
      _exit(error.code.rawValue)
    }
    // Swift reads the arguments from /proc/self/cmdline.
    guard !CommandLine.arguments.isEmpty || access("/proc/self/cmdline", R_OK) == 0 else {
      StandardError.line("newsd: cannot read the command line, because /proc is not mounted; mount it first")
      _exit(ExitStatus.io.rawValue)
    }
    signal(SIGPIPE, SIG_IGN)
    // Without SIGXFSZ, a write beyond the file size limit fails instead of ending the process.
    signal(SIGXFSZ, SIG_IGN)
    // If the parent ignores SIGCHLD, newsd inherits that and cannot wait for its programs.
    signal(SIGCHLD, SIG_DFL)
    // Set only the categories that newsd uses: LC_ALL would open a file for each of twelve.
    for category in [LC_CTYPE, LC_NUMERIC, LC_TIME, LC_MESSAGES] { setlocale(category, "") }
    let runner = CommandRunner(environment: CommandRunner.processEnvironment())
    let start = CommandStart(Array(CommandLine.arguments.dropFirst()))
    SignalStream.deliver()
    // Run detached: tasks of the main actor would need this thread, which only waits for signals.
    Task.detached { exit(await runner.run(start).rawValue) }
    while true { pause() }
  }
}
