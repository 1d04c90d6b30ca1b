import Glibc

/// A connection of a `TestServer`. Must be used on its own thread only.
final class Connection {
  private let descriptor: Int32
  private let patience: Int
  private var buffer: [UInt8] = []

  init(descriptor: Int32, patience: Int) {
    self.descriptor = descriptor
    self.patience = patience
    var time = timeval(tv_sec: patience / 1000, tv_usec: patience % 1000 * 1000)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
    var on: CInt = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<CInt>.size))
  }

  // MARK: - Requests

  /// Returns nil if the client closes the connection, is too slow, or does not send HTTP.
  func readRequest(connectionNumber: Int) -> ReceivedRequest? {
    guard let head = readHead() else { return nil }
    var lines = String(decoding: head, as: UTF8.self).split(
      separator: "\r\n",
      omittingEmptySubsequences: true
    )
    guard !lines.isEmpty else { return nil }
    let first = lines.removeFirst().split(separator: " ")
    guard first.count >= 2 else { return nil }
    var request = ReceivedRequest(
      method: String(first[0]),
      target: String(first[1]),
      headers: lines.compactMap { line in
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let value = line[line.index(after: colon)...].drop { $0 == " " }
        return (String(line[..<colon]), String(value))
      },
      body: [],
      time: Time.now(),
      connection: connectionNumber
    )
    let length = request.header("Content-Length").flatMap { Int($0) } ?? 0
    while buffer.count < length {
      guard receive() else { return nil }
    }
    request.body = Array(buffer.prefix(length))
    buffer.removeFirst(length)
    return request
  }

  private func readHead() -> [UInt8]? {
    var searched = 0
    while true {
      var index = searched
      while index + 3 < buffer.count {
        if buffer[index] == 13, buffer[index + 1] == 10, buffer[index + 2] == 13, buffer[index + 3] == 10 {
          defer { buffer.removeFirst(index + 4) }
          return Array(buffer[..<(index + 2)])
        }
        index += 1
      }
      searched = max(0, buffer.count - 3)
      // The first byte cannot start a method; it may be a TLS handshake.
      if let first = buffer.first, !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) { return nil }
      guard buffer.count < 1 << 20, receive() else { return nil }
    }
  }

  private func receive() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = recv(descriptor, &bytes, bytes.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      buffer.append(contentsOf: bytes[..<count])
      return true
    }
  }

  // MARK: - Replies

  /// Returns false if the connection must not be used further.
  func send(_ reply: Reply) -> Bool {
    for step in reply.steps {
      switch step {
      case .send(let bytes):
        guard write(bytes) else { return false }
      case .pause(let milliseconds):
        guard wait(milliseconds) else { return false }
      case .gate(let gate, let bytes):
        while !gate.isOpen { guard wait(1) else { return false } }
        defer { gate.report() }
        guard write(bytes), waitUntilReceived() else { return false }
      case .drip(let bytes, let milliseconds):
        for byte in bytes {
          guard write([byte]), wait(milliseconds) else { return false }
        }
      case .repeating(let bytes):
        let end = Time.now() + Int64(patience)
        while Time.now() < end {
          guard write(bytes) else { return false }
        }
        return false
      case .hang:
        _ = wait(patience)
        return false
      case .close:
        shutdown(descriptor, CInt(SHUT_RDWR))
        return false
      case .reset:
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        return false
      case .ask:
        return false
      }
    }
    return true
  }

  private func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Waits until the client's system has acknowledged all bytes.
  private func waitUntilReceived() -> Bool {
    while true {
      var unacknowledged: CInt = 0
      guard ioctl(descriptor, UInt(TIOCOUTQ), &unacknowledged) == 0 else { return false }
      guard unacknowledged > 0 else { return true }
      guard wait(1) else { return false }
    }
  }

  /// Waits for that time. Returns false if the client closes the connection meanwhile.
  private func wait(_ milliseconds: Int) -> Bool {
    let end = Time.now() + Int64(milliseconds)
    while true {
      let left = end - Time.now()
      if left <= 0 { return true }
      var item = pollfd(fd: descriptor, events: Int16(Self.closedByPeer), revents: 0)
      let count = poll(&item, 1, Int32(min(left, 60_000)))
      if count > 0 { return false }
    }
  }

  /// POLLRDHUP (the peer closed the connection); glibc declares it only with _GNU_SOURCE.
  private static let closedByPeer = 0x2000
}

enum Time {
  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

enum Socket {
  /// Opens a listening socket. Returns it and its port.
  static func listen(address: String, port: UInt16) throws -> (Int32, UInt16) {
    let isIPv6 = address.contains(":")
    let descriptor = socket(
      isIPv6 ? AF_INET6 : AF_INET,
      Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue),
      0
    )
    guard descriptor >= 0 else {
      throw TestServerError(description: "socket: \(String(cString: strerror(errno)))")
    }
    var on: CInt = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<CInt>.size))
    var storage = sockaddr_storage()
    var length = socklen_t(0)
    withUnsafeMutableBytes(of: &storage) { bytes in
      if isIPv6 {
        var name = sockaddr_in6()
        name.sin6_family = sa_family_t(AF_INET6)
        name.sin6_port = port.bigEndian
        inet_pton(AF_INET6, address, &name.sin6_addr)
        bytes.storeBytes(of: name, as: sockaddr_in6.self)
        length = socklen_t(MemoryLayout<sockaddr_in6>.size)
      } else {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        inet_pton(AF_INET, address, &name.sin_addr)
        bytes.storeBytes(of: name, as: sockaddr_in.self)
        length = socklen_t(MemoryLayout<sockaddr_in>.size)
      }
    }
    let isBound = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        bind(descriptor, name, length) == 0 && Glibc.listen(descriptor, 512) == 0
          && getsockname(descriptor, name, &length) == 0
      }
    }
    guard isBound else {
      let error = TestServerError(description: "\(address): \(String(cString: strerror(errno)))")
      close(descriptor)
      throw error
    }
    let chosen = withUnsafeBytes(of: &storage) { $0.load(fromByteOffset: 2, as: UInt16.self) }
    return (descriptor, UInt16(bigEndian: chosen))
  }
}

enum Thread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs the closure on a new thread.
  static func run(_ body: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, 256 << 10)
    var thread = pthread_t()
    // The thread consumes this reference.
    let context = Unmanaged.passRetained(Work(body))
    let code = pthread_create(
      &thread,
      &attributes,
      { context in
        guard let context else { return nil }
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        return nil
      },
      context.toOpaque()
    )
    pthread_attr_destroy(&attributes)
    if code != 0 { context.release() }
  }
}
