import Synchronization

/// Keeps uploaded lists in memory between the dry run and the import: one per session, for a limited number
/// of sessions.
final class UploadDesk: Sendable {
  private let lists = Mutex<[(session: Int64, list: [UInt8])]>([])
  private static let limit = 4

  func keep(_ list: [UInt8], for session: Int64) {
    lists.withLock { lists in
      lists.removeAll { $0.session == session }
      lists.append((session, list))
      if lists.count > Self.limit { lists.removeFirst() }
    }
  }

  func take(for session: Int64) -> [UInt8]? {
    lists.withLock { lists in
      guard let index = lists.firstIndex(where: { $0.session == session }) else { return nil }
      return lists.remove(at: index).list
    }
  }
}
