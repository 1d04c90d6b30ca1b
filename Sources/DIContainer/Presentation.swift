import Modules
public import NewsFormats
public import NewsText
import NewsToolbox

/// The format and destination of results.
public struct Presentation: Sendable {
  public var format: OutputFormat
  /// Names of the columns to print; nil: the format's default.
  public var fields: [String]?
  /// True: print a line of column names; nil: the format's default.
  public var header: Bool?
  /// Text of the template, for the template format.
  public var template: String?
  /// Destination of the maildir format.
  public var mailDirectory: Maildir?
  public var terminal: Terminal
  /// The line below a page of items; nil: none.
  public var footer: ListFooter?
  /// Returns the terminal's current width in columns, for streams; nil: the initial width applies.
  public var currentWidth: (@Sendable () -> Int?)?
  /// Returns the next available bytes of standard input; nil at its end.
  public var input: @Sendable () throws -> [UInt8]? = { nil }
  /// Destination of results.
  public var output: any OutputWriter
  /// Destination of progress, notes and errors.
  public var messages: any OutputWriter
  /// Properties of standard error, which may be a terminal while results go to a file; nil: those of `terminal`.
  public var messageTerminal: Terminal?
  /// Returns the current width of the terminal that shows progress; nil: progress is not shown.
  public var progressWidth: (@Sendable () -> Int?)?
  /// The pointer to help that ends usage errors: "'newsd help list' says more".
  public var help: String?
  /// True: show results, warnings and errors only.
  public var isQuiet = false
  /// True: report an empty list.
  public var tellsOfNothing = false
  /// True: refreshes report every feed.
  public var isVerbose = false

  public init(
    format: OutputFormat = .text,
    fields: [String]? = nil,
    header: Bool? = nil,
    template: String? = nil,
    mailDirectory: Maildir? = nil,
    terminal: Terminal,
    footer: ListFooter? = nil,
    output: any OutputWriter,
    messages: any OutputWriter
  ) {
    self.format = format
    self.fields = fields
    self.header = header
    self.template = template
    self.mailDirectory = mailDirectory
    self.terminal = terminal
    self.footer = footer
    self.output = output
    self.messages = messages
  }

  var recordShape: RecordShape {
    RecordShape(format: format, fields: fields, header: header, template: template, terminal: terminal)
  }

  func itemOutput(_ services: ServiceContainer, _ title: RouteTitle? = nil) throws(UserMessage) -> ItemOutput
  {
    try ItemOutput(
      format: format,
      fields: fields,
      header: header,
      template: template,
      document: title.map {
        OutputDocument(title: $0.title, identity: $0.identity, time: terminal.now)
      },
      richText: services.richText,
      mailDirectory: mailDirectory,
      terminal: terminal
    )
  }

  func feedOutput(_ services: ServiceContainer) throws(UserMessage) -> FeedOutput {
    try FeedOutput(
      format: format,
      fields: fields,
      header: header,
      template: template,
      lists: services.listCoder,
      terminal: terminal,
      secretsLeftOut: { [messages] count in
        let feeds = Plural.of(count, "feed")
        let text = "newsd: left out the secrets of \(feeds); 'newsd feeds export --secrets' writes them\n"
        try? messages.write(Array(text.utf8))
      }
    )
  }

  func screen<Content: ScreenContent>(
    _ view: any ContentView<Content>,
    flushesAlways: Bool = false
  ) -> Screen<Content> {
    Screen(
      view: view,
      output: output,
      messages: messages,
      progress: progressWidth.map { ProgressLine(width: $0, interval: .milliseconds(100)) },
      help: help,
      isQuiet: isQuiet,
      flushesAlways: flushesAlways,
      tellsOfNothing: tellsOfNothing
    )
  }
}
