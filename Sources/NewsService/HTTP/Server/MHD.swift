import Glibc
import CMicroHTTPD
import NewsCore
import NewsToolbox

/// All calls of libmicrohttpd. The functions are not inlined, because the shim keeps the library's symbols in
/// static variables, and each object file would have its own copy.
enum MHD {
  /// A connection of libmicrohttpd; valid until its request is completed. The library allows any thread to resume it;
  /// all other calls are made on the connection's thread.
  struct Connection: @unchecked Sendable {
    let raw: OpaquePointer
  }

  /// A running daemon. The library allows any thread to stop it.
  struct Daemon: @unchecked Sendable {
    let raw: OpaquePointer
  }

  /// Answers the requests of a daemon, on the daemon's threads. Host is a class because libmicrohttpd passes its
  /// address to the callbacks; it has no state of its own.
  class Host: @unchecked Sendable {
    /// Begins a request. Called when the request's first line was received.
    func begin(_ target: UnsafePointer<CChar>) -> Request { fatalError("a host begins requests") }
    /// Ends a request. Called after the answer was sent, or when the connection has ended before that.
    func end(_ request: Request, socket: Int32) {}
    /// Handles the first sight of a connection on its thread.
    func connected(_ socket: Int32) {}
    /// Handles the end of a connection. libmicrohttpd closes the socket afterwards. The peer is nil for a unix socket.
    func disconnected(_ socket: Int32, from peer: IPAddress?) {}
  }

  /// A request. Only the connection's thread uses it.
  class Request {
    /// Handles a call of libmicrohttpd. The library calls for the head, for each piece of the body, at the end of the
    /// body, and after each suspension. Returns false to end the connection.
    func advance(
      _ connection: Connection,
      method: UnsafePointer<CChar>,
      _ bytes: UnsafeRawBufferPointer
    ) -> Bool { false }
  }

  struct Limits {
    var threads: Int
    /// The connections of each thread. The caller must stay below it: version 0.9.75 keeps a lock when it refuses one.
    var connections: Int
    /// Seconds without traffic after which a connection ends.
    var timeout: Int
  }

  static let endOfStream = Int(newsd_mhd_end_of_stream)
  static let endWithError = Int(newsd_mhd_end_with_error)

  /// Starts a daemon, which serves the connections that it is given. `host` must outlive the daemon. Returns nil on
  /// failure.
  @inline(never)
  static func start(_ host: Host, _ limits: Limits) -> Daemon? {
    var calls = newsd_mhd_callbacks()
    // The server holds the host until the daemon has stopped, so no retain is needed.
    calls.context = Unmanaged.passUnretained(host).toOpaque()
    calls.target = { context, target, connection in
      guard let context, let target, connection != nil else { return nil }
      let host = Unmanaged<Host>.fromOpaque(context).takeUnretainedValue()
      // The completion callback, which libmicrohttpd calls for every request, releases the request.
      return Unmanaged.passRetained(host.begin(target)).toOpaque()
    }
    calls.handle = { _, connection, _, method, _, bytes, count, slot in
      guard let connection, let method, let count, let known = slot?.pointee else { return newsd_mhd_no }
      let request = Unmanaged<Request>.fromOpaque(known).takeUnretainedValue()
      let received = UnsafeRawBufferPointer(start: bytes, count: count.pointee)
      count.pointee = 0
      return request.advance(Connection(raw: connection), method: method, received)
        ? newsd_mhd_yes : newsd_mhd_no
    }
    calls.completed = { context, connection, slot, _ in
      guard let context, let connection, let known = slot?.pointee else { return }
      slot?.pointee = nil
      let request = Unmanaged<Request>.fromOpaque(known).takeRetainedValue()
      Unmanaged<Host>.fromOpaque(context).takeUnretainedValue()
        .end(request, socket: newsd_mhd_socket(connection))
    }
    calls.notify = { context, connection, _, code in
      guard let context, let connection else { return }
      let host = Unmanaged<Host>.fromOpaque(context).takeUnretainedValue()
      let socket = newsd_mhd_socket(connection)
      if code == newsd_mhd_connection_started {
        host.connected(socket)
      } else {
        host.disconnected(socket, from: MHD.peer(Connection(raw: connection)))
      }
    }
    var bounds = newsd_mhd_limits(
      threads: UInt32(limits.threads),
      connections: UInt32(limits.connections * limits.threads),
      timeout_seconds: UInt32(limits.timeout)
    )
    // Block signals for libmicrohttpd's threads, which inherit this mask; the main thread handles them.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    let raw = newsd_mhd_start(&calls, &bounds)
    pthread_sigmask(SIG_SETMASK, &before, nil)
    return raw.map { Daemon(raw: $0) }
  }

  /// A connection that no daemon has yet.
  struct Accepted {
    let socket: Int32
    /// The client; nil for a unix socket.
    let peer: IPAddress?
    fileprivate let name: sockaddr_storage
    fileprivate let length: socklen_t
  }

  /// Accepts a connection of a listening socket that does not block. The connection does not block, and programs do not
  /// inherit it. Returns nil if there is none; errno says why.
  static func accept(_ listener: Int32) -> Accepted? {
    var name = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    return withUnsafeMutablePointer(to: &name) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        let socket = newsd_accept(listener, name, &length, flags)
        guard socket >= 0 else { return nil }
        let peer = IPAddress(name, length: Int(length))
        return Accepted(socket: socket, peer: peer, name: storage.pointee, length: length)
      }
    }
  }

  /// Gives a connection to the daemon, on any thread. Returns false if the library closed it instead.
  @inline(never)
  static func add(_ connection: Accepted, to daemon: Daemon) -> Bool {
    withUnsafePointer(to: connection.name) { name in
      name.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        newsd_mhd_add(daemon.raw, connection.socket, $0, connection.length) == newsd_mhd_yes
      }
    }
  }

  /// Ends all connections and threads. No connection may be suspended: the library would abort the process.
  @inline(never)
  static func stop(_ daemon: Daemon) { newsd_mhd_stop(daemon.raw) }

  @inline(never)
  static func suspend(_ connection: Connection) { newsd_mhd_suspend(connection.raw) }

  @inline(never)
  static func resume(_ connection: Connection) { newsd_mhd_resume(connection.raw) }

  /// Calls `visit` with the name and value of each header field.
  @inline(never)
  static func fields(
    _ connection: Connection,
    _ visit: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Void
  ) {
    withoutActuallyEscaping(visit) { visit in
      var visit = visit
      withUnsafeMutablePointer(to: &visit) { visit in
        _ = newsd_mhd_fields(
          connection.raw,
          { context, _, name, nameSize, value, valueSize in
            guard let context, let name else { return newsd_mhd_yes }
            let visit = context.assumingMemoryBound(
              to: ((UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Void).self
            )
            visit.pointee(
              MHD.bytes(name, nameSize),
              MHD.bytes(value, MHD.isIncomplete(value, valueSize) ? valueSize + 1 : valueSize)
            )
            return newsd_mhd_yes
          },
          visit
        )
      }
    }
  }

  /// True if libmicrohttpd passes only a part of a value: it truncates the value at a NUL, and it appends the further
  /// lines of a folded value (RFC 9112 section 5.2) to the name of the field.
  ///
  /// The library overwrites both bytes of the line end with NUL (version 1.0: only the first). Any other byte after the
  /// terminator therefore belongs to the value, and a blank after the line end begins a further line. A value is in the
  /// buffer of the head, which ends with an empty line.
  ///
  /// A NUL in place of CR cannot be seen any more: version 0.9.75 accepts such a line wherever it is in the head and
  /// overwrites LF with NUL, so the buffer and the length of the head are the same as with CR LF. The same is true of a NUL
  /// before CR LF, and of LF alone, in the last field.
  private static func isIncomplete(_ value: UnsafePointer<CChar>?, _ count: Int) -> Bool {
    guard let value else { return false }
    let next = UInt8(bitPattern: value[count + 1])
    let line = UInt8(bitPattern: value[count + 2])
    return next != 0 && next != UInt8(ascii: "\n") || line == UInt8(ascii: " ") || line == UInt8(ascii: "\t")
  }

  private static func bytes(_ text: UnsafePointer<CChar>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      start: UnsafeRawPointer(text)?.assumingMemoryBound(to: UInt8.self),
      count: text == nil ? 0 : count
    )
  }

  /// Returns the connection's socket; -1 if there is none.
  @inline(never)
  static func socket(_ connection: Connection) -> Int32 { newsd_mhd_socket(connection.raw) }

  /// Returns the address of the client; nil for a unix socket.
  @inline(never)
  static func peer(_ connection: Connection) -> IPAddress? {
    guard let address = newsd_mhd_peer(connection.raw) else { return nil }
    return IPAddress(address, length: MemoryLayout<sockaddr_in6>.size)
  }

  // MARK: - Responses

  /// A response. It is released when this object and all connections that send the response are gone: the library
  /// counts references itself.
  final class Response: @unchecked Sendable {
    fileprivate let raw: OpaquePointer
    fileprivate init(_ raw: OpaquePointer) { self.raw = raw }
    deinit { MHD.release(raw) }
  }

  @inline(never)
  private static func release(_ raw: OpaquePointer) { newsd_mhd_release(raw) }

  /// Makes a response with a copy of the bytes.
  @inline(never)
  static func response(_ bytes: [UInt8]) -> Response? {
    bytes.withUnsafeBytes { newsd_mhd_copying_response($0.count, $0.baseAddress) }.map { Response($0) }
  }

  /// Makes a response with the content of a file, which the system sends without copying.
  ///
  /// Make a new response for each request: sending locks the response, so connections of different threads would wait
  /// for each other.
  @inline(never)
  static func response(_ file: MemoryFile) -> Response? {
    // Duplicate the descriptor, because the library closes it with the response.
    let descriptor = dup(file.descriptor)
    guard descriptor >= 0 else { return nil }
    guard let raw = newsd_mhd_file_response(UInt64(file.count), descriptor) else {
      close(descriptor)
      return nil
    }
    return Response(raw)
  }

  /// An unnamed file in memory.
  final class MemoryFile: Sendable {
    let count: Int
    fileprivate let descriptor: Int32

    /// Creates a file with these bytes. Returns nil if the system has no descriptor or memory left.
    init?(_ bytes: [UInt8]) {
      count = bytes.count
      descriptor = MHD.memoryFile()
      guard descriptor >= 0 else { return nil }
      do {
        try FileBytes.write(bytes, to: descriptor)
      } catch {
        return nil
      }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
  }

  @inline(never)
  private static func memoryFile() -> Int32 { newsd_memory_file("newsd-asset") }

  /// Makes a response whose body is read from the source while it is sent. A nil size means that the length is unknown.
  @inline(never)
  static func response(_ source: any BodySource, size: Int?) -> Response? {
    // The last callback releases the source.
    let context = Unmanaged.passRetained(SourceBox(source)).toOpaque()
    let raw = newsd_mhd_reading_response(
      size.map { UInt64($0) } ?? newsd_mhd_size_unknown,
      32 << 10,
      { context, position, buffer, count in
        guard let context, let buffer else { return newsd_mhd_end_with_error }
        let box = Unmanaged<SourceBox>.fromOpaque(context).takeUnretainedValue()
        return box.source.read(Int(position), UnsafeMutableRawBufferPointer(start: buffer, count: count))
      },
      context,
      { context in
        guard let context else { return }
        Unmanaged<SourceBox>.fromOpaque(context).release()
      }
    )
    guard let raw else {
      Unmanaged<SourceBox>.fromOpaque(context).release()
      return nil
    }
    return Response(raw)
  }

  private final class SourceBox {
    let source: any BodySource
    init(_ source: any BodySource) { self.source = source }
  }

  /// Adds a field to the response. The library ignores fields with line feeds.
  @inline(never)
  static func add(_ name: String, _ value: String, to response: Response) {
    _ = newsd_mhd_add_field(response.raw, name, value)
  }

  /// Answers the connection's request. Returns false to end the connection.
  @inline(never)
  static func queue(_ response: Response, status: Int, on connection: Connection) -> Bool {
    newsd_mhd_queue(connection.raw, UInt32(status), response.raw) == newsd_mhd_yes
  }
}

/// A body that libmicrohttpd reads piece by piece, on the connection's thread.
protocol BodySource: AnyObject {
  /// Fills the buffer with the body from this position. Returns the number of bytes, 0 after suspending the connection,
  /// `MHD.endOfStream` or `MHD.endWithError`.
  func read(_ position: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Int
}
