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
    // First of all, because they may fill the disk.
    var (notes, warnings) = removeLeftovers(at: now)
    let name = freeName(at: now)
    let path = folder.path(of: name)
    try emit(.loading(Progress("copying")))
    do {
      defer { folder.release(name) }
      try await store.backup(to: path) { try? emit(.loading(Progress("copying", pages: $0))) }
    }
    let damage = try await verify(path) { try? emit(.loading(Progress("verifying", pages: $0))) }
    if let problem = damage.first {
      throw UserMessage(
        code: .io,
        text: "the backup \(path) is damaged: \(problem.message); no older backup was removed"
      )
    }
    notes.append("copied to \(path) and verified")
    let names = try folder.names()
    guard names.contains(name) else {
      throw UserMessage(
        code: .io,
        text: "\(path) is not in the folder that was there at the start; no older backup was removed"
      )
    }
    // Names of equal length that differ only in their times sort by time.
    let backups = names.filter(BackupName.isName).sorted()
    // Right backups have such names if the clock was ahead, or is behind now. Another process may have taken the next second.
    let last = BackupName.name(at: now + 60)
    for later in backups where later > last {
      warnings.append(
        "\(later) has a time in the future; it is kept and not counted, so remove it if nobody needs it"
      )
    }
    for old in backups.filter({ $0 <= last }).reversed().dropFirst(count) where old != name {
      try folder.remove(old)
      notes.append("removed \(old)")
    }
    let (more, problems) = removeLeftovers(at: now)
    notes += more
    warnings += problems.filter { !warnings.contains($0) }
    try emit(.ready(Outcome(notes, warnings: warnings)))
  }

  /// Removes what killed backups have left: folders of copies from more than a day ago, which no backup can still be making, and
  /// SQLite's files of copies that are not there. Returns notes and warnings.
  private func removeLeftovers(at now: Timestamp) -> (notes: [String], warnings: [String]) {
    // The backup itself reports a folder that cannot be read.
    let names = Set((try? folder.names()) ?? [])
    let limit = BackupName.name(at: now - 86_400)
    var (notes, warnings): ([String], [String]) = ([], [])
    for file in names.sorted() {
      guard let backup = BackupName.backup(ofLeftover: file),
        file.hasSuffix(bytesOf: BackupName.draft) ? backup < limit : !names.contains(backup)
      else { continue }
      do {
        try folder.remove(file)
        notes.append("removed \(file)")
      } catch {
        // In a shared folder, it may be another user's.
        warnings.append(error.message)
      }
    }
    return (notes, warnings)
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
  /// The end of the name of a folder in which a copy is made.
  static let draft = ".partial"

  /// The time in UTC, in the basic format of ISO 8601.
  static func name(at time: Timestamp) -> String {
    let digits = time.rfc3339.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
    return prefix + String(decoding: digits, as: UTF8.self) + suffix
  }

  /// Returns the backup's name for the folder of an unfinished copy, or for SQLite's files beside a copy that was being
  /// verified; nil for any other name. Killed processes leave such files.
  static func backup(ofLeftover name: String) -> String? {
    for end in [draft, "-wal", "-shm", "-journal"] where name.hasSuffix(bytesOf: end) {
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
