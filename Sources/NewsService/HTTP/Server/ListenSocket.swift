import Glibc
import NewsCore
import NewsToolbox

/// A listening socket.
public struct ListenSocket: Sendable {
  let descriptor: Int32
  /// The socket's name in messages.
  let name: String
  /// The address on which the socket listens; nil for a unix socket.
  let address: IPAddress?
  /// The TCP port; nil for a unix socket.
  let port: UInt16?
  /// The unix socket's file, which is removed at the end; nil if another program made it.
  private let file: SocketFile?

  private struct SocketFile: Sendable {
    var path: String
    var device: UInt64
    var inode: UInt64
  }

  private static let backlog: Int32 = 511

  /// Host and port by which a browser on this machine reaches the socket; nil for a unix socket.
  public var visitedHost: String? {
    guard let address, let port else { return nil }
    let host =
      address.addressClass == .unspecified
      ? "localhost" : address.isIPv4 ? address.description : "[\(address)]"
    return "\(host):\(port)"
  }

  /// The host and port at which a browser reaches a listening address such as `0.0.0.0:8788`; nil for sockets without a
  /// port.
  public static func visitedHost(of listen: String) -> String? {
    guard isAddress(listen), let (host, port) = listen.cut(atLast: ":"), !listen.hasPrefix(bytesOf: "unix:")
    else { return nil }
    return ["0.0.0.0", "[::]"].contains(host) ? "localhost:\(port)" : listen
  }

  public func close() {
    Glibc.close(descriptor)
    removeFile()
  }

  private func removeFile() {
    guard let file else { return }
    // Remove the file only if it still belongs to this socket: another newsd may have replaced it.
    var status = stat()
    guard lstat(file.path, &status) == 0, status.st_dev == file.device, status.st_ino == file.inode else {
      return
    }
    unlink(file.path)
  }

  // MARK: - Opening

  /// Opens the sockets of a `web.listen` value: `ADDRESS:PORT`, `unix:PATH`, or `systemd` for the sockets that the
  /// service manager passed.
  public static func open(
    _ text: String,
    environment: [String: String]
  ) throws(ListenerError) -> [ListenSocket] {
    if text == "systemd" { return try passed(environment) }
    if text.hasPrefix(bytesOf: "unix:") { return [try unix(String(text.dropFirst(5)))] }
    return [try tcp(text, example: "127.0.0.1:8788")]
  }

  /// True if `open` accepts this form of address.
  public static func isAddress(_ text: String) -> Bool {
    if text == "systemd" || text.hasPrefix(bytesOf: "unix:/") { return true }
    guard let (host, digits) = text.cut(atLast: ":") else { return false }
    return IPAddress(host) != nil && UInt16(digits) != nil
  }

  /// Listens on TCP. `text` is such as `127.0.0.1:8787`, `[::1]:8787` or `0.0.0.0:8787`; for port 0, the
  /// system chooses a port. `example` is a valid address, for the message.
  package static func tcp(_ text: String, example: String) throws(ListenerError) -> ListenSocket {
    guard let (host, digits) = text.cut(atLast: ":"), let address = IPAddress(host), let port = UInt16(digits)
    else {
      throw ListenerError(message: "\(text) is not an address to listen on; write \(example) or [::1]:8787")
    }
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(address.isIPv4 ? AF_INET : AF_INET6, type, 0)
    var on: CInt = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<CInt>.size))
    var name = sockaddr_storage()
    var length = address.write(port: port, to: &name)
    let isListening = withUnsafeMutablePointer(to: &name) { name in
      name.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        descriptor >= 0 && bind(descriptor, name, length) == 0 && listen(descriptor, backlog) == 0
          && getsockname(descriptor, name, &length) == 0
      }
    }
    guard isListening else { throw failure(text, descriptor) }
    return ListenSocket(
      descriptor: descriptor,
      name: text,
      address: address,
      port: chosenPort(name),
      file: nil
    )
  }

  private static func chosenPort(_ name: sockaddr_storage) -> UInt16 {
    // sin_port and sin6_port have the same offset.
    UInt16(bigEndian: withUnsafeBytes(of: name) { $0.load(fromByteOffset: 2, as: UInt16.self) })
  }

  private static func failure(_ name: String, _ descriptor: Int32) -> ListenerError {
    let reason = SystemError.last.reason
    if descriptor >= 0 { Glibc.close(descriptor) }
    return ListenerError(message: "cannot listen on \(name): \(reason)")
  }

  /// Listens on a unix socket that the user and the group may connect to. Replaces a socket left behind by a
  /// crashed process.
  private static func unix(_ path: String) throws(ListenerError) -> ListenSocket {
    var name = sockaddr_un()
    let bytes = Array(path.utf8)
    guard path.hasPrefix(bytesOf: "/"), bytes.count < MemoryLayout.size(ofValue: name.sun_path) else {
      throw ListenerError(
        message: "unix:\(path) is not a socket to listen on; write unix:/run/newsd/http.sock"
      )
    }
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    try removeStale(path, name)
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, type, 0)
    var status = stat()
    // Set the mode before listen(2): until then, connections are refused.
    let isListening = withUnsafePointer(to: &name) { name in
      name.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        descriptor >= 0 && bind(descriptor, name, length) == 0 && setMode(of: path, &status)
          && listen(descriptor, backlog) == 0
      }
    }
    guard isListening else { throw failure("unix:\(path)", descriptor) }
    return ListenSocket(
      descriptor: descriptor,
      name: "unix:\(path)",
      address: nil,
      port: nil,
      file: SocketFile(path: path, device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    )
  }

  /// `O_PATH` of open(2), which Swift does not import.
  private static let pathOnly: Int32 = 0o10_000_000

  /// Lets the socket's group connect. The path may lead to another file if another user may write to the folder, so the
  /// mode is set by a descriptor; chmod(2) would follow a link.
  static func setMode(of path: String, _ status: inout stat) -> Bool {
    let file = Glibc.open(path, pathOnly | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { Glibc.close(file) }
    guard fstat(file, &status) == 0 else { return false }
    guard status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid() else {
      errno = EEXIST
      return false
    }
    // fchmod(2) refuses such descriptors.
    return chmod("/proc/self/fd/\(file)", 0o660) == 0
  }

  /// Removes a socket on which no process listens. Files of other kinds are kept, and bind(2) then fails.
  private static func removeStale(_ path: String, _ name: sockaddr_un) throws(ListenerError) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
    let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard probe >= 0 else { throw failure("unix:\(path)", probe) }
    defer { Glibc.close(probe) }
    let isServed = withUnsafePointer(to: name) { name in
      name.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(probe, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 || errno != ECONNREFUSED
      }
    }
    guard !isServed else {
      throw ListenerError(
        message:
          "cannot listen on unix:\(path): the socket exists, and another process may be listening there"
      )
    }
    unlink(path)
  }

  // MARK: - Sockets of the service manager

  private static let firstPassed: Int32 = 3

  /// Returns the sockets named `http` that systemd passed (sd_listen_fds). If only one socket was passed, its name does
  /// not matter.
  private static func passed(_ environment: [String: String]) throws(ListenerError) -> [ListenSocket] {
    let isOurs = environment["LISTEN_PID"].flatMap { Int32($0) } == getpid()
    let count = isOurs ? environment["LISTEN_FDS"].flatMap { Int32($0) } ?? 0 : 0
    guard count > 0, count < 1000 else {
      throw ListenerError(
        message: "the service manager passed no socket; enable newsd.socket"
      )
    }
    let names = (environment["LISTEN_FDNAMES"] ?? "").split(ascii: ":", omittingEmptySubsequences: false)
    var sockets: [ListenSocket] = []
    for index in 0..<count {
      let descriptor = firstPassed + index
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      let isNamed = names.indices.contains(Int(index)) && names[Int(index)] == "http"
      guard isNamed || count == 1, let socket = adopt(descriptor) else { continue }
      sockets.append(socket)
    }
    guard !sockets.isEmpty else {
      throw ListenerError(
        message:
          "the service manager passed no listening TCP or unix socket named http; "
          + "set FileDescriptorName=http in newsd.socket"
      )
    }
    return sockets
  }

  private static func adopt(_ descriptor: Int32) -> ListenSocket? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var isListening: CInt = 0
    var size = socklen_t(MemoryLayout<CInt>.size)
    let address: IPAddress?? = withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        guard getsockname(descriptor, name, &length) == 0,
          getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0, isListening != 0
        else { return nil }
        return .some(IPAddress(name, length: Int(length)))
      }
    }
    guard let address else { return nil }
    return ListenSocket(
      descriptor: descriptor,
      name: "systemd",
      address: address,
      port: address == nil ? nil : chosenPort(storage),
      file: nil
    )
  }
}

extension IPAddress {
  /// Writes this address and a port to a socket address. Returns its length.
  func write(port: UInt16, to storage: inout sockaddr_storage) -> socklen_t {
    withUnsafeMutableBytes(of: &storage) { storage in
      if isIPv4 {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        withUnsafeMutableBytes(of: &name.sin_addr) { $0.copyBytes(from: bytes) }
        storage.storeBytes(of: name, as: sockaddr_in.self)
        return socklen_t(MemoryLayout<sockaddr_in>.size)
      }
      var name = sockaddr_in6()
      name.sin6_family = sa_family_t(AF_INET6)
      name.sin6_port = port.bigEndian
      withUnsafeMutableBytes(of: &name.sin6_addr) { $0.copyBytes(from: bytes) }
      storage.storeBytes(of: name, as: sockaddr_in6.self)
      return socklen_t(MemoryLayout<sockaddr_in6>.size)
    }
  }
}

/// The reason why a socket cannot be opened for listening.
public struct ListenerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// States the address, the problem and what to do.
  public let message: String
  public var description: String { message }
}
