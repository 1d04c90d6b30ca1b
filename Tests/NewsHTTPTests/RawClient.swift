import NewsHTTP
import Glibc
import NewsCore
import Synchronization
import TestServer
import Testing

@testable import NewsHTTP

/// A client that sends arbitrary bytes. Reading ends after some seconds, so that no test hangs. It uses its
/// own threads, because the server's handlers need the threads of the tests' tasks.
final class RawClient: @unchecked Sendable {
  struct Failure: Error {}

  let descriptor: Int32
  private var received: [UInt8] = []

  init(port: UInt16) throws {
    descriptor = try Loopback.connect(port)
  }

  init(path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0 else { throw Failure() }
    Loopback.limitReading(descriptor)
  }

  deinit { close(descriptor) }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
  }

  /// Reads further bytes; false at the end of the connection.
  private func readMore() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { return false }
    received += buffer[..<count]
    return true
  }

  /// True when the server has closed the connection.
  var isEnded: Bool {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT | MSG_PEEK))
    return count == 0 || count < 0 && errno != EAGAIN
  }

  /// Returns all bytes up to the end of the connection as text.
  func rest() async -> String {
    let text = try? await onThread { client in
      while client.readMore() {}
      defer { client.received = [] }
      return String(decoding: client.received, as: UTF8.self)
    }
    return text ?? ""
  }

  /// Reads one answer, framed as HTTP/1.1 says.
  func answer(toHead: Bool = false) async throws -> Answer {
    try await onThread { try $0.readAnswer(toHead: toHead) }
  }

  private func onThread<Value: Sendable>(
    _ body: @escaping @Sendable (RawClient) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { waiter in
      ClientThread.run { waiter.resume(with: Result { try body(self) }) }
    }
  }

  struct Answer: Sendable {
    var status: Int
    var fields: HTTPFields
    var body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self) }
  }

  private func readAnswer(toHead: Bool) throws -> Answer {
    let end = Array("\r\n\r\n".utf8)
    var headEnd = Self.find(end, in: received)
    while headEnd == nil {
      guard readMore() else { throw Failure() }
      headEnd = Self.find(end, in: received)
    }
    guard let headEnd else { throw Failure() }
    let lines = String(decoding: received[..<headEnd], as: UTF8.self).split(separator: "\r\n")
    received.removeFirst(headEnd + end.count)
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count > 1, let status = Int(words[1]) else { throw Failure() }
    var answer = Answer(status: status, fields: HTTPFields(), body: [])
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      answer.fields.append(String(parts[0]), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
    }
    if status == 100 { return try readAnswer(toHead: toHead) }
    if toHead || status == 204 || status == 304 { return answer }
    if answer.fields.first("Transfer-Encoding") == "chunked" {
      while true {
        let length = try chunkLength()
        try fill(length + 2)
        answer.body += received[..<length]
        received.removeFirst(length + 2)
        if length == 0 { return answer }
      }
    }
    let length = Int(answer.fields.first("Content-Length") ?? "0") ?? 0
    try fill(length)
    answer.body = Array(received[..<length])
    received.removeFirst(length)
    return answer
  }

  func ask(_ head: String, toHead: Bool = false) async throws -> Answer {
    send(head)
    return try await answer(toHead: toHead)
  }

  private func fill(_ count: Int) throws {
    while received.count < count {
      guard readMore() else { throw Failure() }
    }
  }

  private func chunkLength() throws -> Int {
    while true {
      if let end = Self.find(Array("\r\n".utf8), in: received) {
        let digits = String(decoding: received[..<end], as: UTF8.self)
        received.removeFirst(end + 2)
        guard let length = Int(digits, radix: 16) else { throw Failure() }
        return length
      }
      guard readMore() else { throw Failure() }
    }
  }

  private static func find(_ part: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= part.count else { return nil }
    return (0...(bytes.count - part.count)).first { bytes[$0..<($0 + part.count)].elementsEqual(part) }
  }
}

private enum ClientThread {
  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  static func run(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Work(body))
    let code = pthread_create(
      &thread,
      nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        return nil
      },
      context.toOpaque()
    )
    if code == 0 {
      pthread_detach(thread)
    } else {
      context.release()
      body()
    }
  }
}

/// A handler from a closure.
struct Handler: HTTPHandling {
  var body: @Sendable (HTTPRequest) async -> HTTPReply
  init(_ body: @escaping @Sendable (HTTPRequest) async -> HTTPReply) { self.body = body }
  func reply(to request: HTTPRequest) async -> HTTPReply { await body(request) }
}

/// A stream of equal pieces.
actor Pieces: HTTPBodyStream {
  private var left: Int
  private let piece: [UInt8]
  init(_ count: Int, _ piece: String) {
    left = count
    self.piece = Array(piece.utf8)
  }
  func next() -> [UInt8]? {
    guard left > 0 else { return nil }
    left -= 1
    return piece
  }
}

/// Blocks tasks until it is opened.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiters: [CheckedContinuation<Void, Never>] = []
    var arrived = 0
  }
  private let state = Mutex(State())

  var arrived: Int { state.withLock { $0.arrived } }

  func pass() async {
    await withCheckedContinuation { waiter in
      let isOpen = state.withLock { state in
        state.arrived += 1
        if !state.isOpen { state.waiters.append(waiter) }
        return state.isOpen
      }
      if isOpen { waiter.resume() }
    }
  }

  func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}

func makeServer(
  _ routes: [WebRoute],
  listen: String = "127.0.0.1:0",
  account: (any WebAccount)? = nil,
  observer: (any HTTPObserving)? = nil,
  _ change: (inout HTTPServerConfiguration) -> Void = { _ in }
) throws -> HTTPServer {
  var configuration = HTTPServerConfiguration()
  change(&configuration)
  return try HTTPServer(
    sockets: try ListenSocket.open(listen, environment: [:]),
    configuration: configuration,
    routes: routes,
    account: account,
    observer: observer
  )
}
