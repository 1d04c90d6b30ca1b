import NewsStoresShared
import Glibc
package import NewsCore
import NewsToolbox

extension NewsStore {
  public func check(
    progress: @escaping StoreProgressHandler
  ) async throws(StoreError) -> [StoreProblem] {
    // If the file cannot be opened because it is truncated, its header is damaged, or it has a foreign part,
    // report this as a problem. Throw any other error.
    do {
      release(try await takeReader())
    } catch  where error.code == .foreignPart {
      return [Self.foreignPart(error)]
    } catch {
      await close()
      guard error.code == .corrupt, let obstacle = StoreInspection.truncation(of: path) else {
        throw error
      }
      return [obstacle]
    }
    do {
      return try await inspect(CheckSteps(progress))
    } catch  where error.code == .foreignPart {
      return [Self.foreignPart(error)]
    } catch  where error.code == .corrupt {
      // The damage is too severe for the other checks to run.
      return [StoreProblem(kind: .integrity, message: error.message, isRepairable: true)]
    }
  }

  private static func foreignPart(_ error: StoreError) -> StoreProblem {
    StoreProblem(kind: .layout, message: error.message, isRepairable: false)
  }

  /// Runs each check in its own snapshot, so that checkpoints can happen in between.
  private func inspect(_ steps: CheckSteps) async throws(StoreError) -> [StoreProblem] {
    let damage = try await StructureInspection.problems(self) { steps.report($0, of: $1, in: .structure) }
    // In a damaged file, the results of the other checks would be meaningless.
    guard damage.isEmpty else { return damage }
    let parts = try await read(StoreInspection.layout)
    guard parts.allSatisfy({ !$0.isRepairable }) else { return parts }
    var problems: [StoreProblem] = []
    for (index, reference) in Connection.references.enumerated() {
      let strays = try await read { (connection) throws(StoreError) in try connection.strays(reference) }
      if let strays { problems.append(StoreProblem(kind: .reference, message: strays, isRepairable: true)) }
      steps.report(index + 1, of: Connection.references.count, in: .references)
    }
    problems += try await read(StoreInspection.counters)
    problems += try await read(StoreInspection.feedTotals)
    problems += try await ContentInspection.problems(self) { steps.report($0, of: $1, in: .contents) }
    problems += try await inspectIndex(steps)
    steps.report(1, of: 1, in: .index)
    return parts + problems
  }

  private func inspectIndex(_ steps: CheckSteps) async throws(StoreError) -> [StoreProblem] {
    // FTS5's own check needs a writable connection and holds the write lock meanwhile, so use it for small
    // stores only.
    let isWritable = access(path, W_OK) == 0 && access(StoreDirectory.path(ofStore: path), W_OK) == 0
    let problems: [StoreProblem]
    if isWritable, try await StructureInspection.isSmall(self) {
      problems = try await maintain { (connection) throws(StoreError) in
        try StoreInspection.index(connection)
      }
    } else {
      problems = try await IndexInspection.problems(self) { steps.report($0, of: $1, in: .index) }
    }
    guard problems.isEmpty else { return problems }
    return try await read { (connection) throws(StoreError) in try StoreInspection.lookups(connection) }
  }

  public func repair(
    progress: @escaping StoreProgressHandler
  ) async throws(StoreError) -> StoreRepair {
    var repair = StoreRepair(found: try await check(progress: progress))
    var place = self
    if repair.found.contains(where: { $0.kind == .integrity }) {
      await close()
      place = try withOwnersRights()
      let salvage: Salvage
      do {
        salvage = try await place.salvage()
      } catch {
        throw StoreError(code: error.code, message: shown(error.message, at: place))
      }
      repair.notes = salvage.losses + ["the damaged file is kept as \(shown(salvage.kept, at: place))"]
      repair.itemsBefore = salvage.itemsBefore
      repair.itemsAfter = salvage.itemsAfter
      repair.hasLosses = !salvage.losses.isEmpty
    } else if repair.found.contains(where: \.isRepairable) {
      try await transaction { (connection) throws(StoreError) in
        try StoreInspection.repair(connection)
        try ContentInspection.repair(connection)
      }
    }
    if !repair.found.isEmpty { repair.remaining = try await place.check(progress: progress) }
    return repair
  }
}

/// Reports the progress of a check in percent of its parts.
private struct CheckSteps: Sendable {
  /// A part of a check. The raw value is its share of the whole in percent.
  enum Part: Int, CaseIterable {
    case structure = 30
    case references = 9
    case contents = 40
    case index = 21
  }

  private let progress: StoreProgressHandler

  init(_ progress: @escaping StoreProgressHandler) { self.progress = progress }

  func report(_ done: Int, of total: Int, in part: Part) {
    let before = Part.allCases.prefix { $0 != part }.reduce(0) { $0 + $1.rawValue }
    // A damaged counter may have any value.
    let share = min(max(Double(done) / Double(max(total, 1)), 0), 1)
    progress(StoreProgress(done: before + Int(Double(part.rawValue) * share), total: 100))
  }
}

extension NewsStore {
  public func fileState() async -> StoreFileState {
    let known = watchedFile
    guard let file = known.file else { return .intact }
    guard let found = FileIdentity(path: path) else { return errno == ENOENT ? .deleted : .intact }
    guard found == file else { return .replaced }
    // Files that were not written since then need no connection.
    let stamp = FileStamp([path, path + "-wal"])
    if stamp == known.stamp { return .intact }
    watch(stamp: stamp.isSettled ? stamp : nil)
    let state = await contentState(known)
    if state != .intact { watch(stamp: nil) }
    return state
  }

  private func contentState(_ known: Watched) async -> StoreFileState {
    // Use a new connection, because those of the store may be unable to read the file that is now at the path.
    if let connection = try? Connection(path: path, access: .reading, busyTimeout: 0, known: known.content) {
      if connection.wasOverwritten() { return .replaced }
      if let damage = connection.visibleDamage() { return .damaged(damage) }
    }
    guard let restored = try? await readRestored() else { return .intact }
    guard let before = known.restored else {
      watch(restored: restored)
      return .intact
    }
    return restored == before ? .intact : .replaced
  }

  private func readRestored() async throws(StoreError) -> Int64? {
    try await read { (connection) throws(StoreError) in try connection.number("SELECT restored FROM file") }
  }

  public func revision() async throws(StoreError) -> Int64 {
    try await read { (connection) throws(StoreError) in
      try connection.number("SELECT commits FROM file") ?? 0
    }
  }

  public func reopen() async throws(StoreError) {
    await close()
    // Wait up to 5 s until this process has closed the file: while a connection is open, `ForeignWAL` neither examines
    // nor renames the WAL of the former content.
    for _ in 0..<500 {
      guard let file = FileIdentity(path: path), OpenFiles.contains(file) else { break }
      try? await Task.sleep(for: .milliseconds(10))
      closeIdleReaders()
    }
    watch(restored: try await readRestored())
  }
}
