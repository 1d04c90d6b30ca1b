/// Why a file (a lock, a cursor, a recording, a file to import) cannot be used.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: Hashable, Sendable {
    /// The file does not exist and cannot be created, or cannot be opened.
    case cannotOpen
    /// A file to read does not exist or cannot be read.
    case cannotRead
    /// Reading or writing an open file failed.
    case io
    /// The content is not in a format that newsd reads here.
    case badData
    /// The file is a symbolic link, has a hard link, is not a regular file, or belongs to another user.
    case unsafe
  }

  public let code: Code
  /// Says what was tried on which path, what happened and what to do.
  public let message: String

  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }
}
