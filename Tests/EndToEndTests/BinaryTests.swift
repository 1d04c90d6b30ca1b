import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite(.blocking) struct `The binary` {
  /// All others are loaded when their first function is called.
  @Test func `Besides the Swift runtime and the C library, only SQLite and libyaml are loaded at the start`()
    throws
  {
    let words = ["--dynamic", "--wide", Program.path]
    let table = try Program(in: TemporaryDirectory()).run(program: "readelf", words)
    #expect(table.status == 0, "\(table.errors)")
    let libraries = table.lines.filter { $0.contains("(NEEDED)") }.compactMap { line in
      line.split(separator: "[").last?.split(separator: "]").first
    }
    let runtime = [
      "libswift", "lib_Foundation", "libFoundation", "libdispatch", "libBlocksRuntime", "ld-linux",
    ]
    let base = ["libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "libpthread.so.0", "libdl.so.2"]
    let others = libraries.filter { name in
      !runtime.contains { name.hasPrefix($0) } && !base.contains(String(name))
    }
    #expect(others.sorted() == ["libsqlite3.so.0", "libyaml-0.so.2"])
  }

  /// libdispatch writes there that it may not raise the priority of threads.
  @Test(.enabled(if: access("/usr/bin/strace", X_OK) == 0, "strace is not installed"))
  func `A command without the right to raise priorities writes nothing to the system's log`() throws {
    let directory = TemporaryDirectory()
    let calls = directory.path + "/calls"
    var words = ["strace", "-f", "-qq", "-e", "trace=connect,setpriority", "-o", calls]
    words += [Program.path, "feeds", "list"]
    if geteuid() == 0 { words = ["setpriv", "--bounding-set", "-sys_nice"] + words }
    let listed = try Program(in: directory).run(program: words[0], Array(words.dropFirst()))
    #expect(listed.status == 66, "\(listed.errors)")
    let log = try String(contentsOfFile: calls, encoding: .utf8)
    #expect(log.contains("setpriority"))
    #expect(!log.contains("/dev/log"))
  }
}
