import FoundationEssentials
import Glibc
import Synchronization
import TestServer

/// newsd with a separate store and a server, for one test.
final class Wire {
  let directory = TemporaryDirectory()
  let server: TestServer
  var environment: [String: String] = ["NEWSD_ALLOW_PRIVATE": "1"]
  private var others: [TestServer] = []

  init() throws {
    server = try TestServer()
  }

  deinit {
    server.stop()
    for other in others { other.stop() }
  }

  /// Starts a server at another address, which is another host for newsd.
  func anotherServer(_ address: String = "127.0.0.2") throws -> TestServer {
    let other = try TestServer(address: address)
    others.append(other)
    return other
  }

  var newsd: Program { Program(in: directory, environment: environment) }

  @discardableResult
  func run(_ arguments: String...) throws -> Program.Result { try newsd.run(arguments) }

  /// Subscribes to `path`. The server answers the subscription with `first` and later requests with `then`, in
  /// order.
  func add(_ path: String, _ first: Reply, _ then: Reply...) throws {
    server.on(path, replies: [first] + then)
    let result = try run("feeds", "add", server.url(path))
    guard result.status == 0 else { throw Program.Failure(message: result.errors) }
  }

  /// The output of `feeds list`, decoded.
  func feeds() throws -> [FeedLine] {
    try run("feeds", "list", "--format", "jsonl").lines.map {
      try JSONDecoder().decode(FeedLine.self, from: Data($0.utf8))
    }
  }

  func feed(_ index: Int = 0) throws -> FeedLine {
    let feeds = try feeds()
    guard feeds.indices.contains(index) else {
      throw Program.Failure(message: "no feed \(index) of \(feeds.count)")
    }
    return feeds[index]
  }

  func titles() throws -> [String] {
    try run("list", "--format", "tsv", "--fields", "title").lines.map(String.init).sorted()
  }
}

extension TestServer {
  /// Answers requests for `path` with these replies in turn; the last one repeats.
  func on(_ path: String, replies: [Reply]) {
    let left = Mutex(replies)
    on(path) { _ in left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
  }

  func count(_ path: String) -> Int { requests(to: path).count }
}

/// One line of `feeds list --format jsonl`.
struct FeedLine: Decodable {
  var id: Int
  var url: String
  var items: Int
  var interval: Int?
  var next_due: String?
  var next_due_reason: String?
  var last_fetched: String?
  var last_status: Int?
  var failures: Int
  var last_error: String?

  /// Seconds from the last fetch to the next poll.
  var wait: Int? {
    guard let due = Self.seconds(next_due), let last = Self.seconds(last_fetched) else { return nil }
    return due - last
  }

  static func seconds(_ text: String?) -> Int? {
    text.flatMap { try? Date($0, strategy: .iso8601) }.map { Int($0.timeIntervalSince1970) }
  }
}

func pause(milliseconds: Int) {
  var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
  nanosleep(&time, nil)
}
