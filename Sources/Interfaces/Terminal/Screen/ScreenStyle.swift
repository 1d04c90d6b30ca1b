public import NewsText

/// The meaning of a part of a screen; the theme decides its look.
///
/// The names are those of the configuration's `colors:`.
public enum ScreenRole: String, Hashable, Sendable, CaseIterable {
  case plain, unread, starred, feed, date, match, heading, faint, error, link, strong, emphasis, code, struck,
    bar
  case folder, separator, title, status, prompt, selected

  public init(_ style: TextStyle) {
    self =
      switch style {
      case .plain: .plain
      case .unread: .unread
      case .starred: .starred
      case .feed: .feed
      case .date: .date
      case .match: .match
      case .heading: .heading
      case .faint: .faint
      case .error: .error
      case .link: .link
      case .strong: .strong
      case .emphasis: .emphasis
      case .code: .code
      case .struck: .struck
      case .bar: .bar
      }
  }
}

/// The style of one cell.
public struct ScreenStyle: Hashable, Sendable {
  public var role: ScreenRole
  /// True: the cell belongs to the selected line.
  public var isSelected: Bool

  public init(_ role: ScreenRole, isSelected: Bool = false) {
    self.role = role
    self.isSelected = isSelected
  }

  public static let plain = ScreenStyle(.plain)
}
