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
  /// The browser's program and its arguments.
  public var browser = ["xdg-open"]
  /// Programs that take an item as JSON, by the names that the user gave them.
  public var actions: [ReaderProgram] = []

  public init() {}
}

/// A program of the configuration.
public struct ReaderProgram: Hashable, Sendable {
  public var name: String
  /// The program and its arguments. Never empty.
  public var words: [String]

  public init(name: String, words: [String]) {
    self.name = name
    self.words = words
  }
}
