import CCurl
import Glibc

/// The sockets of HTTP/1 connections that have answered and may carry another request. A server that sent more than its
/// answer (a body after a 304, a body longer than announced) left bytes there which would be read as the next answer;
/// libcurl does not look.
final class IdleSockets {
  private struct Name: Hashable {
    var address: String
    var port: Int
  }

  private var sockets: [Name: Int32] = [:]

  /// Notes the connection that this finished transfer used.
  func note(_ easy: EasyHandle) {
    var socket = newsd_curl_socket_bad
    newsd_curl_getinfo_socket(easy.raw, CURLINFO_ACTIVESOCKET, &socket)
    guard socket != newsd_curl_socket_bad, let name = Self.name(of: easy) else { return }
    // Those that have gone are not told of: start again now and then.
    if sockets.count >= 1024 { sockets = [:] }
    // Not looked at yet: the next request may be on its way already, and what is there its answer.
    sockets[name] = socket
  }

  /// True when something waits to be read on the connection from this local address before anything was asked.
  func hasInput(address: String, port: Int) -> Bool {
    guard let socket = sockets[Name(address: address, port: port)] else { return false }
    // The descriptor may have been closed, and be another connection's by now.
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
    // At the same place for IPv4 and IPv6.
    let port = withUnsafeBytes(of: &storage) { $0.load(fromByteOffset: 2, as: UInt16.self) }
    return Int(UInt16(bigEndian: port))
  }
}
