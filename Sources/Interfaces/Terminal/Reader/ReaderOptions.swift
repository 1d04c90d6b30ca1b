/// How the reader behaves, from the configuration.
public struct ReaderOptions: Sendable {
  /// When an item that is opened becomes read.
  public enum MarksRead: Hashable, Sendable {
    case opened, never
    case after(seconds: Double)
  }

  public var keys = KeyTable.standard
  public var theme = Theme.standard
  public var marksRead = MarksRead.opened
  /// The columns of text at most.
  public var textWidth = 80
  public var usesMouse = true

  public init() {}
}
