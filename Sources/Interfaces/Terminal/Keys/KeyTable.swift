/// The keys in force on each screen. One table drives the reader, its help screen, the documentation and the configuration.
public struct KeyTable: Sendable {
  /// A line of the table.
  public struct Binding: Hashable, Sendable {
    public var context: KeyContext
    public var action: ReaderAction
    public var keys: [[Key]]
    /// The description of the action, for help.
    public var help: String
  }

  /// The meaning of the keys typed so far.
  enum Meaning: Hashable, Sendable {
    case action(ReaderAction)
    /// The keys are the beginning of a sequence.
    case beginning
    case nothing
  }

  public private(set) var bindings: [Binding]

  public static let standard = KeyTable(
    bindings: [
      line(.everywhere, .next, "j Down", "go down a line"),
      line(.everywhere, .previous, "k Up", "go up a line"),
      line(.everywhere, .pageDown, "Space Ctrl-F PageDown", "go down a page"),
      line(.everywhere, .pageUp, "b Ctrl-B PageUp", "go up a page"),
      line(.everywhere, .halfPageDown, "Ctrl-D", "go down half a page"),
      line(.everywhere, .halfPageUp, "Ctrl-U", "go up half a page"),
      line(.everywhere, .first, "gg Home", "go to the beginning"),
      line(.everywhere, .last, "G End", "go to the end"),
      line(
        .everywhere,
        .open,
        "Enter l Right",
        "open the selected line; in an item, the link with the number typed before the key"
      ),
      line(.everywhere, .back, "q h Left", "go back; on the first screen, quit"),
      line(.everywhere, .quit, "Q Ctrl-C", "quit the reader"),
      line(.everywhere, .search, "/", "search while typing"),
      line(.everywhere, .undo, "u", "undo the last mark"),
      line(
        .everywhere,
        .refresh,
        "r",
        "refresh the feed of the selected line, of the list or of the open item; if there is none, all feeds"
      ),
      line(.everywhere, .refreshAll, "R", "refresh all feeds"),
      line(.everywhere, .status, "S", "show failing feeds and the next polls"),
      line(.everywhere, .command, ":", "run a newsd command"),
      line(.everywhere, .help, "? F1", "show the keys of this screen"),
      line(.everywhere, .redraw, "Ctrl-L", "draw the screen again"),
      line(.everywhere, .suspend, "Ctrl-Z", "suspend the reader; 'fg' in the shell resumes it"),

      line(.subscriptions, .nextUnread, "n", "go to the next feed with unread items"),
      line(.subscriptions, .previousUnread, "p N", "go to the previous feed with unread items"),
      line(.subscriptions, .markAllRead, "A", "mark all items of the selected line read"),
      line(.subscriptions, .foldFolder, "z Tab", "fold or unfold the folder"),
      line(.subscriptions, .toggleUnread, ".", "show all feeds, or only those with unread items"),
      line(.subscriptions, .browse, "o", "open the feed's page in the browser"),
      line(.subscriptions, .copyLink, "y", "copy the feed's address"),
      line(.subscriptions, .add, "a", "add a feed"),
      line(.subscriptions, .rename, "c", "rename the feed"),
      line(.subscriptions, .move, "M", "move the feed to a folder"),
      line(.subscriptions, .remove, "D", "unsubscribe from the feed, or remove the saved search"),
      line(.subscriptions, .settings, "E", "change the feed's settings"),

      line(.list, .nextUnread, "n", "go to the next unread item"),
      line(.list, .previousUnread, "p N", "go to the previous unread item"),
      line(.list, .toggleRead, "m", "mark the item read or unread"),
      line(.list, .toggleStar, "s", "star the item, or remove the star"),
      line(.list, .label, "L", "give the item a label, or remove one"),
      line(.list, .save, "W", "pass the item to the hooks that save items"),
      line(.list, .play, "P", "play the item's sound or video"),
      line(.list, .markAllRead, "A", "mark all items of the list read"),
      line(.list, .browse, "o", "open the item's link in the browser"),
      line(.list, .browseAndMark, "O", "open the link in the browser and mark read"),
      line(.list, .toggleUnread, ".", "show all items, or only unread ones"),
      line(.list, .reverse, "t", "switch between newest first and oldest first"),
      line(.list, .foldStories, "z", "show one line for items that tell the same story"),
      line(.list, .filter, "F", "filter the list by a query"),
      line(.list, .clearFilter, "Ctrl-X", "clear the filter"),
      line(.list, .saveSearch, "w", "save the search under a name"),
      line(.list, .copyLink, "y", "copy the item's link"),
      line(.list, .pipe, "|", "pipe the item's text to a shell command"),
      line(.list, .act, "e", "pass the item to a configured program"),

      line(.item, .nextUnread, "n", "show the next unread item, of another feed if the list has none"),
      line(.item, .previousUnread, "p N", "show the previous unread item"),
      line(.item, .nextItem, "J", "show the next item"),
      line(.item, .previousItem, "K", "show the previous item"),
      line(.item, .toggleRead, "m", "mark the item read or unread"),
      line(.item, .toggleStar, "s", "star the item, or remove the star"),
      line(.item, .label, "L", "give the item a label, or remove one"),
      line(.item, .save, "W", "pass the item to the hooks that save items"),
      line(
        .item,
        .play,
        "P",
        "play the item's sound or video; with a number before the key: the file with that number"
      ),
      line(.item, .markAllRead, "A", "mark all items of the list read"),
      line(
        .item,
        .browse,
        "o",
        "open the item's link in the browser; with a number before the key: the link with that number"
      ),
      line(.item, .browseAndMark, "O", "open the link in the browser and mark read"),
      line(.item, .versions, "v", "show the earlier versions of the item"),
      line(.item, .difference, "d", "show what the last edit changed"),
      line(
        .item,
        .copyLink,
        "y",
        "copy the item's link; with a number before the key: the link with that number"
      ),
      line(.item, .pipe, "|", "pipe the item's text to a shell command"),
      line(.item, .act, "e", "pass the item to a configured program"),

      line(.status, .nextUnread, "n", "go to the next failing feed"),
    ]
  )

  /// Makes a line of the table. Keys are separated by spaces, so a sequence with a space cannot be given
  /// here.
  private static func line(
    _ context: KeyContext,
    _ action: ReaderAction,
    _ keys: String,
    _ help: String
  ) -> Binding {
    let sequences = keys.utf8.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    return Binding(context: context, action: action, keys: sequences.compactMap(Key.sequence), help: help)
  }

  /// Gives a key another meaning on a screen.
  public mutating func bind(_ keys: [Key], to action: ReaderAction, in context: KeyContext) {
    for index in bindings.indices where bindings[index].context == context {
      bindings[index].keys.removeAll { $0 == keys }
    }
    if let index = bindings.firstIndex(where: { $0.context == context && $0.action == action }) {
      bindings[index].keys.append(keys)
    } else {
      let help = bindings.first { $0.action == action }?.help ?? "do nothing"
      bindings.append(Binding(context: context, action: action, keys: [keys], help: help))
    }
  }

  /// The bindings of a screen: first its own, then those of every screen.
  public func inForce(in context: KeyContext) -> [Binding] {
    let own = bindings.filter { $0.context == context && $0.action != .none && !$0.keys.isEmpty }
    let taken = Set(bindings.filter { $0.context == context }.flatMap(\.keys))
    let general = bindings.filter { $0.context == .everywhere && $0.action != .none }.compactMap { binding in
      var binding = binding
      binding.keys.removeAll(where: taken.contains)
      return binding.keys.isEmpty ? nil : binding
    }
    return own + general
  }

  /// The first key of an action on a screen, for hints; nil: it has none.
  func key(of action: ReaderAction, in context: KeyContext) -> String? {
    inForce(in: context).first { $0.action == action }?.keys.first.map(Key.text)
  }

  func meaning(of keys: [Key], in context: KeyContext) -> Meaning {
    for scope in [context, .everywhere] {
      let candidates = bindings.filter { $0.context == scope }
      if let exact = candidates.first(where: { $0.keys.contains(keys) }) { return .action(exact.action) }
      let isBeginning = candidates.contains { binding in
        binding.keys.contains { $0.count > keys.count && $0.starts(with: keys) }
      }
      if isBeginning { return .beginning }
    }
    return .nothing
  }
}

/// Combines keys into an action with its count.
struct KeyMatcher: Hashable, Sendable {
  private(set) var count: Int?
  private var keys: [Key] = []

  /// The keys typed so far that have no effect yet, such as `12g`.
  var pending: String { (count.map(String.init) ?? "") + Key.text(keys) }

  /// Processes a key. A zero counts as a digit only after another digit. Returns the action when it is
  /// complete.
  mutating func take(_ key: Key, _ table: KeyTable, _ context: KeyContext) -> (ReaderAction, count: Int?)? {
    if keys.isEmpty, let digit = key.digit, digit > 0 || count != nil {
      count = min((count ?? 0) * 10 + digit, 999_999)
      return nil
    }
    keys.append(key)
    switch table.meaning(of: keys, in: context) {
    case .beginning: return nil
    case .nothing:
      // A key that does not continue the sequence begins a new one.
      let wasSequence = keys.count > 1
      reset()
      return wasSequence ? take(key, table, context) : nil
    case .action(let action):
      defer { reset() }
      return (action, count)
    }
  }

  mutating func reset() {
    keys = []
    count = nil
  }
}
