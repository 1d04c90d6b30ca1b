import Glibc

/// Notifies the service manager of the daemon's state (sd_notify(3)): one datagram to the socket in
/// `NOTIFY_SOCKET`.
struct ServiceNotifier: Sendable {
  private let socketPath: String?
  /// Half of `WATCHDOG_USEC`, in seconds; nil: the service manager has no watchdog for this process.
  let watchdogInterval: Double?

  init(environment: [String: String]) {
    let path = environment["NOTIFY_SOCKET"]
    socketPath = path.flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
    let isForUs = environment["WATCHDOG_PID"].map { $0 == String(getpid()) } ?? true
    watchdogInterval =
      isForUs ? environment["WATCHDOG_USEC"].flatMap(Double.init).map { $0 / 2_000_000 } : nil
  }

  func ready() { send("READY=1") }
  func stopping() { send("STOPPING=1") }
  func watchdog() { send("WATCHDOG=1") }
  /// Asks the service manager to wait for the next message at least this long.
  func extendTimeout(seconds: Int) { send("EXTEND_TIMEOUT_USEC=\(seconds * 1_000_000)") }
  func status(_ text: String) { send("STATUS=\(text)") }

  /// Reports a reload. `RELOADING=1` needs the monotonic time (sd_notify(3), Type=notify-reload).
  func reloading() {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    send("RELOADING=1\nMONOTONIC_USEC=\(time.tv_sec * 1_000_000 + time.tv_nsec / 1000)")
  }

  private func send(_ message: String) {
    guard let socketPath else { return }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var name = Array(socketPath.utf8)
    guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    // A leading `@` means the NUL of Linux's abstract namespace (unix(7)).
    if name[0] == UInt8(ascii: "@") { name[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let length = socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path).map { $0 + name.count } ?? 0)
    let bytes = Array(message.utf8)
    _ = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        // A manager that reads no messages must not keep the daemon from ending.
        sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), $0, length)
      }
    }
  }
}
