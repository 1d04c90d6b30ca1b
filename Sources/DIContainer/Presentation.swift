import Modules
public import NewsFormats
public import NewsText

/// The format and destination of results.
public struct Presentation: Sendable {
  public var shape: OutputShape
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
  /// True: results go to a terminal, where an empty list is reported, and no progress is drawn between results.
  public var isInteractive = false
  /// True: refreshes report every feed.
  public var isVerbose = false

  public init(
    shape: OutputShape,
    footer: ListFooter? = nil,
    output: any OutputWriter,
    messages: any OutputWriter
  ) {
    self.shape = shape
    self.footer = footer
    self.output = output
    self.messages = messages
  }

  var times: TimeDisplay { shape.terminal.times }

  func itemOutput(_ services: ServiceContainer, _ title: RouteTitle? = nil) async throws -> ItemOutput {
    let document = title.map {
      OutputDocument(title: $0.title, identity: $0.identity, time: shape.terminal.now)
    }
    let pictures = shape.format == .html ? try await services.keptPictures() : []
    return try ItemOutput(
      shape,
      document: document,
      richText: services.richText,
      pictures: DocumentPictures(pictures)
    )
  }

  /// The screen of a module. `writesAtEnd`: it writes no results before its end, so that progress can be drawn.
  func screen<Content: ScreenContent>(
    _ view: any ContentView<Content>,
    flushesAlways: Bool = false,
    writesAtEnd: Bool = false
  ) -> Screen<Content> {
    let width = isInteractive && !writesAtEnd ? nil : progressWidth
    return Screen(
      view: view,
      output: output,
      messages: messages,
      progress: width.map { ProgressLine(width: $0, interval: .milliseconds(100)) },
      help: help,
      isQuiet: isQuiet,
      flushesAlways: flushesAlways,
      tellsOfNothing: isInteractive
    )
  }
}
