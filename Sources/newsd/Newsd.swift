import Glibc

/// The entry point.
@main
struct Newsd {
  static func main() async {
    StartLimits.fillStandardDescriptors()
    signal(SIGPIPE, SIG_IGN)
    // A limit on the size of files is an error of the write, not the end of the process.
    signal(SIGXFSZ, SIG_IGN)
    // If the parent ignores SIGCHLD, newsd inherits that and cannot wait for its programs.
    signal(SIGCHLD, SIG_DFL)
    setlocale(LC_ALL, "")
    let runner = CommandRunner(environment: CommandRunner.processEnvironment())
    let status = await runner.run(Array(CommandLine.arguments.dropFirst()))
    exit(status.rawValue)
  }
}
