import CCurl
import Glibc

/// Tracks the sockets of reusable HTTP/1 connections to detect unread input. If a server sent more than its response (a
/// body after a 304, a body longer than Content-Length), libcurl would read the excess as the next response.
final class IdleSockets {
  private struct Name: Hashable {
    var address: String
    var port: Int
  }

  private var sockets: [Name: Int32] = [:]

  /// Records the connection used by a finished transfer.
  func note(_ easy: EasyHandle) {
    var socket = newsd_curl_socket_bad
    newsd_curl_getinfo_socket(easy.raw, CURLINFO_ACTIVESOCKET, &socket)
    guard socket != newsd_curl_socket_bad, let name = Self.name(of: easy) else { return }
    // Clear the table when it is full, because libcurl does not report closed connections.
    if sockets.count >= 1024 { sockets = [:] }
    // Do not check for input yet: the input may be the response to a request that was already sent.
    sockets[name] = socket
  }

  /// Returns true if a noted connection from this local address has received input, or was closed, since its
  /// last response. Call this before a request is sent on the connection.
  func hasInput(address: String, port: Int) -> Bool {
    guard let socket = sockets[Name(address: address, port: port)] else { return false }
    // The descriptor may have been closed and reused.
    guard Self.port(of: socket) == port else {
      sockets[Name(address: address, port: port)] = nil
      return false
    }
    return Self.hasInput(socket)
  }

  private static func name(of easy: EasyHandle) -> Name? {
    var text: UnsafeMutableRawPointer?
    newsd_curl_getinfo_pointer(easy.raw, CURLINFO_LOCAL_IP, &text)
    var port = 0
    newsd_curl_getinfo_long(easy.raw, CURLINFO_LOCAL_PORT, &port)
    guard let text, port > 0 else { return nil }
    return Name(address: String(cString: text.assumingMemoryBound(to: CChar.self)), port: port)
  }

  private static func hasInput(_ socket: Int32) -> Bool {
    var item = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&item, 1, 0) > 0
  }

  private static func port(of socket: Int32) -> Int? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let code = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
    }
    guard code == 0 else { return nil }
    // sin_port and sin6_port have the same offset.
    let port = withUnsafeBytes(of: &storage) { $0.load(fromByteOffset: 2, as: UInt16.self) }
    return Int(UInt16(bigEndian: port))
  }
}
