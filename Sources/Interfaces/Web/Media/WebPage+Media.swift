import Modules
import NewsCore
import NewsHTTP
import NewsToolbox

/// Passes on the pictures and recordings of items, so that the page loads nothing from elsewhere.
extension WebPage {
  func showMedia(_ request: HTTPRequest) async throws -> HTTPReply {
    guard let media else { return PageReply.text(404, Wording.thisPagePassesOnNoMedia) }
    let url = request.query.first(MediaAddress.parameter)
    guard let address = MediaAddress(path: request.path, url: url, secret: try await media.secret()) else {
      return PageReply.text(404, Wording.thereIsNothingAtThisAddress)
    }
    do {
      switch address.kind {
      case .picture:
        let picture = try await media.picture(address)
        let fields = HTTPFields([("Content-Type", picture.type.rawValue)])
        return Self.guarded(HTTPReply(status: 200, fields: fields, body: .stream(PictureBody(picture))))
      case .chapters:
        var json = JSONWriter()
        json.beginArray()
        for chapter in try await media.chapters(address) {
          json.beginObject()
          json.field("start", chapter.start)
          json.field("title", DisplayText(line: chapter.title).string)
          json.endObject()
        }
        json.endArray()
        return Self.guarded(HTTPReply(type: "application/json", json.bytes))
      case .recording: return try await recording(address, request, media)
      }
    } catch let failure as MediaRelay.Failure {
      return Self.reply(to: failure)
    } catch is CancellationError {
      return PageReply.text(503, Wording.theClientHasLeft)
    } catch let error as StoreError where error.code == .noSuchFeed {
      return PageReply.text(404, Wording.theFeedOfThisAddressWasRemoved)
    }
  }

  /// Stores how far a recording has been played, for the player.
  func play(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    guard let item = Int64(request.path[1]), let number = Int64(request.path[3]) else {
      return PageReply.text(404, Wording.thereIsNoSuchRecording)
    }
    let position = request.form.first("position").flatMap { Int64($0) }
    guard position.map({ (0...Int64(Int32.max)).contains($0) }) ?? true else {
      return PageReply.text(400, Wording.thePositionIsNoNumber)
    }
    let change = PlaybackRequest(
      item: NewsItem.ID(rawValue: item),
      number: number,
      position: position,
      isPlayed: request.form.first("played") == "1",
      marksRead: request.form.first("read") == "1"
    )
    let answer = await ModuleRun.last({ try modules.playback() }, change)
    if let failure = answer.failure { return fail(failure, request, session) }
    return PageReply.json("{}")
  }

  private func recording(
    _ address: MediaAddress,
    _ request: HTTPRequest,
    _ media: MediaRelay
  ) async throws -> HTTPReply {
    let range = request.fields.first("Range").flatMap(ByteRange.init)
    let stream = try await media.recording(address, from: range?.start ?? 0, to: range?.end)
    var reply = HTTPReply(
      status: range == nil ? 200 : 206,
      fields: HTTPFields([("Content-Type", stream.type.rawValue), ("Accept-Ranges", "bytes")]),
      // Counting the stream for HEAD would fetch all of it.
      body: request.method == .head ? .none : .stream(RecordingBody(stream: stream))
    )
    if range != nil {
      let (first, last) = (stream.range.lowerBound, stream.range.upperBound - 1)
      reply.fields.set("Content-Range", "bytes \(first)-\(last)/\(stream.length)")
    }
    return Self.guarded(reply)
  }

  /// Adds the fields of media: browsers must not take the bytes for another type, nor run anything in them.
  private static func guarded(_ reply: HTTPReply) -> HTTPReply {
    var reply = reply
    for (name, value) in [
      ("Content-Security-Policy", "default-src 'none'; sandbox"), ("X-Content-Type-Options", "nosniff"),
      ("Cross-Origin-Resource-Policy", "same-origin"), ("Cache-Control", "private, max-age=604800"),
    ] { reply.fields.set(name, value) }
    return reply
  }

  private static func reply(to failure: MediaRelay.Failure) -> HTTPReply {
    switch failure {
    case .unavailable(let reason): return PageReply.text(502, Wording.newsdGotNoMedia(reason))
    case .wrongType: return PageReply.text(415, Wording.thisIsNoMedia)
    case .busy:
      return PageReply.text(503, Wording.tooManyRecordings).with("Retry-After", "10")
    case .outOfRange(let length):
      return PageReply.text(416, Wording.theRecordingIsShorter).with("Content-Range", "bytes */\(length)")
    }
  }
}

/// A range of bytes as a client asks for it (RFC 9110 section 14.1.2).
struct ByteRange: Hashable {
  /// The first byte; a negative number counts from the end.
  var start: Int64
  /// The last byte; nil: that of the recording.
  var end: Int64?

  /// Fails for other units and for several ranges, which a server may ignore.
  init?(_ field: String) {
    guard field.hasPrefix(bytesOf: "bytes="), let (first, last) = field.slice(6...).cut(atFirst: "-") else {
      return nil
    }
    func number(_ text: Substring) -> Int64? {
      text.utf8.allSatisfy(ASCII.isDigit) ? Int64(text) : nil
    }
    if first.isEmpty {
      guard let count = number(last), count > 0 else { return nil }
      start = -count
    } else {
      guard let from = number(first) else { return nil }
      start = from
      if !last.isEmpty {
        guard let to = number(last), to >= from else { return nil }
        end = to
      }
    }
  }
}

private struct RecordingBody: HTTPBodyStream {
  let stream: MediaStream

  var endsWithClient: Bool { true }
  func next() async throws -> [UInt8]? { try await stream.next() }
}

/// Holds the memory of a picture until it is sent.
private actor PictureBody: HTTPBodyStream {
  private let picture: MediaPicture
  private var position = 0
  private static let piece = 256 << 10

  init(_ picture: MediaPicture) { self.picture = picture }

  func next() -> [UInt8]? {
    guard position < picture.bytes.count else { return nil }
    defer { position += Self.piece }
    return Array(picture.bytes[position..<min(position + Self.piece, picture.bytes.count)])
  }
}
