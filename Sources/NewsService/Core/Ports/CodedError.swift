/// An error with a code for programs and a sentence for people.
public struct CodedError<Kind: Hashable & Sendable>: Error, Hashable, Sendable, CustomStringConvertible {
  public typealias Code = Kind

  /// What callers distinguish.
  public let code: Kind
  /// Says what was tried, what happened and what to do.
  public let message: String

  public init(code: Kind, message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }
}

/// Why a file (a lock, a cursor, a recording, a file to import) cannot be used.
public typealias FileError = CodedError<FileErrorCode>

/// The kinds of failures with a file.
public enum FileErrorCode: Hashable, Sendable {
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
