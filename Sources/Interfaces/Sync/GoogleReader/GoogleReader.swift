public import NewsHTTP
public import NewsCore

/// The Google Reader API, as FreshRSS, miniflux and their clients speak it.
public struct GoogleReader: Sendable {
  private let streams: SyncStreams
  private let account: any WebAccount

  public init(streams: SyncStreams, account: any WebAccount) {
    self.streams = streams
    self.account = account
  }

  /// Maximum sizes of bodies in bytes: a form with 10,000 ids, an OPML document.
  private static let formLimit = 4 << 20
  private static let listLimit = 32 << 20

  /// The same routes at the root and below `/api/greader.php`, where clients for FreshRSS expect them.
  public var routes: [WebRoute] { routes(below: []) + routes(below: ["api", "greader.php"]) }

  private func routes(below prefix: [String]) -> [WebRoute] {
    let api = prefix + ["reader", "api", "0"]
    var routes = [
      WebRoute(
        api: "greader",
        path: prefix + ["accounts", "ClientLogin"],
        isExact: true,
        methods: [.post],
        bodyLimit: WebRoute.strangersBody,
        readsForm: true,
        foreign: .accepted,
        servesWebClients: true,
        handler: GoogleLogin(account: account)
      ),
      route(prefix + ["reader", "atom"], [.get], isExact: false, AtomStream(streams: streams)),
      // Any other path: 404 for requests with a valid token, 401 for others.
      route(api, [.get, .post], isExact: false, UnknownEndpoint()),
      route(api + ["stream", "contents"], [.get], isExact: false, StreamContents(streams: streams)),
      route(
        api + ["subscription", "import"],
        [.post],
        body: Self.listLimit,
        readsForm: false,
        ListImport(streams: streams)
      ),
    ]
    let lists = ListEndpoint.Kind.allCases.map {
      ($0.path, [HTTPMethod.get], ListEndpoint(kind: $0, access: access, streams: streams))
    }
    for (path, methods, endpoint) in lists { routes.append(route(api + path, methods, endpoint)) }
    routes.append(route(api + ["stream", "items", "ids"], [.get, .post], StreamIDs(streams: streams)))
    routes.append(
      route(api + ["stream", "items", "contents"], [.get, .post], ItemContents(streams: streams))
    )
    for kind in EditEndpoint.Kind.allCases {
      routes.append(route(api + kind.path, [.post], EditEndpoint(kind: kind, streams: streams)))
    }
    return routes
  }

  private var access: GoogleReaderAccess { GoogleReaderAccess(account: account) }

  private func route(
    _ path: [String],
    _ methods: [HTTPMethod],
    isExact: Bool = true,
    body: Int = formLimit,
    readsForm: Bool = true,
    _ endpoint: any GoogleReaderEndpoint
  ) -> WebRoute {
    WebRoute(
      api: "greader",
      path: path,
      isExact: isExact,
      methods: methods,
      bodyLimit: methods.contains(.post) ? body : 0,
      readsForm: readsForm,
      access: .head { [access] in await access.admission(of: $0) },
      foreign: .withToken,
      servesWebClients: true,
      handler: SignedHandler(access: access, endpoint: endpoint, depth: path.count)
    )
  }
}

/// Checks the token of a request, then lets its endpoint answer.
private struct SignedHandler: HTTPHandling {
  let access: GoogleReaderAccess
  let endpoint: any GoogleReaderEndpoint
  let depth: Int

  func reply(to request: HTTPRequest) async -> HTTPReply {
    do {
      let app = try await access.app(request)
      return try await endpoint.answer(
        GoogleReaderCall(request: request, app: app, rest: Array(request.path.dropFirst(depth)))
      )
    } catch let refusal as GoogleReaderAccess.Refusal {
      return refusal.reply
    } catch {
      return SyncReply.refusal(error)
    }
  }
}

private struct UnknownEndpoint: GoogleReaderEndpoint {
  func answer(_ call: GoogleReaderCall) async throws -> HTTPReply { .text(404, "Not Found\n") }
}
