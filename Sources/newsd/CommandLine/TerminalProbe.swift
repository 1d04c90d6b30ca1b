import Glibc
import Modules
import NewsService

/// Finds out what text is made for: terminal or pipe, width, colours, links, locale.
struct TerminalProbe {
  enum ColorChoice: String, CaseIterable { case auto, always, never }

  var environment: [String: String]
  var color: ColorChoice

  /// True when standard output is a terminal.
  var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

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

  /// `COLUMNS`, else what the terminal says; nil on a pipe, where nothing is cut or wrapped.
  private var width: Int? {
    if let text = environment["COLUMNS"], let columns = Int(text), columns > 0 { return columns }
    guard isTerminal else { return nil }
    var size = winsize()
    // TIOCGWINSZ is a macro that Swift does not import on Linux.
    guard ioctl(STDOUT_FILENO, 0x5413, &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
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
