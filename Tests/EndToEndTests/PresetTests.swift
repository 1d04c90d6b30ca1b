import FoundationEssentials
import Synchronization
import TestServer
import TestSupport
import Testing

/// The hooks that `newsd hooks presets` prints, each against a server that refuses what the documentation of the service
/// does not allow.
@Suite(.blocking) struct `Presets of hooks` {
  /// What a service accepts: facts from its public documentation.
  struct Service: Sendable, CustomTestStringConvertible {
    var name: String
    var path: String
    /// The field that authorizes a request, with its value.
    var access: (name: String, value: String)
    /// The members of the JSON object, or the fields of the form, with their kinds. All others are refused.
    var required: [String: Kind]
    var optional: [String: Kind] = [:]
    var isForm = false
    var status = 200
    /// Maximum number of bytes of a request.
    var bodyLimit = Int.max
    var testDescription: String { name }
  }

  /// `short` is a text with at most this number of characters, `names` an array of objects with a name.
  enum Kind: Equatable, Sendable { case url, text, short(Int), words, flag, number, object, names }

  private static let link: [String: Kind] = ["url": .url]
  static let services = [
    Service(
      name: "linkding",
      path: "/api/bookmarks/",
      access: ("Authorization", "Token TOKEN"),
      required: link,
      optional: [
        "title": .short(512), "description": .text, "notes": .text, "is_archived": .flag, "unread": .flag,
        "shared": .flag, "tag_names": .words,
      ],
      status: 201
    ),
    Service(
      name: "readeck",
      path: "/api/bookmarks",
      access: ("Authorization", "Bearer TOKEN"),
      required: link,
      optional: ["title": .short(1024), "labels": .words, "created": .text, "html": .text],
      status: 202
    ),
    Service(
      name: "linkwarden",
      path: "/api/v1/links",
      access: ("Authorization", "Bearer TOKEN"),
      required: link,
      optional: [
        "name": .short(2048), "type": .text, "description": .short(2048), "tags": .names,
        "collection": .object,
      ]
    ),
    Service(
      name: "karakeep",
      path: "/api/v1/bookmarks",
      access: ("Authorization", "Bearer KEY"),
      required: ["type": .text, "url": .url],
      optional: [
        "title": .short(1000), "note": .text, "summary": .text, "archived": .flag, "favourited": .flag,
      ],
      status: 201
    ),
    Service(
      name: "readwise",
      path: "/api/v3/save/",
      access: ("Authorization", "Token TOKEN"),
      required: link,
      optional: [
        "html": .text, "title": .text, "author": .text, "summary": .text, "published_date": .text,
        "image_url": .url, "location": .text, "saved_using": .text, "tags": .words,
      ],
      status: 201
    ),
    Service(
      name: "raindrop",
      path: "/rest/v1/raindrop",
      access: ("Authorization", "Bearer TOKEN"),
      required: ["link": .url],
      optional: [
        "title": .short(1000), "tags": .words, "pleaseParse": .object, "excerpt": .short(10_000),
        "note": .text,
      ]
    ),
    Service(
      name: "instapaper",
      path: "/api/add",
      access: ("Authorization", "Basic BASE64"),
      required: link,
      optional: ["title": .text, "selection": .text],
      isForm: true,
      status: 201
    ),
    Service(
      name: "archive",
      path: "/save",
      access: ("Authorization", "LOW ACCESSKEY:SECRET"),
      required: link,
      optional: ["capture_all": .text, "skip_first_archive": .text],
      isForm: true
    ),
    Service(
      name: "wallabag",
      path: "/api/entries.json",
      access: ("Authorization", "Bearer granted"),
      required: link,
      optional: ["title": .text, "tags": .text, "archive": .number, "starred": .number]
    ),
    Service(
      name: "ntfy",
      path: "/",
      access: ("Content-Type", "application/json"),
      required: ["topic": .text],
      optional: [
        "message": .short(4096), "title": .text, "click": .url, "priority": .number, "tags": .words,
      ],
      bodyLimit: 8192
    ),
    Service(
      name: "gotify",
      path: "/message",
      access: ("X-Gotify-Key", "TOKEN"),
      required: ["message": .text],
      optional: ["title": .text, "priority": .number, "extras": .object]
    ),
  ]

  private let wire: Wire

  init() throws {
    wire = try Wire()
    wire.environment = [:]
  }

  /// Writes the preset as configuration, with the server in place of the service. Returns its path.
  private func configure(_ name: String) throws -> String {
    var text = try wire.run("hooks", "presets", name).output
    #expect(text.hasPrefix("# "))
    text.replace(/url: '?https:\/\/[^\/]+/) { match in
      (match.output.contains("'") ? "url: '" : "url: ") + wire.server.origin
    }
    if text.contains("url: ") {
      text.replace("  - name: \(name)\n", with: "  - name: \(name)\n    allow_private: true\n")
    }
    return wire.directory.write(text, to: "newsd.yaml")
  }

  /// Longer than what any service with a limit accepts.
  private static let longTitle = "outage " + String(repeating: "日", count: 3000)
  private static let title = "An \"outage\" & more: ümlaut"
  private static let address = "https://example.org/a?b=c&d=é"

  /// Stores an item with labels, and has the hook send it.
  private func send(
    _ name: String,
    _ path: String,
    title: String = Self.title,
    feed: String = "F",
    hasLink: Bool = true
  ) throws -> Program.Result {
    let link = hasLink ? ",\"url\":\"\(Self.address)\"" : ""
    let title = title.replacing("\"", with: "\\\"")
    let id = hasLink ? "1" : "2"
    let line = "{\"id\":\"\(id)\",\"title\":\"\(title)\",\"content_text\":\"Text\"\(link)}\n"
    #expect(try wire.newsd.run(["--config", path, "ingest", "--feed", feed], input: line).status == 0)
    #expect(try wire.run("label", "add", "to read", id).status == 0)
    #expect(try wire.run("label", "add", "work", id).status == 0)
    return try wire.run("--config", path, "hooks", "test", name)
  }

  /// Answers as the service does.
  private func serve(_ service: Service) {
    wire.server.on(service.path) { request in
      guard request.method == "POST" else { return .status(405) }
      guard request.body.count <= service.bodyLimit else { return .status(413) }
      guard request.header(service.access.name) == service.access.value else { return .status(401) }
      let type = service.isForm ? "application/x-www-form-urlencoded" : "application/json"
      guard request.header("Content-Type") == type else { return .status(415) }
      guard let members = service.isForm ? Self.form(request.body) : Self.object(request.body) else {
        return .status(400, body: "ill-formed")
      }
      for (name, kind) in service.required {
        guard let value = members[name], value.is(kind) else {
          return .status(422, body: "\(name) is missing")
        }
      }
      for (name, value) in members where service.required[name] == nil {
        guard let kind = service.optional[name], value.is(kind) else {
          return .status(422, body: "\(name) is wrong")
        }
      }
      return .status(service.status, body: "{\"id\":\"an id\"}")
    }
  }

  @Test(arguments: ["linkding", "readeck", "linkwarden", "karakeep", "raindrop", "ntfy"])
  func `A preset shortens a title that its service would refuse`(_ name: String) throws {
    let service = try #require(Self.services.first { $0.name == name })
    serve(service)
    if name == "karakeep" { wire.server.on(service.path + "/an%20id/tags", .ok("{}")) }
    let feed = String(Self.longTitle.prefix(300))
    let result = try send(name, try configure(name), title: Self.longTitle, feed: feed)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let request = try #require(wire.server.requests(to: service.path).last)
    let texts = try #require(Self.object(request.body)).values.compactMap { value -> String? in
      if case .text(let text) = value { text } else { nil }
    }
    #expect(texts.contains { $0.hasPrefix("outage 日日日") && $0.hasSuffix("…") }, "\(texts)")
  }

  @Test(arguments: services)
  func `A preset sends what its service accepts, and the service's refusal of an item is reported`(
    _ service: Service
  ) throws {
    serve(service)
    if service.name == "wallabag" {
      wire.server.on("/oauth/v2/token") { request in
        let fields = Self.form(request.body) ?? [:]
        let names = ["client_id", "client_secret", "grant_type", "password", "username"]
        guard request.method == "POST", fields["grant_type"] == .text("password"),
          fields.keys.sorted() == names,
          request.header("Content-Type") == "application/x-www-form-urlencoded"
        else { return .status(400, body: "{\"error\":\"invalid_request\"}") }
        return .ok("{\"access_token\":\"granted\",\"expires_in\":3600,\"token_type\":\"bearer\"}")
      }
    }
    if service.name == "karakeep" { wire.server.on(service.path + "/an%20id/tags", .ok("{}")) }
    let path = try configure(service.name)
    let result = try send(service.name, path)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let request = try #require(wire.server.requests(to: service.path).last)
    let members = try #require(service.isForm ? Self.form(request.body) : Self.object(request.body))
    if service.name == "gotify" {
      #expect(
        String(decoding: request.body, as: UTF8.self).contains("\"click\":{\"url\":\"\(Self.address)\"}")
      )
    } else {
      #expect(members.values.contains(.text(Self.address)), "\(members)")
    }
    #expect(service.name == "archive" || members.values.contains(.text(Self.title)), "\(members)")
    guard service.required.values.contains(.url) else { return }
    let refused = try send(service.name, path, hasLink: false)
    #expect(refused.status == 69 && refused.errors.contains("422"), "\(refused.output)\(refused.errors)")
  }

  @Test func `Linkwarden gets the labels as objects, shortened to what it accepts`() throws {
    let service = try #require(Self.services.first { $0.name == "linkwarden" })
    serve(service)
    let label = String(repeating: "日", count: 60)
    let path = try configure("linkwarden")
    let first = try send("linkwarden", path)
    #expect(first.status == 0, "\(first.errors)")
    #expect(try wire.run("label", "add", label, "1").status == 0)
    #expect(try wire.run("--config", path, "hooks", "test", "linkwarden").status == 0)
    let request = try #require(wire.server.requests(to: service.path).last)
    let cut = String(repeating: "日", count: 49) + "…"
    #expect(
      String(decoding: request.body, as: UTF8.self).hasSuffix(
        "\"tags\":[{\"name\":\"to read\"},{\"name\":\"work\"},{\"name\":\"\(cut)\"}]}"
      )
    )
  }

  @Test func `Karakeep gets the labels in a second request, which is repeated together with the first`()
    throws
  {
    let service = try #require(Self.services.first { $0.name == "karakeep" })
    serve(service)
    let tags = service.path + "/an%20id/tags"
    wire.server.on(tags, .status(503, body: "{}"))
    let path = try configure("karakeep")
    let failed = try send("karakeep", path)
    #expect(failed.status == 69 && failed.errors.contains("503"), "\(failed.errors)")
    wire.server.on(tags) { request in
      guard request.method == "POST", request.header("Authorization") == "Bearer KEY",
        request.header("Content-Type") == "application/json",
        request.body.elementsEqual("{\"tags\":[{\"tagName\":\"to read\"},{\"tagName\":\"work\"}]}".utf8)
      else { return .status(400) }
      return .ok("{\"attached\":[]}")
    }
    let repeated = try wire.run("--config", path, "hooks", "test", "karakeep")
    #expect(repeated.status == 0, "\(repeated.errors)")
    #expect(wire.server.requests(to: service.path).count == 2)
    #expect(wire.server.requests(to: tags).count == 2)
    let keys = wire.server.requests.suffix(2).map { $0.header("Idempotency-Key") }
    #expect(keys[0] == keys[1] && keys[0] != nil)
    #expect(try wire.run("label", "remove", "to read", "1").status == 0)
    #expect(try wire.run("label", "remove", "work", "1").status == 0)
    #expect(try wire.run("--config", path, "hooks", "test", "karakeep").status == 0)
    #expect(wire.server.requests(to: tags).count == 2)
  }

  @Test func `Pinboard gets a GET with the token, the link, the title and the labels`() throws {
    let query =
      "auth_token=YOU:TOKEN&url=https%3A%2F%2Fexample.org%2Fa%3Fb%3Dc%26d%3D%C3%A9"
      + "&description=An%20%22outage%22%20%26%20more%3A%20%C3%BCmlaut&tags=to%20read%20work&shared=no&toread=yes"
    wire.server.on("/v1/posts/add?" + query) { request in
      request.method == "GET" && request.body.isEmpty ? .ok("<result code=\"done\" />") : .status(405)
    }
    let empty = query.replacing("url=https%3A%2F%2Fexample.org%2Fa%3Fb%3Dc%26d%3D%C3%A9", with: "url=")
    wire.server.on("/v1/posts/add?" + empty, .ok("<result code=\"missing url\" />"))
    let path = try configure("pinboard")
    let result = try send("pinboard", path)
    #expect(result.status == 0, "\(result.errors) \(wire.server.requests.map(\.target))")
    let refused = try send("pinboard", path, hasLink: false)
    #expect(refused.status == 69 && refused.errors.contains("status 200, and"), "\(refused.errors)")
    #expect(!refused.errors.contains("TOKEN"), "\(refused.errors)")
  }

  @Test func `Shaarli gets a token that is signed with the secret`() throws {
    wire.server.on("/api/v1/links") { request in
      let parts = (request.header("Authorization") ?? "").split(separator: ".")
      guard request.method == "POST", parts.count == 3, parts[0].hasPrefix("Bearer "),
        let head = Self.object(Self.decoded(parts[0].dropFirst(7))), head["alg"] == .text("HS512"),
        head["typ"] == .text("JWT"), case .number? = Self.object(Self.decoded(parts[1]))?["iat"]
      else { return .status(401) }
      let known = ["url", "title", "description", "tags", "private", "created", "updated"]
      guard let members = Self.object(request.body), members["url"]?.is(.url) == true,
        members["tags"]?.is(.words) == true, members["private"] == .flag(true),
        members.keys.allSatisfy(known.contains)
      else { return .status(400) }
      return .status(201, body: "{}")
    }
    let result = try send("shaarli", try configure("shaarli"))
    #expect(result.status == 0, "\(result.errors)")
    let field = try #require(wire.server.requests.last?.header("Authorization"))
    let parts = field.dropFirst("Bearer ".count).split(separator: ".")
    let signed = wire.directory.write("\(parts[0]).\(parts[1])", to: "signed")
    let digest = try wire.newsd.run(program: Tool.openssl, ["dgst", "-sha512", "-hmac", "SECRET", signed])
      .output
    let digits = String(digest.split(separator: " ").last?.filter { $0 != "\n" } ?? "")
    #expect(digits == Self.decoded(parts[2]).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
  }

  @Test func `The preset 'markdown' writes a file with front matter into the folder`() throws {
    let text = try wire.run("hooks", "presets", "markdown").output
    let folder = wire.directory.path + "/notes"
    #expect(try wire.newsd.run(program: "mkdir", [folder]).status == 0)
    let path = wire.directory.write(text.replacing("/home/you/notes", with: folder), to: "newsd.yaml")
    let result = try send("markdown", path)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let note = try wire.newsd.run(program: "sh", ["-c", "cat \(folder)/*.md"]).output
    #expect(
      note.hasPrefix(
        """
        ---
        title: "An \\"outage\\" & more: ümlaut"
        url: "https://example.org/a?b=c&d=é"
        feed: "F"

        """
      ),
      "\(note)"
    )
    #expect(
      note.contains("tags: [\"to read\",\"work\"]\n---\n\n# An \"outage\" \\& more: ümlaut\n\nText\n"),
      "\(note)"
    )
  }

  @Test func `The preset 'mail' passes a message to sendmail`() throws {
    let log = wire.directory.path + "/mail"
    try wire.directory.writeScript("{ echo \"$@\"; cat; } >> \(log)\n", to: "sendmail")
    wire.environment["PATH"] = wire.directory.path + ":/usr/bin:/bin"
    let result = try send("mail", try configure("mail"))
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let mail = try wire.newsd.run(program: "cat", [log]).output
    #expect(
      mail.hasPrefix("-i -- you@example.org\nTo: you@example.org\n")
        && mail.contains("https://example.org/a?b")
    )
  }

  @Test func `The list names each preset`() throws {
    let names = try wire.run("hooks", "presets").lines.compactMap {
      $0.split(separator: " ").first.map(String.init)
    }
    #expect(names == (Self.services.map(\.name) + ["pinboard", "shaarli", "markdown", "mail"]).sorted())
    #expect(try wire.run("hooks", "presets", "linkdin").errors.contains("linkding"))
  }

  // MARK: - Bodies

  enum Value: Decodable, Hashable, Sendable {
    case text(String)
    case flag(Bool)
    case number(Double)
    case words([String])
    case objects([[String: Value]])
    case object, null

    init(from decoder: any Decoder) throws {
      let box = try decoder.singleValueContainer()
      if box.decodeNil() {
        self = .null
      } else if let flag = try? box.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? box.decode(Double.self) {
        self = .number(number)
      } else if let text = try? box.decode(String.self) {
        self = .text(text)
      } else if let words = try? box.decode([String].self) {
        self = .words(words)
      } else if let objects = try? box.decode([[String: Value]].self) {
        self = .objects(objects)
      } else {
        _ = try box.decode([String: Value].self)
        self = .object
      }
    }

    func `is`(_ kind: Kind) -> Bool {
      switch (self, kind) {
      case (.text(let text), .url): text.hasPrefix("https://") || text.hasPrefix("http://")
      case (.text(let text), .short(let limit)): text.utf16.count <= limit
      case (.objects(let objects), .names): objects.allSatisfy { $0["name"]?.is(.short(50)) == true }
      case (.text, .text), (.flag, .flag), (.number, .number), (.words, .words), (.object, .object): true
      default: false
      }
    }
  }

  private static func object(_ body: [UInt8]) -> [String: Value]? {
    try? JSONDecoder().decode([String: Value].self, from: Data(body))
  }

  private static func form(_ body: [UInt8]) -> [String: Value]? {
    var fields: [String: Value] = [:]
    for pair in String(decoding: body, as: UTF8.self).split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let value = unescaped(parts[1]) else { return nil }
      fields[String(parts[0])] = .text(value)
    }
    return fields
  }

  /// Decodes the percent-encoding of a form; nil if a byte is not encoded as it must be.
  private static func unescaped(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
          return nil
        }
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        guard byte < 0x80, byte > 0x20, byte != UInt8(ascii: "+") else { return nil }
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func decoded(_ text: some StringProtocol) -> [UInt8] {
    var text = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    while text.count % 4 != 0 { text += "=" }
    return Data(base64Encoded: text).map { Array($0) } ?? []
  }
}
