import Synchronization

/// Keeps uploaded lists in memory between the dry run and the import: one per session, for ten minutes.
final class UploadDesk: Sendable {
  private struct Upload {
    let number: Int
    let session: Int64
    let list: [UInt8]
  }

  private let uploads = Mutex<(all: [Upload], count: Int)>(([], 0))
  /// Bytes of all lists but the last one.
  private static let limit = 16 << 20
  private static let lifetime = Duration.seconds(600)

  func keep(_ list: [UInt8], for session: Int64) {
    let number = uploads.withLock { uploads in
      uploads.count += 1
      uploads.all.removeAll { $0.session == session }
      while uploads.all.reduce(0, { $0 + $1.list.count }) > Self.limit { uploads.all.removeFirst() }
      uploads.all.append(Upload(number: uploads.count, session: session, list: list))
      return uploads.count
    }
    Task { [weak self] in
      try? await Task.sleep(for: Self.lifetime)
      self?.uploads.withLock { uploads in uploads.all.removeAll { $0.number == number } }
    }
  }

  func take(for session: Int64) -> [UInt8]? {
    uploads.withLock { uploads in
      guard let index = uploads.all.firstIndex(where: { $0.session == session }) else { return nil }
      return uploads.all.remove(at: index).list
    }
  }
}
