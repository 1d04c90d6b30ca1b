import Glibc

/// The program.
@main
struct Newsd {
  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    // Started by something that ignores it, newsd would never learn how its programs ended.
    signal(SIGCHLD, SIG_DFL)
    setlocale(LC_ALL, "")
    let runner = CommandRunner(environment: CommandRunner.processEnvironment())
    let status = await runner.run(Array(CommandLine.arguments.dropFirst()))
    exit(status.rawValue)
  }
}
