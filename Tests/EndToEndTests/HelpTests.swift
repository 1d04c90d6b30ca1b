import TestSupport
import Testing

@Suite(.blocking) struct Help {
  private let directory = TemporaryDirectory()
  private var newsd: Program { Program(in: directory) }

  @Test func `The versions of newsd and of its libraries are printed, one per line`() throws {
    for word in ["version", "--version"] {
      let result = try newsd.run(word)
      #expect(result.status == 0)
      let lines = result.output.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1) }
      #expect(lines.allSatisfy { $0.count == 2 }, "\(result.output)")
      #expect(lines.prefix(2).map(\.first) == ["newsd", "commit"])
      // The tests cannot run without these libraries.
      for (name, start) in [
        ("sqlite", "3."), ("libcurl", "libcurl/"), ("libxml2", "2"), ("libmicrohttpd", ""),
      ] {
        let version = lines.first { $0[0] == name }?.last
        #expect(version?.hasPrefix(start) == true && version != "missing", "\(result.output)")
      }
    }
  }

  @Test func `Without a command, newsd names three to begin with`() throws {
    let result = try newsd.run([])
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    for command in ["newsd feeds add", "newsd fetch", "newsd list", "'newsd help'"] {
      #expect(result.errors.contains(command), "\(result.errors)")
    }
  }

  @Test func `An unknown command is a usage error that suggests a similar one`() throws {
    let result = try newsd.run("hlp")
    #expect(result.status == 64)
    #expect(result.errors == "newsd: 'hlp' is not a command: did you mean 'help'? 'newsd help' says more\n")
    #expect(result.output.isEmpty)
  }

  @Test func `An unknown format is answered with the formats of the command`() throws {
    for (words, isKnown) in [(["list"], false), (["status"], true), (["feeds", "list"], false)] {
      let errors = try newsd.run(words + ["--format", "xyz"]).errors
      #expect(errors.contains("unknown format 'xyz'. Known: text,"), "\(errors)")
      #expect(errors.contains("prometheus") == isKnown, "\(errors)")
    }
  }

  @Test func `Every usage error ends with a pointer to the help of its command`() throws {
    for words in [
      ["list", "--since", "soon"], ["list", "--format", "jsn"], ["list", "--limit", "x"], ["list", "x"],
    ] {
      let result = try newsd.run(words)
      #expect(result.status == 64)
      let pointers = ["; 'newsd help list' says more\n", "? 'newsd help list' says more\n"]
      #expect(pointers.contains(where: result.errors.hasSuffix), "\(result.errors)")
    }
  }

  @Test func `The help works with an invalid configuration`() throws {
    directory.write("network:\n  per_sit: 3\n", to: "bad.yaml")
    let path = directory.path + "/bad.yaml"
    #expect(try newsd.run("--config", path, "help").status == 0)
  }
}
