import Glibc

/// Receives the messages of sd_notify(3).
final class NotifySocket {
  let path: String
  private let descriptor: Int32

  init(_ path: String) throws {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let status = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if status != 0 { throw Program.Failure(message: "bind: \(String(cString: strerror(errno)))") }
  }

  deinit { close(descriptor) }

  /// Reads messages until one equals `text`; false if none does for some seconds.
  func wait(for text: String) -> Bool {
    for _ in 0..<100 {
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard Glibc.poll(&poll, 1, 200) > 0 else { continue }
      var buffer = [UInt8](repeating: 0, count: 1024)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0, String(decoding: buffer[..<count], as: UTF8.self) == text { return true }
    }
    return false
  }
}
