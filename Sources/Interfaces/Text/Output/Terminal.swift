public import Modules
public import NewsCore

/// What text is made for. Whoever starts a command finds these out (`COLUMNS`, `NO_COLOR`, `isatty`, the locale); views
/// only obey.
public struct Terminal: Hashable, Sendable {
  /// Columns; nil: no terminal, nothing is cut or wrapped to fit.
  public var width: Int?
  public var usesColour: Bool
  /// OSC 8 hyperlinks.
  public var usesHyperlinks: Bool
  /// Characters of ambiguous width take two columns, as in East Asian locales.
  public var ambiguousIsWide: Bool
  public var zone: Zone
  /// `3h` instead of a date in lists.
  public var showsAges: Bool
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
