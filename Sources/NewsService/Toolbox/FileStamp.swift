import Glibc

/// Which files have some names, when they were changed last, and their sizes: tells whether files were written or replaced.
public struct FileStamp: Hashable, Sendable {
  private var values: [Int] = []
  private var last = 0

  public init(_ paths: [String]) {
    for path in paths {
      var status = stat()
      guard stat(path, &status) == 0 else {
        values.append(-1)
        continue
      }
      for time in [status.st_mtim, status.st_ctim] {
        values += [time.tv_sec, time.tv_nsec]
        last = max(last, time.tv_sec)
      }
      values += [
        Int(status.st_size), Int(bitPattern: UInt(status.st_ino)), Int(bitPattern: UInt(status.st_dev)),
      ]
    }
  }

  /// The stamp of something that counts its changes.
  public init(count: Int) { values = [count] }

  /// True if the last change is so old that another one would have another time.
  public var isSettled: Bool { time(nil) > last + 1 }
}
