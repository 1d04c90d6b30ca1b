package import NewsCore
import NewsToolbox

/// The texts of feeds and imports.
extension Wording {
  package static func importingFrom(_ source: String, _ number: String) -> String {
    "Importing from \(source)\(number)…"
  }
  package static func importedFrom(_ source: String) -> String { "Imported from \(source):\n" }
  package static func theImportFromFailed(_ source: String) -> String { "The import from \(source) failed: " }
  package static func theImportFromWasInterrupted(_ source: String, _ number: String) -> String {
    "The import from \(source) was interrupted\(number). Start it again to continue: what is stored stays, and nothing is stored twice."
  }
  package static func andMoreLines(_ more: Int) -> String { "and \(more) more lines" }
  package static let importTitle = "Import"
  package static let fromAFile = "From a file"
  package static let fromTheServerOfAnotherReader = "From the server of another reader"
  package static let addressOfTheAPI = "Address of the API"
  package static let protocolTitle = "Protocol"
  package static let nameOrNothing = "Name (empty for an API token of Miniflux)"
  package static let passwordOrTokenOnThatServer = "Password or token on that server"
  package static let whatTheImportReads =
    "newsd reads subscriptions, items and marks from this server, and asks no publisher. It keeps no password."
  package static let googleReader = "Google Reader (FreshRSS and others)"
  package static let aListOrAFile = "A list of feeds, or the file of another reader"
  package static let lookAgain = "Look again"
  package static let stop = "Stop"
  package static func ofTheImport(_ source: String) -> String { " the import from \(source)" }
  package static let chooseAProtocol = "Choose a protocol."
  package static let theAddressMustBeOnTheWeb = "The address must begin with http:// or https://."
  package static let thisProtocolNeedsAName =
    "This protocol needs the name of the account on that server."
  package static let typeThePasswordOrToken = "Type the password or token for that server."
  package static let noControlCharacters =
    "Name and password must not contain control characters."
  package static let anImportIsRunning = "An import is running. Wait for its end, or stop it."
  package static let theFile = "the file"
  package static let itemsADay = "Items a day"
  package static func activity(_ count: Int, _ number: Int, _ most: Int) -> String {
    "\(Plural.of(count, "item")) in \(Plural.of(number, "day")), at most \(most) in one day"
  }
  package static let addressOfAFeedOrChannel = "Address of a feed, page or channel, or @user@host"
  package static let dragToTheBookmarks =
    "Drag this link to the bookmarks of your browser, to look up the feeds of the page that you see: "
  package static let addToNewsd = "Add to newsd"
  package static let lookUp = "Look up"
  package static let subscribed = "Subscribed: "
  package static let folderOptional = "Folder (optional)"
  package static let noSuchFeed = "No such feed"
  package static let refreshNow = "Refresh now"
  package static let nameAndFolder = "Name and folder"
  package static let title = "Title"
  package static let folder = "Folder"
  package static let anEmptyFieldFollowsTheConfiguration =
    "An empty field follows the configuration. Secrets, proxies and certificates are set with "
  package static let onTheServer = " on the server."
  package static let unsubscribe = "Unsubscribe"
  package static let unsubscribeEllipsis = "Unsubscribe…"
  package static func removeTheFeedAndItems(_ count: Int) -> String {
    "Remove this feed and its \(Plural.of(count, "item"))"
  }
  package static let thisCannotBeUndone = "This cannot be undone."
  package static let removesItsItemsToo = "The feed, its items and their marks are removed."
  package static let removeForGood = "Remove for good"
  package static let refresh = "Refresh"
  package static let resume = "Resume"
  package static let pause = "Pause"
  package static let showInUnreadAndAll = "Show in Unread and All"
  package static let hideFromUnreadAndAll = "Hide from Unread and All"
  package static let moveUp = "Move up"
  package static let moveDown = "Move down"
  package static let renameAndMove = "Rename and move"
  package static let pauseItsFeeds = "Pause its feeds"
  package static let resumeItsFeeds = "Resume its feeds"
  package static let renameOrMove = "Rename or move"
  package static let removeTheFolder = "Remove the folder"
  package static let removeItsFeedsStay = "Remove; its feeds stay"
  package static let statistics = "Statistics"
  package static let whatTheStatisticsCount =
    "Items of the last four weeks. A feed is silent if its newest item is older than 90 days."
  package static let feed = "Feed"
  package static let itemsAWeek = "Items a week"
  package static let markedRead = "Marked read"
  package static let markedReadLabel = "marked read"
  package static let newestItem = "Newest item"
  package static let itemsAWeekLabel = "items a week"
  package static let newestLabel = "newest"
  package static let none = "none"
  package static let silent = " silent"
  package static let refreshAll = "Refresh all"
  package static let allFeeds = "All feeds"
  package static let failingOnly = "Failing only"
  package static let exportAsOPML = "Export as OPML"
  package static let thereAreNoMoreFeeds = "There are no more feeds."
  package static let noFeedFailsNow = "No feed fails."
  package static let thereAreNoFeedsYetToAdd = "There are no feeds yet. Add one, or import a list."
  package static let state = "State"
  package static let nextPoll = "Next poll"
  package static let previousFeeds = "Previous feeds"
  package static func pageOfFeeds(_ page: Int, _ last: Int, _ count: Int) -> String {
    "Page \(page) of \(last) · \(count) feeds"
  }
  package static let moreFeeds = "More feeds"
  package static let itemsLabel = "items"
  package static let nextPollLabel = "next poll"
  package static let tryAgain = "Try again"
  package static let newsdCannotFetchThisFeed = "newsd cannot fetch this feed."
  package static let newsdDoesNotFetchThisFeedAnyMore = "newsd does not fetch this feed any more."
  package static let newsdHasFetchedNothingYet = "newsd has fetched nothing of this feed yet."
  package static let sinceTime = " · since "
  package static let changeItsAddress = "Change its address"
  package static let newAddressEllipsis = "New address…"
  package static let newAddress = "New address"
  package static let removeEllipsis = "Remove…"
  package static func unsubscribeAndDelete(_ count: Int) -> String {
    "Unsubscribe and delete \(Plural.of(count, "item"))"
  }
  package static let fetched = "fetched "
  /// A time between two polls to the minute, and from a day on to the hour.
  package static func interval(_ seconds: Int64) -> String {
    let minutes = Int(seconds + 30) / 60
    let hours = (minutes + 30) / 60
    func parts(_ whole: (Int, String), _ rest: (Int, String)) -> String {
      Plural.of(whole.0, whole.1) + (rest.0 > 0 ? " " + Plural.of(rest.0, rest.1) : "")
    }
    return switch minutes {
    case ..<60: Plural.of(minutes, "minute")
    case ..<1440: parts((minutes / 60, "hour"), (minutes % 60, "minute"))
    default: parts((hours / 24, "day"), (hours % 24, "hour"))
    }
  }
  package static func answer(_ status: Int) -> String {
    switch status {
    case 304: "nothing new (304)"
    case 200..<300: "the feed (\(status))"
    default: "an error (\(status))"
    }
  }
  package static func reason(_ reason: DueReason) -> String {
    switch reason {
    case .new: "new"
    case .adaptive: "by its usual rhythm"
    case .maxAge, .expires, .ttl, .updatePeriod: "as the feed says"
    case .skipHours: "at hours that the feed names"
    case .skipDays: "on days that the feed names"
    case .retryAfter: "when the server says"
    case .backoff(let count): "after \(Plural.of(count, "failure"))"
    case .hostBudget: "after others of its site"
    case .networkDown: "the network is down"
    case .webSub: "new items come at once"
    case .gone: "gone"
    case .user: "by its settings"
    }
  }
  package static let notFetchedYet = "not fetched yet"
  package static let filledByIngest = "filled by a program"
  package static let now = "now"
  package static let addressOfAFeedOrAPage = "Address of a feed or a page"
  package static let importFromAServer = "Import from the server of another reader"
  package static func wasNotAdded(_ typed: String) -> String { "'\(typed)' was not added." }
  package static let typeAnAddress = "Type an address first."
  package static let isNoAddress =
    "This is not an address on the web. Such an address looks like https://example.org/."
  package static func isNoWebURL(_ typed: String) -> String {
    "\(typed) is not an http or https URL. The page adds neither files nor programs."
  }
  package static let chooseAFeed = "Choose a feed"
  package static func hasSeveralFeeds(_ address: String) -> String { "\(address) has several feeds." }
  package static let thatListIsNotKept =
    "newsd does not keep that list any more. Choose the file again."
  package static let chooseAFileFirst = "Choose a file first."
  package static func addedTheFeed(_ title: String) -> String { "Added \(title)." }
  package static func addedFeeds(_ count: Int, known: Int) -> String {
    "Added \(Plural.of(count, "feed"))."
      + (known > 0 ? " \(Plural.of(known, "feed")) \(Plural.word(known, "was", "were")) there already." : "")
  }
  package static func renamed(_ former: String, to name: String) -> String { "Renamed \(former) to \(name)." }
  package static func moved(_ title: String, to folder: String) -> String {
    folder.isEmpty ? "Moved \(title) out of its folder." : "Moved \(title) to \(folder)."
  }
  package static func removed(_ title: String, _ items: Int) -> String {
    "Removed \(title) and its \(Plural.of(items, "item"))."
  }
  package static func feedsMoved(_ count: Int, to folder: String) -> String {
    let feeds = Plural.of(count, "feed")
    return folder.isEmpty ? "\(feeds) moved to the top level." : "\(feeds) moved to \(folder)."
  }
  package static func feedsRemoved(_ count: Int, _ items: Int) -> String {
    "\(Plural.of(count, "feed")) removed, with \(Plural.of(items, "item"))."
  }
  package static func removedTheFolder(_ name: String) -> String {
    "Removed the folder \(name), but not its feeds."
  }
  package static func theListHas(_ count: Int, known: Int) -> String {
    "The list has \(Plural.of(count, "new feed"))"
      + (known > 0 ? ", and \(Plural.of(known, "feed")) that you have already." : ".")
  }
  package static let importAList = "Import a list"
  package static let theListHasNothingNew = "The list has nothing new."
  package static func addFeeds(_ count: Int) -> String { "Add \(Plural.of(count, "feed"))" }
  package static func inFolder(_ folder: String) -> String { " in \(folder)" }
  package static let backWithoutAddingAnything = "Back without adding anything"
  package static let saved = "Saved."
  package static let theFormNamesNoPlace = "The form names no feed or folder, or no place for it."
  package static let theFormNamesNoFolder = "The form names no folder."
  package static let theFolderHasNoFeedToRefresh = "The folder has no feed to refresh."
  package static let thereIsNoSuchFeed = "There is no such feed."
  package static let theFormNamesNoSetting = "The form names no setting."
  package static let aRefreshIsRunningAlready = "A refresh is running already."
  package static func filesForTheImport(upTo mebibytes: Int) -> String {
    """
    Lists: OPML, newsboat's urls, sfeedrc. newsd shows what it would add before it adds anything. Files with items: \
    exports of newsd, FreshRSS, Tiny Tiny RSS, yarr, NetNewsWire, Liferea, newsboat, Inoreader, Feedly and sfeed, up \
    to \(mebibytes) MiB.
    """
  }
  package static let pausedUntilIAsk = "Paused: fetch it only when I ask"
  package static let leaveItsItemsOut = "Leave its items out of Unread and All"
  package static let wholeArticles = "Whole articles"
  package static let whenIAskForOne = "When I ask for one"
  package static let ofAllNewItemsIfExcerpts = "Of all new items, if the feed has only excerpts"
  package static let ofAllNewItems = "Of all new items"
  package static let whenIAskOnly = "When I ask; do not offer more"
  package static let fetchItAtMost = "Fetch it at most"
  package static let fetchItAtLeast = "Fetch it at least"
  package static let asOftenAsItPublishes = "As often as it publishes"
  package static let every15Minutes = "Every 15 minutes"
  package static let everyHour = "Every hour"
  package static let every6Hours = "Every 6 hours"
  package static let onceADay = "Once a day"
  package static let onceAWeek = "Once a week"
  package static let keepItsItems = "Keep its items"
  package static let asThoseOfOtherFeeds = "As long as those of other feeds"
  package static let forAWeek = "For a week"
  package static let for30Days = "For 30 days"
  package static let for90Days = "For 90 days"
  package static let forAYear = "For a year"
  package static let nameThatNewsdSends = "The name of the program that newsd sends (User-Agent)"
  package static let encodingOfTheFeed = "The feed's encoding, if its letters are wrong"
  package static let longestTimeOfARequest = "The longest time of a request"
  package static let largestSizeOfTheFeed = "The largest size of the feed"
  package static let numberOfItemsToKeep = "How many of its newest items are kept"
  package static let partsWithTheArticle = "Whole articles: the parts of a page with the article"
  package static let partsToLeaveOut = "Whole articles: the parts to leave out"
  package static let linkToTheNextPage = "Whole articles: the link to the next page of an article"
  package static let chosenFeeds = "Chosen feeds:"
  package static let toTheFolder = "To the folder"
  package static let move = "Move"
  package static let unsubscribeAndDeleteItems = "Unsubscribe and delete their items"
  package static func choose(_ feed: String) -> String { "Choose \(feed)" }
  package static func theFormNamesNoFeeds(_ most: Int) -> String {
    "The form names no feeds, or more than \(most)."
  }
  package static let noFeedIsChosen = "No feed is chosen. Check the boxes beside the feeds."
  package static func feedsPaused(_ count: Int) -> String { "\(Plural.of(count, "feed")) paused." }
  package static func feedsResumed(_ count: Int) -> String { "\(Plural.of(count, "feed")) resumed." }
  package static func feedsRemovedMeanwhile(_ count: Int) -> String {
    "\(Plural.of(count, "chosen feed")) had been removed meanwhile."
  }
  package static let fails = "fails"
  package static let gone = "gone"
  package static let paused = "paused"
  package static let hidden = "hidden"
  package static func countedEntries(_ count: Int) -> String { ": \(Plural.of(count, "entry", "entries"))" }
}
