public import Modules

/// How results are to be shown, and where.
public struct Presentation: Sendable {
  public var format: OutputFormat
  /// Machine names of columns; nil: the format's own choice.
  public var fields: [String]?
  /// A line of column names; nil: the format's own choice.
  public var header: Bool?
  public var terminal: Terminal
  /// For results.
  public var output: any OutputWriter
  /// For progress and errors.
  public var messages: any OutputWriter

  public init(
    format: OutputFormat = .text,
    fields: [String]? = nil,
    header: Bool? = nil,
    terminal: Terminal,
    output: any OutputWriter,
    messages: any OutputWriter
  ) {
    self.format = format
    self.fields = fields
    self.header = header
    self.terminal = terminal
    self.output = output
    self.messages = messages
  }

  func itemOutput() throws(UserMessage) -> ItemOutput {
    try ItemOutput(format: format, fields: fields, header: header, terminal: terminal)
  }

  func feedOutput() throws(UserMessage) -> FeedOutput {
    try FeedOutput(format: format, fields: fields, header: header, terminal: terminal)
  }

  func screen<Content: ScreenContent>(
    _ view: any ContentView<Content>,
    flushesAlways: Bool = false
  ) -> Screen<Content> {
    Screen(view: view, output: output, messages: messages, flushesAlways: flushesAlways)
  }
}
