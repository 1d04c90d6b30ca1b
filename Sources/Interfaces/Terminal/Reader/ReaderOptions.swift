/// The reader's options from the configuration.
public struct ReaderOptions: Sendable {
  /// When an item that is opened becomes read.
  public enum MarksRead: Hashable, Sendable {
    case opened, never
    case after(seconds: Double)
  }

  /// Whether newsd or the terminal reorders right-to-left text. The raw values are those of the
  /// configuration's `reader.bidi`.
  public enum Direction: String, Hashable, Sendable, CaseIterable {
    /// The terminal if it is known to do so and newsd cannot turn that off, else newsd.
    case automatic = "auto"
    case terminal, newsd

    /// Resolves `automatic` by the environment variables that terminals set.
    func resolved(_ environment: [String: String]) -> Direction {
      guard self == .automatic else { return self }
      // newsd can turn off the reordering of VTE, unless a multiplexer is in between.
      if Self.isVTE(environment) { return Self.isMultiplexed(environment) ? .terminal : .newsd }
      let isKnown =
        environment["KONSOLE_VERSION"] != nil || environment["MLTERM"] != nil
        || environment["TERM_PROGRAM"] == "Apple_Terminal"
      return isKnown ? .terminal : .newsd
    }

    /// True if newsd must tell the terminal not to reorder text (ECMA-48, mode 8).
    func mustTellTerminal(_ environment: [String: String]) -> Bool {
      self == .newsd && Self.isVTE(environment) && !Self.isMultiplexed(environment)
    }

    /// True for VTE 0.58 and later, which reorders text.
    private static func isVTE(_ environment: [String: String]) -> Bool {
      (environment["VTE_VERSION"].flatMap { Int($0) } ?? 0) >= 5800
    }

    private static func isMultiplexed(_ environment: [String: String]) -> Bool {
      environment["TMUX"] != nil || environment["STY"] != nil
    }
  }

  /// The keys; initially `KeyTable.standard`.
  public var keys: KeyTable {
    get { changedKeys ?? .standard }
    set { changedKeys = newValue }
  }
  /// The colours; initially `Theme.standard`.
  public var theme: Theme {
    get { changedTheme ?? .standard }
    set { changedTheme = newValue }
  }
  // Nil until they are changed, so that commands that open no reader do not build the standard tables.
  private var changedKeys: KeyTable?
  private var changedTheme: Theme?
  public var marksRead = MarksRead.opened
  /// Maximum number of columns of running text.
  public var textWidth = 80
  public var usesMouse = true
  public var direction = Direction.automatic
  /// True: the reader opens at the place where it was left.
  public var startsAtLastPlace = false
  /// The browser's program and its arguments.
  public var browser = ["xdg-open"]
  /// The program that plays sound and video, and its arguments. If it is mpv, it continues where it was left.
  public var player = ["mpv"]
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
