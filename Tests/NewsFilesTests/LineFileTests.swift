import Glibc
import NewsCore
import Testing

@testable import NewsFiles

@Suite struct `Input source` {
  private func source(_ text: [UInt8], _ body: (LineFile) throws -> Void) throws {
    var template = Array("/tmp/newsd-input-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    try #require(descriptor >= 0)
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unlink(path) }
    let written = text.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    try #require(written == text.count)
    try body(LineFile(path))
  }

  @Test(arguments: [
    ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("\n\na\n", ["", "", "a"]),
  ])
  func `A file is read line by line`(_ text: String, _ lines: [String]) throws {
    try source(Array(text.utf8)) { (source: LineFile) throws in
      let first = try source.peekLine()
      #expect(first.map { String(decoding: $0, as: UTF8.self) } == lines.first)
      var found: [String] = []
      while let line = try source.nextLine() {
        found.append(String(decoding: line, as: UTF8.self))
        if found.count < lines.count { _ = try source.peekLine() }
      }
      #expect(found == lines)
      #expect(try source.rest(atMost: 1 << 20).isEmpty)
    }
  }

  @Test func `A file with too many bytes is refused before it is read`() throws {
    try source(Array("a\nbcd".utf8)) { (source: LineFile) throws in
      #expect(try source.peekLine() == [UInt8(ascii: "a")])
      #expect(throws: FileError.self) { try source.rest(atMost: 4) }
      #expect(try source.rest(atMost: 5) == Array("a\nbcd".utf8))
    }
  }

  @Test func `Lines may be longer than the read buffer, and all unread bytes can be read at once`() throws {
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: 200_000)
    try source(long + [0x0A] + long + [0x0A, 0x79, 0x0A]) { (source: LineFile) throws in
      #expect(try source.peekLine() == long)
      #expect(try source.nextLine() == long)
      #expect(try source.rest(atMost: 1 << 20) == long + [0x0A, 0x79, 0x0A])
      #expect(try source.nextLine() == nil)
    }
  }

  @Test func `A missing file is reported as a file that cannot be read`() {
    let error = #expect(throws: FileError.self) { try LineFile("/nonexistent/file") }
    #expect(error?.code == .cannotRead)
  }
}
