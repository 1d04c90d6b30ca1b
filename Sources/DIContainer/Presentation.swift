import Modules
public import NewsFormats
public import NewsText
import NewsToolbox

/// How results are to be shown, and where.
public struct Presentation: Sendable {
  public var format: OutputFormat
  /// Machine names of columns; nil: the format's own choice.
  public var fields: [String]?
  /// A line of column names; nil: the format's own choice.
  public var header: Bool?
  /// For the template format.
  public var template: String?
  /// Where the maildir format delivers.
  public var mailDirectory: (any MailDirectory)?
  public var terminal: Terminal
  /// The line below a page of items; nil: none.
  public var footer: ListFooter?
  /// The terminal's columns now, for streams; nil: as at the start.
  public var currentWidth: (@Sendable () -> Int?)?
  /// Standard input: the next bytes, as soon as some are there; nil at the end.
  public var input: @Sendable () throws -> [UInt8]? = { nil }
  /// For results.
  public var output: any OutputWriter
  /// For progress, notes and errors.
  public var messages: any OutputWriter
  /// The terminal of standard error, which may be one while results go to a file; nil: the same as for results.
  public var messageTerminal: Terminal?
  /// The columns of the terminal that shows progress; nil: progress is not shown.
  public var progressWidth: (@Sendable () -> Int?)?
  /// The pointer at the end of usage errors: "'newsd help list' says more".
  public var help: String?
  /// True: nothing but results and errors.
  public var isQuiet = false
  /// True: refreshes tell of every feed.
  public var isVerbose = false

  public init(
    format: OutputFormat = .text,
    fields: [String]? = nil,
    header: Bool? = nil,
    template: String? = nil,
    mailDirectory: (any MailDirectory)? = nil,
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
      flushesAlways: flushesAlways
    )
  }
}
