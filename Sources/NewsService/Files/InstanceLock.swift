import Glibc
public import NewsCore
import NewsToolbox

/// Locks `STORE.lock` while a daemon runs, so that a second daemon on the same store is rejected. The file contains the
/// process id of the daemon and its start time. A process that upgrades the store takes the same lock, and adds a line.
///
/// The kernel releases the lock when the process ends; the file remains.
public final class InstanceLock: InstanceHolding {
  private let descriptor: Int32

  /// Takes the lock. `started` is the time that `holder(of:)` reports. Throws `held` when another daemon
  /// runs.
  public init(store: String, started: Timestamp, isUpgrading: Bool = false) throws(InstanceLockError) {
    let path = StorePath.beside(store, ".lock")
    do {
      descriptor = try SafeFile.open(path, "lock file", beside: store)
    } catch {
      throw .file(error)
    }
    let code = RecordLock.lock(0, .exclusive, in: descriptor)
    guard code == 0 else {
      // All members are set, so that deinit closes the file.
      let holder = Self.presence(in: descriptor)
      if code == EAGAIN || code == EACCES { throw .held(by: holder) }
      let reason = SystemError(code: code).reason
      throw .file(FileError(code: .io, message: "cannot lock \(path): \(reason)"))
    }
    let text = Array("\(getpid())\n\(started.seconds)\n\(isUpgrading ? Self.upgrade + "\n" : "")".utf8)
    ftruncate(descriptor, 0)
    _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  deinit { close(descriptor) }

  private static let upgrade = "upgrade"

  /// Returns the process id and start time of the daemon that runs on a store; nil if none runs.
  public static func holder(of store: String) -> DaemonPresence? {
    let path = StorePath.beside(store, ".lock")
    guard let descriptor = try? FileBytes.open(path, flags: O_NOFOLLOW | O_NONBLOCK) else { return nil }
    defer { close(descriptor) }
    return RecordLock.isLocked(0, in: descriptor) ? presence(in: descriptor) : nil
  }

  private static func presence(in descriptor: Int32) -> DaemonPresence {
    let lines = (FileBytes.read(descriptor, upTo: 64) ?? []).split(
      separator: UInt8(ascii: "\n"),
      omittingEmptySubsequences: false
    )
    .map { String(decoding: $0, as: UTF8.self) }
    return DaemonPresence(
      pid: lines.first.flatMap { Int($0) },
      started: lines.dropFirst().first.flatMap { Int64($0) }.map { Timestamp(seconds: $0) },
      isUpgrading: lines.dropFirst(2).first == Self.upgrade
    )
  }
}
