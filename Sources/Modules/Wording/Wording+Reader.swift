import NewsToolbox

/// The texts of the reader.
extension Wording {
  package static let numbersRepeatMovements =
    "A number before a movement repeats it. newsd.yaml changes keys under 'keys:'."
  package static let loading = "loading …"
  package static let thisItemWasRemovedFromTheStore = "this item was removed from the store"
  package static let typeTheNumberOfALink =
    "type the number of a link before this key, such as 2 and Enter"
  package static let pipeTo = "Pipe to: "
  package static let thisItemHasNoLinks = "this item has no links"
  package static let thisItemHasOneLink = "this item has one link"
  package static func thisItemHasLinks(_ count: Int) -> String { "this item has links 1 to \(count)" }
  package static func thereIsNoLink(_ number: Int, _ range: String) -> String {
    "there is no link \(number): \(range)"
  }
  package static let today = "Today"
  package static let yesterday = "Yesterday"
  package static let filter = "Filter: "
  package static let thisIsNoSearch = "this is no search; / begins one"
  package static let saveTheSearchAs = "Save the search as: "
  package static let thisIsTheFirstItem = "this is the first item"
  package static let thisIsTheLastItem = "this is the last item"
  package static let noUnreadItemBeforeThisOne = "no unread item before this one"
  package static let noItemIsUnread = "no item is unread"
  package static let oldestFirstAddition = "oldest first"
  package static let noItemsHere = "No items here."
  package static let typeWordsToLookFor = "Type words to look for; the last one may be a beginning."
  package static let upBringsBackAnEarlierSearch = "Up brings back an earlier search:"
  package static func noTemporaryFileForItsInput(_ program: String) -> String {
    "\(program): no temporary file for its input"
  }
  package static func cannotRun(_ program: String, _ reason: String) -> String {
    "cannot run \(program): \(reason)"
  }
  package static func endedWithStatus(_ status: Int) -> String { "ended with status \(status)" }
  package static func wasEndedBySignal(_ signal: Int) -> String { "was ended by signal \(signal)" }
  package static func pressEnter(_ outcome: String) -> String {
    "\n[\(outcome): press Enter to go back to the reader] "
  }
  package static let openHint = "open"
  package static let nextUnreadHint = "next unread"
  package static let markReadHint = "mark read"
  package static let addHint = "add"
  package static let keysHint = "keys"
  package static let leaveHint = "leave"
  package static let starHint = "star"
  package static let allReadHint = "all read"
  package static let undoHint = "undo"
  package static let backHint = "back"
  package static let browserHint = "browser"
  package static let refreshAllHint = "refresh all"
  package static let aRefreshIsRunning = "a refresh is running"
  package static let refreshingNow = "refreshing …"
  package static let thereIsNoLinkOnTheWeb = "there is no link on the web"
  package static let thereIsNoLinkToCopy = "there is no link to copy"
  package static let copied = "Copied "
  package static let labelToGiveOrRemove = "Label (-LABEL removes): "
  package static let noProgramIsConfigured =
    "no program is configured under 'actions:' in newsd.yaml"
  package static let nothingToUndo = "nothing to undo"
  package static let cannotStartAThreadForTheTerminal = "cannot start a thread for the terminal"
  package static let severalFeedsChooseOne = "Several feeds: choose one"
  package static let isTheNetworkUp = ". Is the network up?"
  package static func showsWhichFeedsAndWhy(_ key: String) -> String { "; \(key) shows which feeds, and why" }
  package static let thisKeyDoesNothing = "this key does nothing here; ? shows the keys"
  package static func feedNumberedInSentence(_ number: Int64) -> String { "feed \(number)" }
  package static let allItems = "All items"
  package static let handTheItemTo = "Hand the item to"
  package static let thisItemIsInNoList = "this item was not opened from a list"
  package static let askingForTheFeed = "Asking for the feed …"
  package static func savedTheSearchAs(_ name: String) -> String { "saved the search as '\(name)'" }
  package static func removedTheSearch(_ name: String) -> String { "removed the search '\(name)'" }
  package static let thisItemHasNoSoundOrVideo = "this item has no sound or video"
  package static let thisIsNeitherSoundNorVideo = "this is neither sound nor video"
  package static func programDone(_ name: String) -> String { "\(name): done" }
  package static let status = "Status"
  package static let noFeedFails = "No feed fails"
  package static let whatFails = "What fails"
  package static func whatIsDueWithin(_ time: String) -> String { "What is due within \(time)" }
  package static let subscriptionsUnread = "Subscriptions · unread"
  package static let subscriptions = "Subscriptions"
  package static let addTheFeedOrPage = "Add the feed or page: "
  package static func askToRemoveTheSearch(_ name: String) -> String { "Remove the search '\(name)'? (y/n) " }
  package static let selectAFeedFirst = "select a feed first"
  package static let newTitle = "New title: "
  package static let folderEmptyNone = "Folder (empty: none): "
  package static func askToRemoveTheFeed(_ title: String, _ items: String) -> String {
    "Remove '\(title)' and its \(items)? (y/n) "
  }
  package static func keyAddsAFeed(_ key: String) -> String {
    "\(key) adds a feed: type its address, or that of a page."
  }
  package static func commandTakesAList(_ key: String) -> String {
    "\(key)feeds import FILE takes a list: OPML, or newsboat's urls."
  }
  package static let thereAreNoSubscriptionsYet = "There are no subscriptions yet."
  package static let starredWithStar = "★ Starred"
  package static func items(_ count: Int) -> String { "\(CountText.of(count)) \(Plural.word(count, "item"))" }
  package static func unread(_ unread: Int, of count: Int) -> String {
    "\(CountText.of(unread)) unread of \(CountText.of(count)) items"
  }
  /// `more` follows the number if there may be more items.
  package static func items(_ count: Int, _ more: String) -> String {
    "\(CountText.of(count))\(more) \(Plural.word(count, "item"))"
  }
  package static func undone(_ count: Int, _ mark: String) -> String { "undone: \(items(count)) \(mark)" }
  package static func andMore(_ count: Int) -> String { "… and \(CountText.of(count)) more" }
  package static func unread(_ count: Int) -> String { "\(CountText.of(count)) unread" }
  package static let stories = "stories"
  package static func cannotLoadCurses(_ reason: String) -> String { "cannot load ncurses: \(reason)" }
  package static func cannotDraw(on terminal: String) -> String {
    "cannot draw on the terminal '\(terminal)': set TERM to a terminal that terminfo knows, or use 'newsd list'"
  }
  package static let readNeedsATerminal = "read needs a terminal; 'newsd list' writes to pipes and files"
  package static func readNeedsACursor(_ terminal: String) -> String {
    "read needs a terminal that can move its cursor, and TERM is '\(terminal)'; 'newsd list' does not"
  }
  package static func cannotOpenAPipe(_ reason: String) -> String { "cannot open a pipe: \(reason)" }
}
