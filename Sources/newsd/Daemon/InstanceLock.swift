import DIContainer
import Glibc

/// Holds `STORE.lock` while a daemon runs, so that a second one on the same store is refused.
///
/// The kernel drops the lock with the process, however it ends; the file itself stays.
final class InstanceLock {
  enum Failure: Error {
    /// Another daemon runs; nil: it could not be told which.
    case held(pid: Int?)
    case file(path: String, reason: String)
  }

  private let descriptor: Int32

  /// Takes the lock or says who has it.
  init(store: String) throws(Failure) {
    let path = StoreFiles.path(beside: store, ".lock")
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw Failure.file(path: path, reason: String(cString: strerror(errno)))
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let pid = Self.pid(in: descriptor)
      close(descriptor)
      throw Failure.held(pid: pid)
    }
    let text = Array("\(getpid())\n".utf8)
    ftruncate(descriptor, 0)
    _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  deinit { close(descriptor) }

  private static func pid(in descriptor: Int32) -> Int? {
    var buffer = [UInt8](repeating: 0, count: 32)
    let count = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard count > 0 else { return nil }
    return Int(String(decoding: buffer[..<count].prefix { $0 != 0x0A }, as: UTF8.self))
  }
}
