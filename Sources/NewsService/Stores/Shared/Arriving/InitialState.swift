import NewsCore

/// The state of a new item.
package struct InitialState {
  package var isRead = false
  package var isStarred = false

  package init(isRead: Bool = false, isStarred: Bool = false) {
    self.isRead = isRead
    self.isStarred = isStarred
  }
}
