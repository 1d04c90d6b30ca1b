import Glibc

/// The program.
@main
struct Newsd {
  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    setlocale(LC_ALL, "")
    let runner = CommandRunner(environment: CommandRunner.processEnvironment())
    let status = await runner.run(Array(CommandLine.arguments.dropFirst()))
    exit(status.rawValue)
  }
}
