import Glibc
import Testing

@Suite(.timeLimit(.minutes(3))) struct `Repairing a store` {
  @Test func `Items stored by other processes during a repair are not lost`() async throws {
    let directory = TemporaryDirectory()
    let newsd = Program(in: directory)
    let lines = (1...400).map { "{\"id\":\"\($0)\",\"title\":\"item \($0)\"}\n" }.joined()
    #expect(try newsd.run("ingest", "--feed", "T", input: lines).status == 0)
    try directory.damage("newsd.db")
    #expect(try newsd.run("check").status != 0)
    // Run many short processes, so that some of them store items between any two steps of the repair.
    let live = Task.detached {
      try (1...60).map { number in
        try newsd.run("ingest", "--feed", "Live", input: "{\"id\":\"\(number)\",\"title\":\"zlive\"}").status
      }
    }
    let repair = try newsd.run("check", "--repair")
    #expect(repair.status == 0, "\(repair.errors)")
    #expect(try await live.value.allSatisfy { $0 == 0 })
    #expect(try newsd.run("search", "--count", "title:zlive").output == "60\n")
    #expect(try newsd.run("search", "--count", "title:item").output == "400\n")
    #expect(try newsd.run("check").status == 0)
  }

  @Test func `An empty file is rejected as a store and stays empty`() throws {
    let directory = TemporaryDirectory()
    let newsd = Program(in: directory)
    let path = directory.write("", to: "newsd.db")
    for arguments in [["list"], ["check"], ["backup", directory.path + "/copy.db"]] {
      let result = try newsd.run(arguments)
      #expect(result.status == 66)
      #expect(result.errors.contains("is an empty file"))
    }
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_size == 0)
  }
}

extension TemporaryDirectory {
  /// Overwrites the root page of an index in a store.
  fileprivate func damage(_ name: String) throws {
    let descriptor = open(path + "/" + name, O_RDWR)
    defer { close(descriptor) }
    // Page 10 of a new store is the root of the index items_sequence.
    let noise = [UInt8](repeating: 0xA5, count: 8192)
    let count = noise.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 9 * 8192) }
    #expect(count == noise.count)
  }
}
