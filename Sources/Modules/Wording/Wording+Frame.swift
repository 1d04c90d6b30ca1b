import NewsToolbox

/// The texts of the frame of every page.
extension Wording {
  package static let addressHasAStream =
    "This address has a stream of events (text/event-stream)."
  package static let theStoreCannotBeUsed = "The store cannot be used."
  package static let tooManyPagesAreOpen = "Too many pages are open."
  package static let nextAndPreviousItem = "next and previous item"
  package static let nextUnreadItem = "next unread item, at the end that of the next feed"
  package static let nextFeedKey = "next feed with unread items"
  package static let playOrPause = "play or pause the recording"
  package static let unsubscribeKey = "unsubscribe from the feed, which can be undone"
  package static let space = "Space"
  package static let scrollThenTheNextUnreadItem = "scroll, then the next unread item"
  package static let enter = "Enter"
  package static let openTheItem = "open the item"
  package static let openTheOriginal = "open the original"
  package static let markReadOrUnread = "mark read or unread"
  package static let starTheItemOrRemoveTheStar = "star the item, or remove the star"
  package static let labelTheItem = "label the item"
  package static let lessLikeThisKey = "less like this item"
  package static let saveTheItem = "save the item"
  package static let showTheWholeArticle = "show the whole article"
  package static let markThisPageReadKey = "mark this page read"
  package static let markTheListRead = "mark the feed, folder, search or list read"
  package static let undoTheLastMark = "undo the last mark"
  package static let backToTheList = "back to the list"
  package static let escape = "Esc"
  package static let addAFeedKey = "add a feed"
  package static let refreshTheList = "refresh the feed or folder, or all feeds"
  package static let findFeedsSearchesAndCommands = "find feeds, searches and commands"
  package static let goToUnread = "go to Unread"
  package static let goToStarred = "go to Starred"
  package static let goToAll = "go to All"
  package static let goToFeeds = "go to Feeds"
  package static let showTheseKeys = "show these keys"
  package static let close = "Close"
  package static let thePageFailed = "the page failed"
  package static let searches = "Searches"
  package static func feedsBeyond(_ count: Int) -> String { "\(count) more feeds" }
  package static let addTheFirstFeed = "Add the first feed"
  package static func fold(_ title: String) -> String { "Fold \(title)" }
  package static let main = "Main"
  package static let alwaysForThisFeed = "Always for this feed"
  package static let onlyWhenIAsk = "Only when I ask"
  package static let undo = "Undo"
  package static func doneOfFeeds(_ done: Int, _ count: Int) -> String {
    " \(done) of \(Plural.of(count, "feed"))"
  }
  package static func refreshing(_ count: String) -> String { "Refreshing\(count)…" }
  package static func refreshed(_ count: Int) -> String { "Refreshed: \(Plural.of(count, "new item"))." }
  package static let refreshedFeeds = "Refreshed feeds"
  package static let chooseAnItem = "Choose an item to read it here."
  package static let article = "Article"
  package static let skipToTheContent = "Skip to the content"
  package static func titleOfTheDocument(_ title: String) -> String { "\(title) · newsd" }
  package static let manageFeeds = "Manage feeds"
  package static let logOut = "Log out"
  package static let newsdCouldNotAnswer = "newsd could not answer"
  package static let theFormIsTooOld =
    "This form is too old or comes from another site. Load the page again."
  package static let thePageKnowsOnlyGetAndPost = "The page knows only GET and POST."
  package static let noAPIHasThisAddress = "No API has this address."
  package static let notFound = "Not found"
  package static let unreadItems = "Unread items"
  package static let newsdHasNoPageAtThisAddress = "newsd has no page at this address."
}
