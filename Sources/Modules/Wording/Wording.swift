/// The texts that people read on the page and in the reader, in one table, so that they can be translated.
///
/// It has headings, buttons, labels, placeholders, titles, notices and refusals of the page, and the titles, questions
/// and messages of the reader; each text once. It does not have names of classes, routes and commands, machine
/// formats, answers of protocols, log lines, the sentences of presenters, and the help of keys (`KeyTable`).
///
/// This file has the texts of several screens; each other file has those of one part of the page, or of the reader.
package enum Wording {
  package static let passwordsAndSessions = "Passwords and sessions"
  package static let loginPassword = "Login password"
  package static let name = "Name"
  package static let never = "never"
  package static let address = "Address"
  package static let keys = "Keys"
  package static let feeds = "Feeds"
  package static let more = "More"
  package static func moreAbout(_ title: String) -> String { "More about \(title)" }
  package static let unreadTitle = "Unread"
  package static let starred = "Starred"
  package static let search = "Search"
  package static let failingFeeds = "Failing feeds"
  package static let dismiss = "Dismiss"
  package static let lists = "Lists"
  package static let all = "All"
  package static let addAFeed = "Add a feed"
  package static let savedSearches = "Saved searches"
  package static let rules = "Rules"
  package static let settings = "Settings"
  package static let thereIsNothingToDo = "There is nothing to do at this address."
  package static let theFormNamesNoItem = "The form names no item."
  package static let thereIsNothingAtThisAddress = "There is nothing at this address."
  package static let versions = "Versions"
  package static let whatTheLastEditChanged = "What the last edit changed"
  package static let item = "Item"
  package static let save = "Save"
  package static let less = "Less…"
  package static let lessLikeThis = "Less like this"
  package static let label = "Label"
  package static let add = "Add"
  package static let itemsTitle = "Items"
  package static let markRead = "Mark read"
  package static func markAllOfRead(_ title: String) -> String { "Mark \(title) read" }
  package static let markEllipsis = "Mark…"
  package static let star = "Star"
  package static let thereAreNoFeedsYet = "There are no feeds yet."
  package static let website = "Website"
  package static func ofSubject(_ name: String) -> String { " of \(name)" }
  package static let logInFirst = "Log in first."
  package static let change = "Change"
  package static let readLabel = "read"
  package static let unreadLabel = "unread"
  package static let refreshHint = "refresh"
  package static let searchHint = "search"
}
