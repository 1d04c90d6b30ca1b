import Glibc
import NewsToolbox

/// Reads files named by the user.
enum InputFile {
  /// Reads a whole file; `-` is standard input. Throws status 66 for a file that cannot be read.
  static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
    do {
      return path == "-" ? try FileBytes.readAll(STDIN_FILENO) : try FileBytes.read(path)
    } catch {
      throw CommandFailure(.noInput, "cannot read \(path == "-" ? "standard input" : path): \(error.reason)")
    }
  }
}
