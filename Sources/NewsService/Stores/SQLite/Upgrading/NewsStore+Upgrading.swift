package import NewsCore
import NewsStoresShared
import NewsToolbox

extension NewsStore: StoreUpgrading {
  package func upgradePlan() async throws(StoreError) -> UpgradePlan? {
    try prepareFile()
    return try FileUpgrade(path: path, options: options).plan()
  }

  package func requireCurrentLayout() async throws(StoreError) {
    try prepareFile()
    _ = try FileUpgrade(path: path, options: options).open()?.schemaState()
  }

  package func upgrade(progress: @escaping StoreProgressHandler) async throws(StoreError) -> UpgradePlan? {
    try prepareFile()
    await close()
    return try FileUpgrade(path: path, options: options).run(progress)
  }

  /// A store in a file has no part of an upgrade that waits for other processes.
  package func finishUpgrade(force: Bool) async throws(StoreError) -> UpgradeFinish { .nothing }

  /// Copies a store of an earlier layout to a new folder, and upgrades the copy. Returns nil if the store has this newsd's
  /// layout, or if newsd cannot upgrade it.
  package static func upgradedCopy(
    of path: String,
    in folder: String,
    isUnguessable: Bool = false,
    options: Options = Options(),
    progress: StoreProgressHandler = { _ in }
  ) throws(StoreError) -> UpgradedCopy? {
    guard try FileUpgrade(path: path, options: options).plan() != nil else { return nil }
    let copy = UpgradedCopy(folder: try StoreError.workFolder(folder, isUnguessable: isUnguessable))
    do throws(StoreError) {
      let access: Connection.Access = ReadOnlyFile.isImmutable(path) ? .immutable : .reading
      let source = try Connection(path: path, access: access, busyTimeout: options.busyTimeout)
      try source.snapshot { () throws(StoreError) in
        _ = try source.number("SELECT count(*) FROM counters")
        try Self.copy(source, to: copy.folder, owner: FileTrust.otherOwner(of: path), progress: progress)
      }
      _ = try FileUpgrade(path: copy.path, options: options, keepsFormer: false).run(progress)
    } catch {
      copy.remove()
      throw error
    }
    return copy
  }
}

/// An upgraded copy of a store, in a folder of its own.
package struct UpgradedCopy: Sendable {
  fileprivate let folder: WorkFolder

  package var path: String { folder.file(NewsStore.copyName) }

  package func remove() { folder.remove() }
}
