public import Modules
public import NewsCore

/// Properties of the output that text is rendered for. The command line sets them from `COLUMNS`, `NO_COLOR`,
/// `isatty` and the locale; views only read them.
public struct Terminal: Hashable, Sendable {
  /// Width in columns; nil: the output is not a terminal, so that lists are not truncated.
  public var width: Int?
  public var usesColour: Bool
  /// True: write OSC 8 hyperlinks.
  public var usesHyperlinks: Bool
  /// True: characters of ambiguous width take two columns, as in East Asian locales.
  public var ambiguousIsWide: Bool
  public var zone: Zone
  /// True: lists show an age such as `3h` instead of a date.
  public var showsAges: Bool
  /// True: put `'` before CSV text that a spreadsheet would run as a formula (`--csv-safe`).
  public var escapesFormulas = false
  public var now: Timestamp

  public init(
    width: Int? = nil,
    usesColour: Bool = false,
    usesHyperlinks: Bool = false,
    ambiguousIsWide: Bool = false,
    zone: Zone = .utc,
    showsAges: Bool = true,
    now: Timestamp
  ) {
    self.width = width
    self.usesColour = usesColour
    self.usesHyperlinks = usesHyperlinks
    self.ambiguousIsWide = ambiguousIsWide
    self.zone = zone
    self.showsAges = showsAges
    self.now = now
  }

  /// The settings with which presenters format times.
  public var times: TimeDisplay { TimeDisplay(now: now, zone: zone, showsAges: showsAges) }
}
