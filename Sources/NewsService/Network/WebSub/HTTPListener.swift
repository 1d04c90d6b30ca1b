import CCurl
import CMicroHTTPD
import Glibc
import NewsToolbox
import Synchronization

/// A request received by the listener.
struct ListenerRequest: Sendable {
  var method: String
  var path: String
  /// The decoded query arguments; for a repeated name, the first.
  var query: [String: String]
  /// The header fields, with names in lower case; for a repeated name, the first.
  var headers: [String: String]
  var body: [UInt8] = []
}

struct ListenerReply: Sendable {
  var status: UInt32
  var body: [UInt8] = []
}

/// Handles the listener's requests on the listener's thread.
protocol ListenerHandling: AnyObject, Sendable {
  /// Called after the head. Returns the maximum length of the body, or an immediate reply.
  func admit(_ request: ListenerRequest) -> ListenerAdmission
  func answer(_ request: ListenerRequest) -> ListenerReply
}

enum ListenerAdmission {
  case body(limit: Int)
  case reply(ListenerReply)
}

/// An error that prevents the listener from starting.
public struct ListenerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// States the address, the problem and what to do.
  public let message: String
  public var description: String { message }
}

/// A small HTTP server using libmicrohttpd, with one thread. Stops in deinit.
final class HTTPListener: Sendable {
  /// The port listened on.
  let port: UInt16

  /// libmicrohttpd allows stopping its daemon from any thread; nothing else uses the handle.
  private struct Daemon: @unchecked Sendable {
    let raw: OpaquePointer
  }

  private let daemon: Daemon
  /// libmicrohttpd holds the handler's address, so the handler must outlive the daemon.
  private let handler: HandlerBox

  private final class HandlerBox: Sendable {
    let handler: any ListenerHandling
    /// Total size of all bodies being received.
    let incoming = Mutex(0)
    let deadlines = ConnectionDeadlines()
    init(_ handler: any ListenerHandling) { self.handler = handler }
  }

  /// A request being received. Must be used on the listener's thread only.
  private final class Exchange {
    var request: ListenerRequest
    var limit = 0
    var reply: ListenerReply?
    private let box: HandlerBox

    init(_ request: ListenerRequest, _ box: HandlerBox) {
      self.request = request
      self.box = box
    }

    deinit { drop() }

    func receive(_ bytes: UnsafeRawBufferPointer) {
      guard reply == nil else { return }
      let count = request.body.count + bytes.count
      let isTooMuch = box.incoming.withLock { $0 + bytes.count > HTTPListener.maximumIncomingBytes }
      guard count <= limit, !isTooMuch else {
        reply = ListenerReply(status: count > limit ? 413 : 503)
        return drop()
      }
      box.incoming.withLock { $0 += bytes.count }
      request.body.append(contentsOf: bytes)
    }

    private func drop() {
      box.incoming.withLock { $0 -= request.body.count }
      request.body = []
    }
  }

  /// Maximum number of connections.
  static let maximumConnections: UInt32 = 64
  /// Maximum number of connections from one address, so that one client cannot use all. Not applied if the listener is
  /// on a loopback address: behind a local reverse proxy, all connections come from one address.
  private static let mostConnectionsOfAddress: UInt32 = 16
  /// Maximum total size of bodies being received; when it is exceeded, clients get a 503.
  private static let maximumIncomingBytes = 48 << 20

  /// Starts listening.
  ///
  /// - Parameters:
  ///   - address: Such as `127.0.0.1:8787`, `[::1]:8787` or `0.0.0.0:8787`; for port 0, the system chooses a port.
  ///   - handler: Handles requests.
  /// - Throws: If the address is malformed, in use or not an address of this machine.
  init(address: String, handler: any ListenerHandling) throws(ListenerError) {
    let (listener, port, isLocal) = try Self.listen(address)
    self.port = port
    self.handler = HandlerBox(handler)
    // No retain needed: `self` holds the box until the daemon has stopped.
    let context = Unmanaged.passUnretained(self.handler).toOpaque()
    // Block signals for libmicrohttpd's thread, which inherits this mask; the main thread handles them.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    let raw = newsd_mhd_start(
      listener,
      { context, connection, path, method, _, bytes, count, slot in
        guard let context, let connection, let path, let method, let count, let slot else {
          return newsd_mhd_no
        }
        let box = Unmanaged<HandlerBox>.fromOpaque(context).takeUnretainedValue()
        return HTTPListener.handle(box, connection, path, method, bytes, count, slot)
      },
      context,
      { context, connection, slot, _ in
        if let context, let connection {
          Unmanaged<HandlerBox>.fromOpaque(context).takeUnretainedValue()
            .deadlines.awaitHead(newsd_mhd_socket(connection), now: Monotonic.now())
        }
        // Balances the `passRetained` at the start of the exchange.
        guard let exchange = slot?.pointee else { return }
        Unmanaged<Exchange>.fromOpaque(exchange).release()
        slot?.pointee = nil
      },
      Self.maximumConnections,
      isLocal ? Self.maximumConnections : Self.mostConnectionsOfAddress,
      30,
      { context, connection, _, code in
        guard let context, let connection else { return }
        let deadlines = Unmanaged<HandlerBox>.fromOpaque(context).takeUnretainedValue().deadlines
        let socket = newsd_mhd_socket(connection)
        if code == newsd_mhd_connection_started {
          deadlines.awaitHead(socket, now: Monotonic.now())
        } else {
          // libmicrohttpd closes the socket afterwards.
          deadlines.remove(socket)
        }
      }
    )
    pthread_sigmask(SIG_SETMASK, &before, nil)
    guard let raw else {
      close(listener)
      throw ListenerError(message: "No listener could be started on \(address).")
    }
    daemon = Daemon(raw: raw)
  }

  deinit {
    MHD_stop_daemon(daemon.raw)
  }

  /// The number of open connections.
  var connectionCount: Int { handler.deadlines.count }

  /// Ends connections whose request takes too long. An idle timeout alone is not enough: a client can send a byte now
  /// and then.
  ///
  /// - Parameter now: The current time by `Monotonic`.
  /// - Returns: The number of connections ended.
  @discardableResult
  func closeOverdue(now: Int64) -> Int { handler.deadlines.closeOverdue(now: now) }

  private static func handle(
    _ box: HandlerBox,
    _ connection: OpaquePointer,
    _ path: UnsafePointer<CChar>,
    _ method: UnsafePointer<CChar>,
    _ bytes: UnsafePointer<CChar>?,
    _ count: UnsafeMutablePointer<Int>,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> MHD_Result {
    guard let known = slot.pointee else {
      box.deadlines.awaitBody(newsd_mhd_socket(connection), now: Monotonic.now())
      let exchange = Exchange(head(connection, path, method), box)
      // Retained until the completion callback, which libmicrohttpd calls for every request.
      slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
      switch box.handler.admit(exchange.request) {
      case .reply(let reply): return send(reply, connection)
      case .body(let limit):
        exchange.limit = limit
        return newsd_mhd_yes
      }
    }
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
    if count.pointee > 0 {
      if let bytes { exchange.receive(UnsafeRawBufferPointer(start: bytes, count: count.pointee)) }
      count.pointee = 0
      return newsd_mhd_yes
    }
    return send(exchange.reply ?? box.handler.answer(exchange.request), connection)
  }

  private static func head(
    _ connection: OpaquePointer,
    _ path: UnsafePointer<CChar>,
    _ method: UnsafePointer<CChar>
  ) -> ListenerRequest {
    ListenerRequest(
      method: String(cString: method),
      path: String(cString: path),
      query: values(connection, newsd_mhd_argument_kind),
      headers: values(connection, newsd_mhd_header_kind)
    )
  }

  private static func values(_ connection: OpaquePointer, _ kind: MHD_ValueKind) -> [String: String] {
    var result: [String: String] = [:]
    withUnsafeMutablePointer(to: &result) { result in
      _ = MHD_get_connection_values(
        connection,
        kind,
        { context, kind, name, value in
          guard let context, let name else { return newsd_mhd_yes }
          let result = context.assumingMemoryBound(to: [String: String].self)
          let text = String(cString: name)
          let key = kind == newsd_mhd_header_kind ? text.lowercased() : text
          if result.pointee[key] == nil { result.pointee[key] = value.map { String(cString: $0) } ?? "" }
          return newsd_mhd_yes
        },
        result
      )
    }
    return result
  }

  private static func send(_ reply: ListenerReply, _ connection: OpaquePointer) -> MHD_Result {
    var body = reply.body
    let response = body.withUnsafeMutableBytes { bytes in
      MHD_create_response_from_buffer(bytes.count, bytes.baseAddress, newsd_mhd_must_copy)
    }
    guard let response else { return newsd_mhd_no }
    defer { MHD_destroy_response(response) }
    MHD_add_response_header(response, "Content-Type", "text/plain; charset=utf-8")
    // The challenge is returned as received, so prevent browsers from treating it as HTML.
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff")
    return MHD_queue_response(connection, reply.status, response)
  }

  // MARK: - The socket

  private static func listen(_ address: String) throws(ListenerError) -> (Int32, port: UInt16, isLocal: Bool)
  {
    guard let colon = address.lastIndex(of: ":"), let ip = IPAddress(address[..<colon]),
      let port = UInt16(address[address.index(after: colon)...])
    else {
      throw ListenerError(
        message: "\(address) is not an address to listen on; write 127.0.0.1:8787 or [::1]:8787."
      )
    }
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(ip.isIPv4 ? AF_INET : AF_INET6, type, 0)
    var on: CInt = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<CInt>.size))
    var name = sockaddr_storage()
    var length = ip.write(port: port, to: &name)
    let isListening = withUnsafeMutablePointer(to: &name) { name in
      name.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        descriptor >= 0 && bind(descriptor, name, length) == 0 && Glibc.listen(descriptor, 128) == 0
          && getsockname(descriptor, name, &length) == 0
      }
    }
    guard isListening else {
      let reason = SystemError.last.reason
      if descriptor >= 0 { close(descriptor) }
      throw ListenerError(message: "Cannot listen on \(address): \(reason).")
    }
    // sin_port and sin6_port have the same offset.
    let chosen = withUnsafeBytes(of: name) { $0.load(fromByteOffset: 2, as: UInt16.self) }
    return (descriptor, UInt16(bigEndian: chosen), ip.addressClass == .loopback)
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
