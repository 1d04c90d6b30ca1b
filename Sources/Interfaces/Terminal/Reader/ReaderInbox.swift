import Glibc
import Modules
import Synchronization

/// The queue of events for the reader's thread, which waits on a pipe.
final class ReaderInbox: Sendable {
  private let events = Mutex<[ReaderEvent]>([])
  /// Readable when there are events.
  let descriptor: Int32
  private let writing: Int32

  init() throws(UserMessage) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw UserMessage(code: .internalError, text: Wording.cannotOpenAPipe(String(cString: strerror(errno))))
    }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      // Neither side blocks: a full pipe wakes the reader just as one byte does.
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    descriptor = ends[0]
    writing = ends[1]
  }

  deinit {
    close(descriptor)
    close(writing)
  }

  func post(_ event: ReaderEvent) {
    events.withLock { $0.append(event) }
    var byte: UInt8 = 0
    _ = write(writing, &byte, 1)
  }

  /// The events since the last call.
  func take() -> [ReaderEvent] {
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(descriptor, &bytes, bytes.count) > 0 {}
    return events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
