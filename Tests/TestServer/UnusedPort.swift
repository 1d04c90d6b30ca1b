import Glibc
import Synchronization

/// Ports for servers that cannot choose one themselves.
///
/// A port that the kernel chose and that was closed again can be taken at any time: by a listener with port 0, or by the
/// local end of a connection. The kernel takes both from `ip_local_port_range`, which begins at 32768 (ip(7)), so these
/// ports are below it.
public enum UnusedPort {
  private static let range: Range<UInt16> = 10_000..<32_768
  /// Processes begin at different ports, so that two test runs rarely meet.
  private static let last = Mutex(range.lowerBound + UInt16(getpid() % 20_000))

  /// Returns a port of 127.0.0.1 that is not in use; each call returns another one.
  ///
  /// - Throws: `TestServerError` if a hundred ports in a row are taken.
  public static func next() throws -> UInt16 {
    for attempt in 1...100 {
      let port = last.withLock { last in
        last = last + 1 < range.upperBound ? last + 1 : range.lowerBound
        return last
      }
      do {
        let (descriptor, _) = try Socket.listen(address: "127.0.0.1", port: port)
        close(descriptor)
        return port
      } catch  where attempt < 100 {}
    }
    throw TestServerError(description: "no unused port")
  }
}
