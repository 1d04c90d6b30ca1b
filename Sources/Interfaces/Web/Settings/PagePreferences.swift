import NewsCore
import NewsHTTP
import NewsToolbox

/// The preferences of a browser for pages, kept in its cookie. How items are read is the same in all browsers
/// (`PageChoices`); the cookie has it from before.
struct PagePreferences: Hashable, Sendable {
  typealias Marking = PageChoices.Marking
  /// How much of an item a list shows.
  enum Density: String, CaseIterable, Sendable { case compact, cosy, cards }
  /// The colours; `auto` follows the browser.
  enum Theme: String, CaseIterable, Sendable { case auto, light, sepia, dark, black }
  enum Font: String, CaseIterable, Sendable { case serif, sans }
  /// The size of the text of items.
  enum Size: String, CaseIterable, Sendable { case small, medium, large, huge }
  /// The width of the text of items.
  enum Width: String, CaseIterable, Sendable { case narrow, medium, wide }

  /// True: single keys perform actions on a page.
  var usesKeys = true
  var marking = Marking.now
  /// True: the script marks an unread item read when its row has scrolled past.
  var marksScrolled = false
  /// True: lists show the oldest items first, unless their address names an order.
  var showsOldestFirst = false
  /// True: the tree of feeds is sorted by name, not in the user's order.
  var sortsTree = false
  /// The time zone of dates; nil: that of the browser.
  var zone: String?
  var density = Density.cosy
  var theme = Theme.auto
  var font = Font.serif
  var size = Size.medium
  var width = Width.medium

  static let cookieName = "newsd-view"

  init() {}

  /// Reads the cookie's value: words such as `theme-dark`, separated by `.`. Unknown words count as absent.
  init(cookie: String?) {
    var words: [Substring: Substring] = [:]
    for word in (cookie ?? "").prefix(400).split(ascii: ".") {
      if let (name, value) = word.cut(atFirst: "-") { words[name] = value }
    }
    self.init { words[$0].map { String($0) } }
    usesKeys = words["keys"] != "off"
    marksScrolled = words["scrolled"] == "on"
    showsOldestFirst = words["oldest"] == "on"
  }

  /// Applies what was chosen for all browsers.
  mutating func apply(_ settings: PageChoices) {
    marking = settings.marking ?? marking
    marksScrolled = settings.marksScrolled ?? marksScrolled
    showsOldestFirst = settings.showsOldestFirst ?? showsOldestFirst
    sortsTree = settings.sortsTree ?? sortsTree
    zone = settings.zone
  }

  /// Reads the form of the settings; an unchecked box sends nothing.
  init(_ form: HTTPParameters) {
    self.init { form.first(String($0)) }
    usesKeys = form.first("keys") != nil
    marksScrolled = form.first("scrolled") != nil
    showsOldestFirst = form.first("oldest") != nil
    sortsTree = form.first("tree") != nil
  }

  private init(_ value: (Substring) -> String?) {
    func read<Choice: RawRepresentable<String>>(_ name: Substring, _ choice: inout Choice) {
      if let read = value(name).flatMap({ Choice(rawValue: $0) }) { choice = read }
    }
    read("mark", &marking)
    read("density", &density)
    read("theme", &theme)
    read("font", &font)
    read("size", &size)
    read("width", &width)
  }

  /// The cookie's value.
  var cookie: String {
    var words = ["keys-" + (usesKeys ? "on" : "off"), "mark-" + marking.rawValue]
    if marksScrolled { words.append("scrolled-on") }
    if showsOldestFirst { words.append("oldest-on") }
    words += ["density-" + density.rawValue, "theme-" + theme.rawValue, "font-" + font.rawValue]
    return (words + ["size-" + size.rawValue, "width-" + width.rawValue]).joined(separator: ".")
  }

  /// The Set-Cookie value; the cookie lasts a year.
  func field(on site: WebSite) -> String {
    let path = site.prefix.isEmpty ? "/" : site.prefix
    return "\(Self.cookieName)=\(cookie); Path=\(path); Max-Age=31536000; HttpOnly; SameSite=Lax"
      + (site.isSecure ? "; Secure" : "")
  }
}
