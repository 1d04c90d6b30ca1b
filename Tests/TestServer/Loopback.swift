public import Glibc

/// Clients of servers on 127.0.0.1.
public enum Loopback {
  /// The address of a port.
  public static func address(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  /// Connects. Reading ends after 20 seconds, so that no test hangs.
  ///
  /// - Returns: The socket, which the caller closes.
  /// - Throws: `TestServerError` if nothing listens.
  public static func connect(_ port: UInt16) throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard begin(descriptor, port) == 0 else {
      let error = TestServerError(description: "port \(port): \(String(cString: strerror(errno)))")
      close(descriptor)
      throw error
    }
    limitReading(descriptor)
    return descriptor
  }

  public static func limitReading(_ descriptor: Int32) {
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Starts to connect, without waiting.
  public static func attempt(_ port: UInt16) -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    _ = begin(descriptor, port)
    return descriptor
  }

  private static func begin(_ descriptor: Int32, _ port: UInt16) -> Int32 {
    var address = address(port)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
