import Glibc
import Modules
import NewsCore
import NewsText

/// Finds out what text is made for: terminal or pipe, width, colours, links, locale.
///
/// It is asked once, before anything is put between newsd and the terminal: what a pager shows is seen on a terminal too.
struct TerminalProbe: Sendable {
  enum ColorChoice: String, CaseIterable { case auto, always, never }

  var environment: [String: String]
  var color: ColorChoice
  /// The terminal; nil: text goes to a pipe or a file.
  private let terminal: Int32?

  /// `descriptor` is where text goes.
  init(environment: [String: String], color: ColorChoice, descriptor: Int32 = STDOUT_FILENO) {
    self.environment = environment
    self.color = color
    // A descriptor of its own, which stays the terminal's when a pager takes the place of standard output. It lives as
    // long as the process.
    let own = isatty(descriptor) == 1 ? fcntl(descriptor, F_DUPFD_CLOEXEC, 3) : -1
    terminal = own >= 0 ? own : nil
  }

  /// True when people look at what is written.
  var isTerminal: Bool { terminal != nil }

  /// True when a line can be drawn again and again.
  var canRedraw: Bool { isTerminal && environment["TERM"] != "dumb" }

  /// What views are told.
  func terminal(zone: Zone, now: Timestamp) -> Terminal {
    Terminal(
      width: width,
      usesColour: usesColour,
      usesHyperlinks: usesHyperlinks,
      ambiguousIsWide: ambiguousIsWide,
      zone: zone,
      now: now
    )
  }

  /// `COLUMNS`, else what the terminal says now; nil on a pipe, where nothing is cut or wrapped.
  var width: Int? {
    if let text = environment["COLUMNS"], let columns = Int(text), columns > 0 { return columns }
    guard let terminal else { return nil }
    guard let size = Self.size(of: terminal), size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Lines of the terminal, as it says now.
  var rows: Int {
    guard let terminal, let size = Self.size(of: terminal), size.ws_row > 0 else { return 24 }
    return Int(size.ws_row)
  }

  private static func size(of terminal: Int32) -> winsize? {
    var size = winsize()
    // TIOCGWINSZ is a macro that Swift does not import on Linux.
    return ioctl(terminal, 0x5413, &size) == 0 ? size : nil
  }

  /// `--color`, then NO_COLOR and CLICOLOR_FORCE (no-color.org, bixense.com/clicolors), then the terminal.
  private var usesColour: Bool {
    switch color {
    case .always: return true
    case .never: return false
    case .auto:
      if let value = environment["NO_COLOR"], !value.isEmpty { return false }
      if let value = environment["CLICOLOR_FORCE"], !value.isEmpty, value != "0" { return true }
      return isTerminal && environment["TERM"] != "dumb"
    }
  }

  /// OSC 8 has no query; these are the terminals known to have it, and none known to print it as garbage.
  private var usesHyperlinks: Bool {
    guard isTerminal, usesColour else { return false }
    if let version = environment["VTE_VERSION"].flatMap({ Int($0) }) { return version >= 5000 }
    let programs: Set = ["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio"]
    if let program = environment["TERM_PROGRAM"], programs.contains(program) { return true }
    let terms = ["xterm-kitty", "foot", "alacritty", "xterm-ghostty", "wezterm", "contour"]
    if let term = environment["TERM"], terms.contains(where: { term.hasPrefix($0) }) { return true }
    return environment["KONSOLE_VERSION"] != nil || environment["WT_SESSION"] != nil
  }

  /// In Chinese, Japanese and Korean locales terminals show characters of ambiguous width in two columns (UAX #11).
  private var ambiguousIsWide: Bool {
    let locale =
      ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    return ["ja", "ko", "zh"].contains { locale.hasPrefix($0) }
  }
}
