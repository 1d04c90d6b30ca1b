package import NewsCore

/// The part of a writing transaction that evaluates hooks. A store may write the outbox only at the end of the
/// transaction.
package protocol HookSession {
  /// Returns the hooks that fire, ordered by name.
  func activeHooks() throws(StoreError) -> [StoredHook]
  /// Returns the query of a saved search; nil if there is none.
  func savedQuery(_ name: String) throws(StoreError) -> String?
  /// Records an error of a hook with the current time, unless the same error was the last one recorded.
  func noteError(_ error: String, of hook: String) throws(StoreError)
  func feed(_ id: Feed.ID) throws(StoreError) -> Feed?
  /// Returns the state of an item; nil if there is no such item.
  func state(of id: NewsItem.ID) throws(StoreError) -> InitialState?
  /// Adds an entry to the outbox of a hook, due now.
  func add(_ entry: HookEntry, to hook: String) throws(StoreError)
}
