import NewsToolbox

/// A server of another reader, from which subscriptions and items are imported.
public protocol ItemServer: Sendable {
  /// Logs in if the protocol asks for it, and reads the subscriptions.
  mutating func feeds() async throws(ServerError) -> [ServerFeed]
  /// Where the next page of items begins, in the server's own words; nil: at the first one, or after the last one. An
  /// import that continues sets it before the first call of `nextItems`.
  var place: String? { get set }
  /// Reads the next page of items; nil at the end. Called after `feeds`.
  mutating func nextItems() async throws(ServerError) -> [ServerItem]?
}

/// A subscription on a server.
public struct ServerFeed: Hashable, Sendable {
  /// The server's id of the feed.
  public var id: String
  public var feed: NewFeed
}

extension ServerFeed {
  /// Reads an entry of a list; nil without an id or address. `folder` returns the folder of an id.
  init?(_ entry: JSONValue, url: String, folder: (String) -> String?) {
    guard let id = entry["id"]?.looseText, let address = entry[url]?.string else { return nil }
    self.id = id
    feed = NewFeed(
      url: address,
      title: entry["title"]?.string,
      siteURL: entry["site_url"]?.string,
      folder: folder(id)
    )
  }
}

/// An item on a server. Its HTML is not sanitized.
public struct ServerItem: Hashable, Sendable {
  /// The server's id of the item's feed.
  public var feed: String
  public var item: ImportedItem
}

/// Why a server cannot be imported from.
public struct ServerError: Error, Hashable, Sendable {
  public enum Code: Hashable, Sendable { case unreachable, refused, badAnswer }
  public var code: Code
  /// Says what happened and what to do; contains no credentials.
  public var message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

/// Name and password of the account on a server.
public struct ServerCredentials: Sendable {
  /// Nil: the password is an API token.
  public var user: String?
  public var password: String

  public init(user: String?, password: String) {
    self.user = user
    self.password = password
  }
}

/// Sends the requests of an import and reads their answers as JSON.
public struct ServerRequests: Sendable {
  private let poster: any BodyPosting
  private let reach: FetchRequest.Reach
  /// Largest answer in bytes.
  private static let longestAnswer = 64 << 20
  /// Maximum number of values in an answer: a small value takes much more memory than its text.
  private static let mostValues = 1_000_000

  public init(poster: any BodyPosting, reach: FetchRequest.Reach) {
    self.poster = poster
    self.reach = reach
  }

  /// Sends a request: a POST with a form, or, if that is nil, a GET. `headers` are lines such as `Name: value`.
  func send(
    _ url: String,
    headers: [String] = [],
    form: [(name: String, value: String)]? = nil
  ) async throws(ServerError) -> [UInt8] {
    var settings = FeedSettings()
    settings.headers = headers + ["Accept: application/json, text/plain;q=0.5"]
    let limits = FetchLimits(bodyBytes: Self.longestAnswer, redirects: 4, firstByteTimeout: 120_000)
    var request = FetchRequest(
      url: url,
      settings: settings,
      limits: limits,
      reach: reach,
      isUrgent: true,
      sharesSiteLimits: false
    )
    request.keepsOrigin = true
    let response: FetchResponse
    do {
      if let form {
        let text = form.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&")
        response = try await poster.post(raw: Array(text.utf8), request)
      } else {
        response = try await poster.get(request)
      }
    } catch {
      throw ServerError(.unreachable, error.message)
    }
    let shown = WebAddress.redacted(url).prefix { $0 != "?" }
    switch response.status {
    case 200..<300 where !response.isTruncated: return response.body
    case 200..<300: throw ServerError(.unreachable, "\(shown): the answer is incomplete")
    case 401, 403:
      throw ServerError(
        .refused,
        "\(shown) refuses the name or password; check the address of the API, --user and the API password"
      )
    case 404:
      throw ServerError(.badAnswer, "\(shown) does not exist; check the address and --api")
    case let status:
      // What a server or its proxy answers while it cannot answer.
      let code: ServerError.Code = [429, 502, 503, 504].contains(status) ? .unreachable : .badAnswer
      throw ServerError(code, "\(shown) answers with HTTP status \(status)")
    }
  }

  func json(
    _ url: String,
    headers: [String] = [],
    form: [(name: String, value: String)]? = nil
  ) async throws(ServerError) -> JSONValue {
    let bytes = try await send(url, headers: headers, form: form)
    guard let value = bytes.withUnsafeBufferPointer({ JSONValue(valid: $0, mostValues: Self.mostValues) }),
      value.members != nil || value.array != nil
    else {
      throw ServerError(
        .badAnswer,
        "\(WebAddress.redacted(url).prefix { $0 != "?" }) does not answer with JSON; check --api"
      )
    }
    return value
  }

  static func encoded(_ text: String) -> String {
    PercentCoding.encode(text, keeping: PercentCoding.isUnreserved)
  }
}

extension JSONValue {
  /// The elements of the list that each answer of this kind has, in the member `name` or, if that is nil, as the whole answer.
  /// Some servers write null for an empty list. Without the list it is not such an answer: a proxy or an overloaded server
  /// gave it, and it does not mean that there is nothing.
  func list(_ name: String? = nil) throws(ServerError) -> [JSONValue] {
    let value: JSONValue? = name.map { name in members?.last { $0.name == name }?.value } ?? self
    switch value {
    case .array(let elements)?: return elements
    case .null?: return []
    default:
      let what = name.map { "'\($0)'" } ?? "feeds"
      throw ServerError(
        .badAnswer,
        "the server's answer has no list of \(what); try again later, or check --api"
      )
    }
  }

  /// The largest number in the member `id` of the elements of a list; nil if the list is empty.
  static func newestID(of elements: [JSONValue]) throws(ServerError) -> Int64? {
    let newest = elements.compactMap { $0["id"]?.looseInteger }.max()
    guard newest != nil || elements.isEmpty else {
      throw ServerError(.badAnswer, "the server's items have no ids; check --api")
    }
    return newest
  }

  /// A number, or a string of digits: servers write numbers in both ways.
  var looseInteger: Int64? { integer ?? string.flatMap { Int64($0) } }
  /// True for `true`, 1 and "1".
  var looseBool: Bool { bool ?? (looseInteger == 1) }
  var looseText: String? { string ?? integer.map(String.init) }
}
