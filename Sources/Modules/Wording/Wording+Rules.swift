import NewsToolbox

/// The texts of rules, searches and suggestions.
extension Wording {
  package static let itemsThatHaveAllOfThese = "Items that have all of these"
  package static let howLong = "How long"
  package static let for7Days = "for 7 days"
  package static let chooseWhatItemsShare = "Choose what the items have in common."
  package static let applyToTheStoredItemsToo = "Apply to the stored items too"
  package static let count = "Count"
  package static let lessOfThese = "Less of these"
  package static let whatHappensToThem = "What happens to them"
  package static let theyAreMarkedRead = "they are marked read"
  package static let theyAreNotStored =
    "they are not stored; those stored already are marked read"
  package static let theyGetALabel = "they get a label:"
  package static func feedChip(_ feed: String) -> String { "Feed: \(feed)" }
  package static func authorChip(_ author: String) -> String { "By \(author)" }
  package static func tagChip(_ tag: String) -> String { "Tag: \(tag)" }
  package static func aLabelMustHaveBytes(_ longest: Int) -> String {
    "A label must have 1 to \(longest) bytes and no control characters."
  }
  package static let chooseNoOtherAction =
    "Choose no other action for items that newsd does not store."
  package static let chooseWhatTheRuleDoes = "Choose what the rule does to the items that match."
  package static let rulesActOnArrival =
    "Rules act on items as they arrive, in this order. Stored items stay as they are."
  package static let addARule = "Add a rule"
  package static let itemsThatMatchThisQuery = "Items that match this query"
  package static let drop = "Do not store"
  package static let tag = "Tag"
  package static let tryOnStoredItems = "Try on stored items"
  package static let addTheRule = "Add the rule"
  package static let thereAreNoRules = "There are no rules."
  package static let number = "Number"
  package static let query = "Query"
  package static let does = "What it does"
  package static let remove = "Remove"
  package static func rule(_ number: Int) -> String { " rule \(number)" }
  package static func matches(_ count: Int) -> String { "Matches \(Plural.of(count, "stored item"))" }
  package static let addedTheRule = "Added the rule."
  package static let addedTheRuleForAWeek = "Added the rule for 7 days."
  package static let removedTheNewRule = "Removed the new rule."
  package static func changedTheRule(_ number: Int) -> String { "Changed rule \(number)." }
  package static func movedTheRuleUp(_ number: Int) -> String { "Moved rule \(number) up." }
  package static func movedTheRuleDown(_ number: Int) -> String { "Moved rule \(number) down." }
  package static func removedTheRule(_ number: Int) -> String { "Removed rule \(number)." }
  package static let marksRead = "marks read"
  package static let stars = "stars"
  package static let doesNotStore = "does not store"
  package static func addsTheTag(_ name: String) -> String { "adds the tag '\(name)'" }
  package static func addsTheLabel(_ name: String) -> String { "adds the label '\(name)'" }
  package static let noItemsChanged = "0 items changed"
  package static let theRulesHaveChanged = "The rules have changed. Look at them again."
  package static func isNoTimeToCome(_ text: String) -> String {
    "'\(text)' is not a time in the future. Type a span such as 7d, or a date such as 2030-01-31."
  }
  package static func changeRule(_ number: Int) -> String { "Change rule \(number)" }
  package static let saveTheRule = "Save the rule"
  package static let cancel = "Cancel"
  package static let untilOrForEver = "Until (empty: for ever)"
  package static let exampleOfAnEnd = "7d or 2030-01-31"
  package static func also(_ actions: String) -> String { "Also: \(actions)" }
  package static let untilTitle = "Until"
  package static let untilLabel = "until"
  package static let forEver = "for ever"
  package static let ended = " (ended)"
  package static let hits = "Matched items"
  package static let hitsLabel = "matched items"
  package static let edit = "Edit"
  package static let up = "Up"
  package static let down = "Down"
  package static let saveASearch = "Save a search"
  package static func savedTheSearch(_ name: String) -> String { "Saved the search \(name)." }
  package static let exampleOfAQuery = "kernel feed:LWN is:unread"
  package static let noSearchIsSavedYet = "No search is saved yet."
  package static let asAFeed = "As a feed"
  package static let otherReadersSubscribe =
    "Other readers subscribe to these feeds with the account's name and an "
  package static let appPassword = "app password"
  package static let aSavedSearchNeeds = "A saved search needs a name and a query."
  package static let theTextIsTooLong = "The text is too long."
  package static let theFormHasNoSearch = "The form has no search."
  package static let savedSearch = "saved search"
  package static let recentSearch = "recent search"
  package static let always = "always"
  package static let removeAddition = " (remove)"
}
