import Modules
import NewsToolbox

/// The name of a browser, read from its User-Agent (RFC 9110, section 10.1.5).
///
/// Browsers also name other browsers that they resemble, and systems their ancestors: the first match of a table counts.
enum BrowserName {
  private static let browsers: [(part: String, name: String)] = [
    ("Edg/", "Edge"), ("EdgA/", "Edge"), ("EdgiOS/", "Edge"), ("OPR/", "Opera"), ("Vivaldi/", "Vivaldi"),
    ("SamsungBrowser/", "Samsung Internet"), ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"), ("Safari/", "Safari"),
  ]

  private static let systems: [(part: String, name: String)] = [
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Macintosh", "macOS"), ("FreeBSD", "FreeBSD"), ("OpenBSD", "OpenBSD"), ("Linux", "Linux"),
  ]

  /// Maximum number of Unicode scalars that are shown of an unknown User-Agent.
  private static let shownScalars = 60

  /// Returns a name such as `Firefox on Linux`, or, if the browser or its system is not known, the beginning of the User-Agent.
  static func of(_ agent: String) -> String {
    if let browser = browsers.first(where: { agent.contains(bytesOf: $0.part) }),
      let system = systems.first(where: { agent.contains(bytesOf: $0.part) })
    {
      return Wording.browserOnSystem(browser.name, system.name)
    }
    let scalars = DisplayText(line: agent).trimmed.string.unicodeScalars
    guard !scalars.isEmpty else { return Wording.unknown }
    guard scalars.count > shownScalars else { return String(scalars) }
    return String(String.UnicodeScalarView(scalars.prefix(shownScalars))) + "…"
  }
}
