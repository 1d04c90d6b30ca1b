public import Modules
public import NewsCore

/// What text is rendered for. The command line fills it from `COLUMNS`, `NO_COLOR`, `isatty` and the locale; views only
/// read it.
public struct Terminal: Hashable, Sendable {
  /// Columns; nil: not a terminal, so that no line is cut or wrapped.
  public var width: Int?
  public var usesColour: Bool
  /// OSC 8 hyperlinks.
  public var usesHyperlinks: Bool
  /// Characters of ambiguous width take two columns, as in East Asian locales.
  public var ambiguousIsWide: Bool
  public var zone: Zone
  /// `3h` instead of a date in lists.
  public var showsAges: Bool
  /// Text in CSV that a spreadsheet would run as a formula gets a `'` in front (`--csv-safe`).
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

  /// How presenters are to show times here.
  public var times: TimeDisplay { TimeDisplay(now: now, zone: zone, showsAges: showsAges) }
}
