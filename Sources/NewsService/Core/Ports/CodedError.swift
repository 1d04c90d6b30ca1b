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
