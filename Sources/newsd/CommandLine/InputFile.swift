import Glibc
import NewsToolbox

/// Files that a user names.
enum InputFile {
  /// The whole file; `-` is standard input. A file that cannot be read is exit status 66.
  static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
    do {
      return path == "-" ? try FileBytes.readAll(STDIN_FILENO) : try FileBytes.read(path)
    } catch {
      throw CommandFailure(.noInput, "cannot read \(path == "-" ? "standard input" : path): \(error.reason)")
    }
  }
}
