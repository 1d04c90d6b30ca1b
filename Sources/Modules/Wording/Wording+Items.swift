import NewsToolbox

/// The texts of lists and items.
extension Wording {
  package static let theFormNamesNoItemOrMark = "The form names no item or no mark."
  package static let noHookSavesItems =
    "\"Save\" passes an item to a service such as Wallabag, and none is set up yet."
  package static func noWholeArticle(_ reason: String) -> String {
    "newsd found no whole article: \(reason)."
  }
  package static func itemsWereRemoved(_ count: Int) -> String {
    count == 1 ? "The item was removed." : "The items were removed."
  }
  package static let theFormNamesNoItemOrLabel = "The form names no item or no label."
  package static let theFormNamesNoMark = "The form names no mark."
  package static func theFormNamesNoItems(_ limit: Int) -> String {
    "The form names no items, or more than \(limit)."
  }
  package static func marked(_ count: Int, _ mark: String) -> String {
    "\(Plural.of(count, "item")) \(doing(mark))."
  }
  package static func theFormNamesNoMarks(_ limit: Int) -> String {
    "The form names no marks, or more than \(limit)."
  }
  package static let newsdMadeNoMarks = "newsd made no marks."
  package static let itWasMarkedLaterElsewhere = "it was marked later elsewhere"
  package static let itWasRemoved = "it was removed"
  package static func itemNumbered(_ number: Int64) -> String { "Item \(number)" }
  package static func askForWholeArticles(_ feed: String) -> String {
    "Fetch the whole article of each new item of \(feed)?"
  }
  package static let thereIsNothingLeftToUndo = "There is nothing left to undo."
  package static func markedAgain(_ count: Int, _ mark: String) -> String {
    "\(Plural.of(count, "item")) \(doing(mark)) again."
  }
  /// What a mark does to an item: items are starred, but marked read.
  private static func doing(_ mark: String) -> String {
    mark == "read" || mark == "unread" ? "marked \(mark)" : mark
  }
  package static let thisPagePassesOnNoMedia = "This page passes on no media."
  package static let theClientHasLeft = "The client has left, or newsd is stopping."
  package static let theFeedOfThisAddressWasRemoved = "The feed of this address was removed."
  package static let thereIsNoSuchRecording = "There is no such recording."
  package static let thePositionIsNoNumber = "The position is not a number of seconds."
  package static func newsdGotNoMedia(_ reason: String) -> String { "newsd got no media: \(reason)" }
  package static let thisIsNoMedia = "This is no picture or recording that newsd passes on."
  package static let tooManyRecordings = "Too many recordings are played at once."
  package static let theRecordingIsShorter = "The recording is shorter."
  package static let backToTheItem = "Back to the item"
  package static let theItemWasNotEdited = "The feed has not edited this item since it was stored."
  package static let theCurrentVersion = "The current version"
  package static let until = "until "
  package static let noSuchItem = "No such item"
  package static func minRead(_ minutes: Int) -> String { "\(minutes) min read" }
  package static let back = "Back"
  package static let original = "Original"
  package static let comments = "Comments"
  package static let theFeedGivesNoText = "The feed gives no text for this item."
  package static let wholeArticle = "Whole article"
  package static let share = "Share"
  package static let next = "Next"
  package static func removeTheLabel(_ name: String) -> String { "Remove the label \(name)" }
  package static let theSameStoryElsewhere = "The same story elsewhere"
  package static let otherItems = "Other items"
  package static let previousItem = "Previous item"
  package static let nextItem = "Next item"
  package static let recording = "Recording"
  package static let played = " · played"
  package static func file(isVideo: Bool, _ size: String?) -> String {
    [isVideo ? "Video" : "Audio", size, "download"].compactMap(\.self).joined(separator: ", ")
  }
  package static func episode(_ number: String) -> String { "Episode \(number)" }
  package static func otherItemsTellThisStory(_ count: Int) -> String {
    "\(Plural.of(count, "other item tells", "other items tell")) this story"
  }
  package static let markUnread = "Mark unread"
  package static let unstar = "Unstar"
  package static let showNewItems = "Show new items"
  package static let addAFeedOrImportAList = "Add a feed or import a list"
  package static let thereAreNoFurtherItems = "There are no further items."
  package static let everythingIsRead = "Everything is read."
  package static let noItemIsStarred =
    "No item is starred. The star beside an item keeps it here."
  package static let typeWhatToSearchFor = "Type what to search for."
  package static let nothingMatches = "Nothing matches."
  package static let everythingHereIsRead = "Everything here is read."
  package static let thereAreNoItemsYet = "There are no items yet."
  package static let showReadItems = "Show read items"
  package static let unreadOnly = "Unread only"
  package static let saveThisSearch = "Save this search"
  package static let oldestFirst = "Oldest first"
  package static let newestFirst = "Newest first"
  package static let everyItem = "Every item"
  package static let eachStoryOnce = "Each story once"
  package static let byTime = "By time"
  package static let bestMatchFirst = "Best match first"
  package static let markThisPageRead = "Mark this page read"
  package static let markTheFeedRead = "Mark the feed read"
  package static let markTheFolderRead = "Mark the folder read"
  package static let markAllMatchesRead = "Mark all matches read"
  package static let markEverythingRead = "Mark everything read"
  package static let markOlderThanADayRead = "Mark older than a day read"
  package static let markOlderThanAWeekRead = "Mark older than a week read"
  package static let newerItems = "Newer items"
  package static let olderItems = "Older items"
  package static let lastDay = "Last day"
  package static let lastWeek = "Last week"
  package static func inThisSearch(_ gap: String) -> String { "In this search, \(gap)." }
  package static let narrowTheSearch = "Narrow the search"
  package static let thereIsNoSuchList = "There is no such list."
  package static func feedNumbered(_ number: Int64) -> String { "Feed \(number)" }
  package static let thereIsNoSuchItem = "There is no such item."
  package static let thereIsNoSuchPage = "There is no such page."
}
