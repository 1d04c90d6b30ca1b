import Glibc
import NewsToolbox
import Testing

@Suite struct `Files` {
  /// A file in memory with this content, to be closed by the caller.
  private func file(_ content: [UInt8]) throws -> Int32 {
    let descriptor = fileno(tmpfile())
    try FileBytes.write(content, to: descriptor)
    lseek(descriptor, 0, SEEK_SET)
    return descriptor
  }

  @Test func `A file is read as a whole, at an offset, and through a mapping`() throws {
    let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    let descriptor = try file(content)
    defer { close(descriptor) }
    #expect(try FileBytes.readAll(descriptor) == content)
    #expect(FileBytes.read(descriptor, upTo: 4, at: 199_998) == Array(content.suffix(2)))
    let mapping = MappedBytes(descriptor, size: content.count)
    let isEqual = mapping?.withBytes { $0.elementsEqual(content) }
    #expect(isEqual == true)
  }

  @Test func `Reading a file with a limit stops after the limit, before the end of the file`() throws {
    let descriptor = try file([UInt8](repeating: 0, count: 1 << 20))
    defer { close(descriptor) }
    let count = try FileBytes.readAll(descriptor, limit: 1000).count
    #expect(count > 1000 && count < 1 << 20)
  }

  @Test func `A missing file is an error with its reason`() {
    #expect(throws: SystemError(code: ENOENT)) { try FileBytes.read("/nonexistent/file") }
    #expect(SystemError(code: ENOENT).reason == "No such file or directory")
  }

  @Test func `An empty file cannot be mapped`() throws {
    let descriptor = try file([])
    defer { close(descriptor) }
    let mapping = MappedBytes(descriptor, size: 0)
    let isMapped = mapping != nil
    #expect(!isMapped)
  }
}
