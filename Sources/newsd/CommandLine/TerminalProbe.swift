import Glibc
import Modules
import NewsCore
import NewsText

/// Detects the properties of an output: terminal or pipe, width, colours, hyperlinks, locale.
///
/// The probe of standard output is created before a pager replaces it: the pager shows text on the same
/// terminal.
struct TerminalProbe: Sendable {
  enum ColorChoice: String, CaseIterable { case auto, always, never }

  var environment: [String: String]
  var color: ColorChoice
  /// Descriptor of the terminal; nil: text goes to a pipe or a file.
  private let terminal: Int32?

  /// Probes the output `descriptor`.
  init(environment: [String: String], color: ColorChoice, descriptor: Int32 = STDOUT_FILENO) {
    self.environment = environment
    self.color = color
    // Duplicate the descriptor, so that it still refers to the terminal after a pager replaces standard output. The
    // duplicate is never closed.
    let own = isatty(descriptor) == 1 ? fcntl(descriptor, F_DUPFD_CLOEXEC, 3) : -1
    terminal = own >= 0 ? own : nil
  }

  /// True if text goes to a terminal.
  var isTerminal: Bool { terminal != nil }

  /// True if the terminal can overwrite a line.
  var canRedraw: Bool { isTerminal && environment["TERM"] != "dumb" }

  /// The properties of the output, for views.
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

  /// `COLUMNS`, else the terminal's current width; nil for a pipe or a file, where lists are not truncated.
  var width: Int? {
    if let text = environment["COLUMNS"], let columns = Int(text), columns > 0 { return columns }
    guard let terminal else { return nil }
    guard let size = Self.size(of: terminal), size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// The terminal's current number of lines.
  var rows: Int {
    guard let terminal, let size = Self.size(of: terminal), size.ws_row > 0 else { return 24 }
    return Int(size.ws_row)
  }

  private static func size(of terminal: Int32) -> winsize? {
    var size = winsize()
    // 0x5413 is TIOCGWINSZ, a macro that Swift does not import on Linux.
    return ioctl(terminal, 0x5413, &size) == 0 ? size : nil
  }

  /// True if text is coloured. Decided by `--color`, then NO_COLOR and CLICOLOR_FORCE (no-color.org,
  /// bixense.com/clicolors), then the terminal.
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

  /// True for terminals that are known to support OSC 8, because a terminal cannot be asked.
  private var usesHyperlinks: Bool {
    guard isTerminal, usesColour else { return false }
    if let version = environment["VTE_VERSION"].flatMap({ Int($0) }) { return version >= 5000 }
    let programs: Set = ["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio"]
    if let program = environment["TERM_PROGRAM"], programs.contains(program) { return true }
    let terms = ["xterm-kitty", "foot", "alacritty", "xterm-ghostty", "wezterm", "contour"]
    if let term = environment["TERM"], terms.contains(where: { term.hasPrefix($0) }) { return true }
    return environment["KONSOLE_VERSION"] != nil || environment["WT_SESSION"] != nil
  }

  /// True in Chinese, Japanese and Korean locales, whose terminals show characters of ambiguous width in two columns
  /// (UAX #11).
  private var ambiguousIsWide: Bool {
    let locale =
      ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    return ["ja", "ko", "zh"].contains { locale.hasPrefix($0) }
  }
}
