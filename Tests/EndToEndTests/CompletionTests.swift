import Glibc
import TestSupport
import Testing

/// Runs the completion scripts in the installed shells.
@Suite(.blocking) struct `Completions in shells` {
  private let directory = TemporaryDirectory()

  private static func hasShell(_ name: String) -> Bool {
    ["/bin/", "/usr/bin/"].contains { access($0 + name, X_OK) == 0 }
  }

  /// A store with three feeds, and a PATH on which shells find `newsd`.
  private func makeShell() throws -> Program {
    let newsd = Program(in: directory)
    for (index, title) in ["Hacker News: Front", "Hacker Times", "back\\slash $HOME"].enumerated() {
      let path = directory.write(Sample.rss(["one"], title: title), to: "\(index).xml")
      #expect(try newsd.run("feeds", "add", "file://\(path)", "--folder", "News/Tech").status == 0)
    }
    #expect(try newsd.run("search", "--save", "Hack saved", "one").status == 0)
    let folder = Program.path.split(separator: "/").dropLast().map { "/\($0)" }.joined()
    return Program(in: directory, environment: ["PATH": "\(folder):/usr/bin:/bin"])
  }

  @Test(.enabled(if: hasShell("bash")))
  func `bash completes options, commands, fields and names, with the quotes that were typed`() throws {
    let shell = try makeShell()
    let cases: [(String, [String])] = [
      ("newsd list --un", ["--unread", "--until"]),
      ("newsd --db \(directory.path)/newsd.db list --unr", ["--unread"]),
      ("newsd help fe", ["fetch", "feeds"]),
      ("newsd list --fields id,ti", ["id,title"]),
      ("newsd list --feed Hacker", ["Hacker\\ News:\\ Front", "Hacker\\ Times"]),
      ("newsd list --feed Hacker\\ ", ["Hacker\\ News:\\ Front", "Hacker\\ Times"]),
      // readline replaces only the part after the colon or the equals sign.
      ("newsd list --feed Hacker\\ News:\\ F", ["\\ Front"]),
      ("newsd list --feed=Hacker\\ N", ["Hacker\\ News:\\ Front"]),
      ("newsd list --feed \"Hacker ", ["Hacker News: Front", "Hacker Times"]),
      ("newsd list --feed 'Hacker N", ["Hacker News: Front"]),
      ("newsd feeds remove b", ["back\\\\slash\\ \\$HOME"]),
      ("newsd feeds remove \"b", ["back\\\\slash \\$HOME"]),
      ("newsd list --folder News/", ["News/Tech"]),
      ("newsd search --forget ", ["Hack\\ saved"]),
    ]
    var script = "source <(newsd completions bash)\n"
    for (line, _) in cases {
      let quoted = line.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      script += "COMP_LINE='\(quoted)' COMP_POINT=${#COMP_LINE}\n_newsd newsd\n"
      script += "printf '%s\\t' \"${COMPREPLY[@]}\"; echo\n"
    }
    let path = directory.write(script, to: "try.bash")
    let result = try shell.run(program: "bash", [path])
    let found = result.output.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.split(separator: "\t").map(String.init) }
    for (index, (line, expected)) in cases.enumerated() {
      #expect(found.count > index && found[index].sorted() == expected.sorted(), "\(line): \(result)")
    }
  }

  @Test(.enabled(if: hasShell("fish")))
  func `fish completes options, fields and titles`() throws {
    let shell = try makeShell()
    let cases: [(String, [String])] = [
      ("newsd list --unr", ["--unread"]),
      ("newsd --db \(directory.path)/newsd.db lis", ["list"]),
      ("newsd help fe", ["feeds", "fetch"]),
      ("newsd list --fields id,ti", ["id,title"]),
      ("newsd feeds list --fields fol", ["folder"]),
      ("newsd feeds remove Hacker", ["Hacker News: Front", "Hacker Times"]),
      ("newsd list --feed=Hacker\\ N", ["--feed=Hacker News: Front"]),
    ]
    var script = "newsd completions fish | source\n"
    for (line, _) in cases {
      let quoted = line.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
      script += "complete -C '\(quoted)'; echo END\n"
    }
    let path = directory.write(script, to: "try.fish")
    let result = try shell.run(program: "fish", ["--no-config", path])
    var found: [[String]] = [[]]
    for line in result.lines {
      if line == "END" {
        found.append([])
      } else {
        found[found.count - 1].append(String(line.prefix { $0 != "\t" }))
      }
    }
    for (index, (line, expected)) in cases.enumerated() {
      #expect(found.count > index && found[index].sorted() == expected, "\(line): \(result)")
    }
  }

  @Test(.enabled(if: hasShell("zsh")))
  func `zsh loads the script`() throws {
    let shell = try makeShell()
    let script = """
      autoload -U compinit; compinit -D -u
      source <(newsd completions zsh)
      print $_comps[newsd]
      """
    let path = directory.write(script, to: "try.zsh")
    let result = try shell.run(program: "zsh", ["-f", path])
    #expect(result.output == "_newsd\n", "\(result)")
  }
}
