import NewsToolbox
import Synchronization

/// Fetches pictures and recordings of items on behalf of the page, so that browsers ask newsd only and publishers do
/// not learn who reads what and when.
///
/// The guard against addresses that are not public applies as for polls; the exempt origin of a feed stays exempt.
public final class MediaRelay: Sendable {
  /// The ports of the store that this use case needs.
  public typealias Store = ArrivalStoring & CredentialKeeping

  /// The reason why newsd serves no picture or recording.
  public enum Failure: Error, Hashable, Sendable {
    /// The publisher did not send it, or it is too large. The text is the reason.
    case unavailable(String)
    /// The bytes have no type that newsd passes on.
    case wrongType
    /// The requested range begins after the end; the number of bytes.
    case outOfRange(Int64)
    /// Too many recordings are played at once.
    case busy
  }

  /// Maximum bytes of a picture, and of a recording whose server sends no parts.
  public static let maximumBytes = 20 << 20
  /// Maximum milliseconds of a picture's transfer.
  private static let pictureTimeout = 30_000
  /// Maximum milliseconds of a part's transfer; a slower recording cannot be played while it is sent.
  private static let partTimeout = 120_000
  /// Number of recordings that are sent at once, of all feeds and of one feed.
  private static let streams = 8
  private static let streamsOfFeed = 4
  /// Bytes of the first part, so that playing begins soon, and of the others.
  private static let firstPart: Int64 = 256 << 10
  static let part: Int64 = 1 << 20
  /// Maximum bytes of a recording.
  private static let longestRecording: Int64 = 1 << 40
  /// Number of recordings whose type and length are remembered.
  private static let rememberedRecordings = 256

  private struct State {
    var streams: [Feed.ID: Int] = [:]
    var known: [String: Recording] = [:]
  }

  /// What is known of a recording.
  struct Recording: Sendable {
    /// The address after redirects.
    var url: String
    var type: RecordingType
    var length: Int64
  }

  private let fetcher: any Fetching
  private let store: any Store
  private let reach: FetchRequest.Reach
  private let limits: FetchLimits
  private let state = Mutex(State())
  private let memory = PictureMemory(largest: MediaRelay.maximumBytes)

  /// The store of kept pictures; nil: none are kept.
  private let kept: (any MediaKeeping)?

  public init(
    fetcher: any Fetching,
    store: any Store,
    kept: (any MediaKeeping)? = nil,
    reach: FetchRequest.Reach,
    limits: FetchLimits
  ) {
    self.fetcher = fetcher
    self.kept = kept
    self.store = store
    self.reach = reach
    self.limits = limits
  }

  /// The secret with which addresses are signed.
  public func secret() async throws(StoreError) -> [UInt8] { try await store.serverSecret() }

  // MARK: Pictures

  /// Returns a picture that is kept, or fetches it.
  public func picture(_ address: MediaAddress) async throws -> MediaPicture {
    if let kept = try await kept?.keptPicture(address.url, of: address.feed) {
      let share = try await memory.take(for: address.feed)
      share.shrink(to: kept.bytes.count)
      return MediaPicture(type: kept.type, bytes: kept.bytes, share: share)
    }
    return try await fetchPicture(address)
  }

  func fetchPicture(_ address: MediaAddress) async throws -> MediaPicture {
    let feed = try await store.feed(address.feed)
    let share = try await memory.take(for: feed.id)
    var limits = self.limits
    limits.bodyBytes = Self.maximumBytes
    limits.totalTimeout = min(limits.totalTimeout, Self.pictureTimeout)
    let response = try await fetch(address.url, of: feed, .picture, limits, range: nil)
    guard response.status == 200, !response.isTruncated else {
      throw Failure.unavailable("the publisher answered \(response.status)")
    }
    guard let header = PictureHeader(response.body) else { throw Failure.wrongType }
    share.shrink(to: response.body.count)
    return MediaPicture(type: header.type, bytes: response.body, share: share)
  }

  // MARK: Chapters

  /// Reads a document of chapters (`application/json+chapters` of the Podcasting 2.0 namespace).
  public func chapters(_ address: MediaAddress) async throws -> [Chapter] {
    let feed = try await store.feed(address.feed)
    let share = try await memory.take(for: feed.id)
    defer { withExtendedLifetime(share) {} }
    var limits = self.limits
    limits.bodyBytes = Self.chapterBytes
    limits.totalTimeout = min(limits.totalTimeout, Self.pictureTimeout)
    let response = try await fetch(address.url, of: feed, .page, limits, range: nil)
    guard response.status == 200 else {
      throw Failure.unavailable("the publisher answered \(response.status)")
    }
    let parsed = response.body.withUnsafeBufferPointer {
      JSONValue(valid: $0, mostValues: Self.chapterValues)
    }
    guard let document = parsed else {
      throw Failure.wrongType
    }
    let chapters = (document["chapters"]?.array ?? []).prefix(Self.chapterCount).compactMap {
      value -> Chapter? in
      guard case .number(let text)? = value["startTime"], let start = Double(text), start >= 0, start < 1e6,
        value["toc"]?.bool != false
      else { return nil }
      let title = (value["title"]?.string ?? "").unicodeScalars.prefix(Self.chapterTitle)
      return Chapter(start: Int64(start), title: String(String.UnicodeScalarView(title)))
    }
    return chapters.sorted { $0.start < $1.start }
  }

  /// Maximum bytes, number of chapters and number of JSON values of a document.
  private static let chapterBytes = 1 << 20
  private static let chapterCount = 500
  private static let chapterValues = 20_000
  /// Maximum number of Unicode scalars of a chapter's title.
  private static let chapterTitle = 500

  /// A chapter of a recording.
  public struct Chapter: Hashable, Sendable {
    /// In seconds.
    public var start: Int64
    public var title: String
  }

  // MARK: Recordings

  /// Opens a recording from byte `start` to `end`, or to its last byte if `end` is nil. A negative `start` counts from
  /// the end.
  public func recording(
    _ address: MediaAddress,
    from start: Int64,
    to end: Int64?
  ) async throws -> MediaStream {
    let place = try takePlace(address.feed)
    let feed = try await store.feed(address.feed)
    var first: [UInt8] = []
    let known = state.withLock { $0.known[address.url] }
    let recording: Recording
    if let known {
      recording = known
    } else {
      let length = start == 0 ? Self.firstPart : Int64(RecordingType.headLength)
      let opened = try await open(address.url, feed, length)
      recording = opened.recording
      if opened.isWhole || start == 0 { first = opened.bytes }
      if opened.isWhole {
        return try stream(recording, whole: opened.bytes, start, end, place)
      }
      state.withLock { state in
        if state.known.count >= Self.rememberedRecordings { state.known = [:] }
        state.known[address.url] = recording
      }
    }
    let range = try Self.range(start, end, of: recording.length)
    let rest = Int64(first.count) > range.count ? Array(first.prefix(range.count)) : first
    return MediaStream(recording, range, rest, place) { [self] part in
      try await read(part, of: recording, feed)
    }
  }

  private func stream(
    _ recording: Recording,
    whole bytes: [UInt8],
    _ start: Int64,
    _ end: Int64?,
    _ place: Place
  ) throws -> MediaStream {
    let range = try Self.range(start, end, of: recording.length)
    return MediaStream(recording, range, Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]), place) {
      _ in throw Failure.unavailable("the recording ended early")
    }
  }

  private static func range(_ start: Int64, _ end: Int64?, of length: Int64) throws -> Range<Int64> {
    let first = start < 0 ? max(length + start, 0) : start
    guard first < length else { throw Failure.outOfRange(length) }
    return first..<max(min(end ?? length - 1, length - 1), first) + 1
  }

  private func open(
    _ url: String,
    _ feed: Feed,
    _ length: Int64
  ) async throws -> (recording: Recording, bytes: [UInt8], isWhole: Bool) {
    let response = try await fetchPart(0..<length, at: url, feed)
    guard let type = RecordingType(response.body) else {
      if response.status == 200 || response.status == 206 { throw Failure.wrongType }
      throw Failure.unavailable("the publisher answered \(response.status)")
    }
    switch response.status {
    case 206:
      guard let part = Self.contentRange(response), part.start == 0 else {
        throw Failure.unavailable("the publisher sent another part than newsd asked for")
      }
      let recording = Recording(url: response.url, type: type, length: part.length)
      return (recording, response.body, Int64(response.body.count) == part.length)
    case 200 where !response.isTruncated:
      let count = Int64(response.body.count)
      return (Recording(url: response.url, type: type, length: count), response.body, true)
    default: throw Failure.unavailable("the publisher answered \(response.status)")
    }
  }

  private func read(_ part: Range<Int64>, of recording: Recording, _ feed: Feed) async throws -> [UInt8] {
    let response = try await fetchPart(part, at: recording.url, feed)
    guard response.status == 206, let sent = Self.contentRange(response), sent.start == part.lowerBound,
      !response.body.isEmpty, response.body.count <= part.count
    else { throw Failure.unavailable("the publisher answered \(response.status)") }
    return response.body
  }

  private func fetchPart(_ part: Range<Int64>, at url: String, _ feed: Feed) async throws -> FetchResponse {
    var limits = self.limits
    limits.bodyBytes = Self.maximumBytes
    limits.totalTimeout = Self.partTimeout
    return try await fetch(url, of: feed, .recording, limits, range: part)
  }

  /// Reads `Content-Range: bytes 0-99/1234` (RFC 9110 section 14.4).
  private static func contentRange(_ response: FetchResponse) -> (start: Int64, length: Int64)? {
    guard let value = response.header("Content-Range"), value.hasPrefix(bytesOf: "bytes "),
      let (part, length) = value.slice(6...).cut(atFirst: "/"), let (start, _) = part.cut(atFirst: "-"),
      let first = Int64(start), let total = Int64(length), first >= 0, total > first,
      total <= longestRecording
    else { return nil }
    return (first, total)
  }

  private func fetch(
    _ url: String,
    of feed: Feed,
    _ content: FetchRequest.Content,
    _ limits: FetchLimits,
    range: Range<Int64>?
  ) async throws -> FetchResponse {
    var request = FetchRequest(
      url: url,
      settings: feed.settings,
      limits: limits,
      reach: reach.including(feed),
      isUrgent: true,
      subscriptionURL: feed.settings.secretsFor ?? feed.url,
      content: content,
      sharesSiteLimits: false
    )
    request.range = range
    do throws(FetchError) {
      return try await fetcher.fetch(request)
    } catch {
      throw Failure.unavailable(error.message)
    }
  }

  // MARK: Places

  /// One of the places for recordings, free again with the last reference to it.
  final class Place: Sendable {
    private let relay: MediaRelay
    private let feed: Feed.ID

    fileprivate init(_ relay: MediaRelay, _ feed: Feed.ID) {
      self.relay = relay
      self.feed = feed
    }

    deinit {
      relay.state.withLock { state in
        let rest = state.streams[feed, default: 1] - 1
        state.streams[feed] = rest > 0 ? rest : nil
      }
    }
  }

  private func takePlace(_ feed: Feed.ID) throws -> Place {
    let isFree = state.withLock { state in
      let ofFeed = state.streams[feed, default: 0]
      guard ofFeed < Self.streamsOfFeed, state.streams.values.reduce(0, +) < Self.streams else {
        return false
      }
      state.streams[feed] = ofFeed + 1
      return true
    }
    guard isFree else { throw Failure.busy }
    return Place(self, feed)
  }
}

/// A fetched picture. It takes memory of the relay until it is freed.
public struct MediaPicture: Sendable {
  public let type: PictureType
  public let bytes: [UInt8]
  let share: PictureMemory.Share
}

/// A recording, or a range of it, that is fetched part by part while it is sent.
public actor MediaStream {
  public nonisolated let type: RecordingType
  /// The bytes to send.
  public nonisolated let range: Range<Int64>
  /// Number of bytes of the whole recording.
  public nonisolated let length: Int64

  private let place: MediaRelay.Place
  private let read: @Sendable (Range<Int64>) async throws -> [UInt8]
  private var first: [UInt8]
  private var position: Int64

  init(
    _ recording: MediaRelay.Recording,
    _ range: Range<Int64>,
    _ first: [UInt8],
    _ place: MediaRelay.Place,
    read: @escaping @Sendable (Range<Int64>) async throws -> [UInt8]
  ) {
    type = recording.type
    length = recording.length
    self.range = range
    self.first = first
    self.place = place
    self.read = read
    position = range.lowerBound
  }

  /// Returns the next bytes; nil at the end.
  public func next() async throws -> [UInt8]? {
    guard position < range.upperBound else { return nil }
    var bytes = first
    first = []
    if bytes.isEmpty {
      bytes = try await read(position..<position + min(MediaRelay.part, range.upperBound - position))
    }
    position += Int64(bytes.count)
    return bytes
  }
}
