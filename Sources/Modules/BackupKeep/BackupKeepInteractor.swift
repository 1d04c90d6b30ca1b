public import NewsCore
import NewsToolbox

/// Copies the store to a new file in a folder, and removes older copies there.
public struct BackupKeepInteractor: Interactor {
  private let store: any StoreMaintaining
  private let folder: any BackupFolding
  private let clock: any WallClock
  private let verify: @Sendable (String, @escaping StoreProgressHandler) async throws -> [StoreProblem]

  /// `verify` checks the copy at a path as a store.
  public init(
    store: any StoreMaintaining,
    folder: any BackupFolding,
    clock: any WallClock,
    verify: @escaping @Sendable (String, @escaping StoreProgressHandler) async throws -> [StoreProblem]
  ) {
    self.store = store
    self.folder = folder
    self.clock = clock
    self.verify = verify
  }

  /// Makes a backup and keeps `count` of them, including the new one. Removes nothing unless the new one is intact.
  public func respond(to count: Int, emit: @escaping Emit<Outcome>) async throws {
    let now = clock.now()
    let name = freeName(at: now)
    let path = folder.path(of: name)
    try emit(.loading(Progress("copying")))
    do {
      // A store on a server makes its copy without the folder.
      defer { folder.release(name) }
      try await store.backup(to: path) { try? emit(.loading(Progress("copying", pages: $0))) }
    }
    let problems = try await verify(path) { try? emit(.loading(Progress("verifying", pages: $0))) }
    if let problem = problems.first {
      throw UserMessage(
        code: .io,
        text: "the backup \(path) is damaged: \(problem.message); no older backup was removed"
      )
    }
    var notes = ["copied to \(path) and verified"]
    // Names of equal length that differ only in their times sort by time.
    let names = try folder.names()
    guard names.contains(name) else {
      throw UserMessage(
        code: .io,
        text: "\(path) is not in the folder that was there at the start; no older backup was removed"
      )
    }
    let older = names.filter(BackupName.isName).sorted().reversed().dropFirst(count).filter { $0 != name }
    // A backup that still runs has made its folder within a day. A journal belongs to its backup as long as that exists.
    let limit = BackupName.name(at: now - 86_400)
    let kept = Set(names).subtracting(older)
    let leftovers = names.filter { file in
      guard let backup = BackupName.backup(ofLeftover: file) else { return false }
      return backup < limit && !kept.contains(backup)
    }.sorted()
    for old in older {
      try folder.remove(old)
      notes.append("removed \(old)")
    }
    var warnings: [String] = []
    for old in leftovers {
      do {
        try folder.remove(old)
        notes.append("removed \(old)")
      } catch {
        // In a shared folder, it may be another user's.
        warnings.append(error.message)
      }
    }
    try emit(.ready(Outcome(notes, warnings: warnings)))
  }

  /// Takes the name for this second or, if another backup has it, for one of the next seconds.
  private func freeName(at now: Timestamp) -> String {
    let names = (0..<60).lazy.map { BackupName.name(at: now + $0) }
    return names.first { folder.reserve($0) } ?? BackupName.name(at: now)
  }
}

/// The names of the backups in a folder: `newsd-20261127T020700Z.db`.
enum BackupName {
  private static let prefix = "newsd-"
  private static let suffix = ".db"

  /// The time in UTC, in the basic format of ISO 8601.
  static func name(at time: Timestamp) -> String {
    let digits = time.rfc3339.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
    return prefix + String(decoding: digits, as: UTF8.self) + suffix
  }

  /// Returns the backup's name for the folder of an unfinished copy, or for SQLite's files beside a copy that was being
  /// verified; nil for any other name. Killed processes leave such files.
  static func backup(ofLeftover name: String) -> String? {
    for end in [".partial", "-wal", "-shm", "-journal"] where name.hasSuffix(bytesOf: end) {
      let backup = String(name.dropLast(end.count))
      return isName(backup) ? backup : nil
    }
    return nil
  }

  /// True for the name of a backup that newsd made. Other files in the folder are never removed.
  static func isName(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard bytes.count == prefix.utf8.count + 16 + suffix.utf8.count, name.hasPrefix(bytesOf: prefix),
      name.hasSuffix(bytesOf: suffix)
    else { return false }
    let time = bytes[prefix.utf8.count..<prefix.utf8.count + 16]
    return time.enumerated().allSatisfy { place, byte in
      place == 8 ? byte == UInt8(ascii: "T") : place == 15 ? byte == UInt8(ascii: "Z") : ASCII.isDigit(byte)
    }
  }
}
