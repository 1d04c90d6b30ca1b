import Glibc

/// The entry point.
@main
struct Newsd {
  static func main() async {
    StartLimits.fillStandardDescriptors()
    signal(SIGPIPE, SIG_IGN)
    // Without SIGXFSZ, a write beyond the file size limit fails instead of ending the process.
    signal(SIGXFSZ, SIG_IGN)
    // If the parent ignores SIGCHLD, newsd inherits that and cannot wait for its programs.
    signal(SIGCHLD, SIG_DFL)
    setlocale(LC_ALL, "")
    let runner = CommandRunner(environment: CommandRunner.processEnvironment())
    let status = await runner.run(Array(CommandLine.arguments.dropFirst()))
    exit(status.rawValue)
  }
}
