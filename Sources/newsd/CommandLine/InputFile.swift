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
