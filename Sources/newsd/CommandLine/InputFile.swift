import Glibc
import Modules
import NewsCore
import NewsToolbox

/// Reads files named by the user.
enum InputFile {
  /// Reads a whole file; `-` is standard input. Throws status 66 for a file that cannot be read.
  static func read(_ path: String) throws(UserMessage) -> [UInt8] {
    do {
      return path == "-" ? try FileBytes.readAll(STDIN_FILENO) : try FileBytes.read(path)
    } catch {
      let name = path == "-" ? "standard input" : WebAddress.redacted(path)
      throw UserMessage(code: .notFound, text: "cannot read \(name): \(error.reason)")
    }
  }
}

/// Reads standard input in chunks as they arrive.
enum InputChunks {
  /// Number of bytes after which a chunk is complete; the last reading may exceed it.
  private static let limit = 1 << 20

  /// Waits for input and returns all available bytes; nil at the end.
  static func next() throws(UserMessage) -> [UInt8]? {
    var bytes: [UInt8] = []
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { chunk.deallocate() }
    while bytes.count < limit {
      let count: Int
      do {
        count = try FileBytes.read(STDIN_FILENO, into: chunk)
      } catch {
        throw UserMessage(code: .notFound, text: "cannot read standard input: \(error.reason)")
      }
      if count == 0 { return bytes.isEmpty ? nil : bytes }
      bytes.append(contentsOf: chunk[..<count])
      var more = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      if poll(&more, 1, 0) == 0 { break }
    }
    return bytes
  }
}

/// Checks the files of stores.
enum StoreFile {
  /// True if the file exists. Also true for the address of a store on a server, which only a connection can check.
  static func exists(_ path: String) -> Bool { path.contains(bytesOf: "://") || access(path, F_OK) == 0 }
}
