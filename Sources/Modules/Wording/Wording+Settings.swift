/// The texts of settings and hooks.
extension Wording {
  package static let hooks = "Hooks"
  package static let whatHooksSend =
    "Hooks send items that you save or star, or new ones, to other services."
  package static let service = "Service"
  package static let addAHook = "Add a hook…"
  package static let sendsTo = "Sends to"
  package static let deliveries = "Deliveries"
  package static func lastError(_ error: String) -> String { "Last error: \(error)" }
  package static func theHook(_ name: String) -> String { " the hook \(name)" }
  package static let fixedInTheConfiguration = "fixed in the configuration"
  package static func deliveriesMade(_ count: Int) -> String { "\(count) made" }
  package static func waiting(_ count: Int) -> String { "\(count) waiting" }
  package static func givenUp(_ count: Int) -> String { "\(count) given up" }
  package static let theHookWasRemoved = "the hook was removed"
  package static let theHookCannotFire = "the hook cannot fire"
  package static func addAHookFor(_ service: String) -> String { "Add a hook: \(service)" }
  package static func hook(_ name: String) -> String { "Hook \(name)" }
  package static let nameOfTheHook = "Name of the hook"
  package static let addTheHook = "Add the hook"
  package static let sendTheNewestItemNow = "Send the newest item now"
  package static let removeTheHook = "Remove the hook"
  package static let backToTheSettings = "Back to the settings"
  package static let onlyItemsThatMatch = "Only items that match this query (empty: all)"
  package static let emptyAsBefore = " (empty: as before)"
  package static let itFiresForNewItems = "It fires for new items."
  package static let itFiresForSavedItems = "It fires for items that you save (key W) or star."
  package static let readingInAllBrowsers = "Reading, in all browsers"
  package static let markAnItemRead = "Mark an item read"
  package static let whenItIsShown = "when it is shown"
  package static let afterTwoSeconds = "after it was shown for 2 seconds"
  package static let neverByItself = "never by itself"
  package static let markItemsReadByScrolling = "Mark items read that have scrolled past in a list"
  package static let sortTheTree = "Sort folders and feeds by name, not by hand"
  package static let showTheOldestItemsFirst = "Show the oldest items first"
  package static let appearanceInThisBrowser = "Appearance, in this browser"
  package static let singleKeysActOnItems = "Single keys act on items"
  package static let compact = "compact: one line for each item"
  package static let cosy = "cosy: with excerpts"
  package static let cards = "cards"
  package static let colours = "Colours"
  package static let asTheBrowser = "as the browser"
  package static let light = "light"
  package static let sepia = "sepia"
  package static let dark = "dark"
  package static let black = "black"
  package static let fontOfTexts = "Font of texts"
  package static let serif = "serif"
  package static let sansSerif = "sans serif"
  package static let sizeOfTexts = "Size of texts"
  package static let small = "small"
  package static let medium = "medium"
  package static let large = "large"
  package static let veryLarge = "very large"
  package static let widthOfTexts = "Width of texts"
  package static let narrow = "narrow"
  package static let wide = "wide"
  package static let changeTheLoginPassword = "Change the login password"
  package static let startPage = "Start page"
  package static let timeZone = "Time zone"
  package static let orThatOfTheBrowser = " (empty: that of the browser)"
  package static let howLongItemsAreKept = "How long items are kept"
  package static let days = "Days"
  package static let itemsOfEachFeed = "Items of each feed"
  package static let anEmptyFieldIsNoLimit =
    "An empty field is no limit. Unread and starred items are kept, and feeds and folders may have limits of their own."
  package static func inUse(_ limits: String) -> String { "In use: \(limits)." }
  package static let isFixedInTheConfiguration = " (fixed in the configuration)"
  package static let backup = "Backup"
  package static let downloadABackup = "Download a backup"
  package static let whatTheBackupHas =
    "The file has all items, feeds and settings, also secrets. The administrator of newsd can restore it."
  package static let theFormNamesNoAction = "The form names no action."
  package static let done = "Done."
  package static func thePageHasNoHookFor(_ preset: String) -> String {
    "the page has no hook for '\(preset)'"
  }
  package static let thisServiceIsNotOffered =
    "newsd does not offer this service here. The hook does not fire; it can be removed."
  package static let savedForThisBrowser = "Saved for this browser."
  package static let newsdCannotReadTheSettings = "newsd cannot read the settings."
  package static func isNoNumberOf(_ text: String, _ name: String) -> String {
    "'\(text)' is not a number of \(name)"
  }
  package static let savedForAllBrowsers = "Saved for all browsers."
}
