public import NewsCore
import NewsToolbox
import Synchronization

/// Fetches with libcurl: one event-loop thread drives all transfers. The thread starts with the first fetch. It ends
/// with `shutdown` or when the fetcher is deallocated.
public final class CurlFetcher: Fetching, BodyPosting, Sendable {
  private let configuration: NetworkConfiguration
  private let mailbox = LoopInbox()

  public init(configuration: NetworkConfiguration) {
    self.configuration = configuration
  }

  deinit {
    if !mailbox.closeIfIdle() { _ = mailbox.post(.stop(nil)) }
  }

  /// Ends all current and later fetches over the network with `cancelled`, and stops the thread.
  public func shutdown() async {
    if mailbox.closeIfIdle() { return }
    await withCheckedContinuation { continuation in
      if mailbox.post(.stop(continuation)) == .closed { continuation.resume() }
    }
  }

  /// Returns after the event loop has responded, or at once if its thread is not running.
  public func ping() async {
    await withCheckedContinuation { continuation in
      if !mailbox.postIfRunning(.ping(continuation)) { continuation.resume() }
    }
  }

  public func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    try await run(request, form: nil)
  }

  /// Posts a form (`application/x-www-form-urlencoded`). Follows only redirects that preserve the method.
  func post(_ form: [(name: String, value: String)], _ request: FetchRequest) async throws(FetchError)
    -> FetchResponse
  {
    // `application/x-www-form-urlencoded`.
    func encoded(_ text: String) -> String {
      PercentCoding.encode(text, keeping: PercentCoding.isUnreserved)
    }
    let text = form.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
    return try await post(raw: Array(text.utf8), request)
  }

  /// Posts bytes as a form, unless the request's extra headers set another `Content-Type`.
  public func post(raw bytes: [UInt8], _ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    try await run(request, form: bytes)
  }

  public func get(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    try await run(request, form: nil)
  }

  private func run(_ request: FetchRequest, form: [UInt8]?) async throws(FetchError) -> FetchResponse {
    let address = try RequestURL(request.url)
    if address.scheme == "file" { return try read(address, request, limit: request.limits.bodyBytes) }
    let subscription = try Self.subscription(of: request, to: address)
    let credential = try request.settings.credential.map { reference throws(FetchError) in
      try Credential.look(up: reference, configuration: configuration)
    }
    let ticket = FetchTicket()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let job = FetchJob(
          ticket: ticket,
          request: request,
          limits: request.limits,
          address: address,
          subscription: subscription,
          credential: credential,
          form: form,
          continuation: continuation
        )
        switch mailbox.post(.start(job)) {
        case .accepted: break
        case .startsLoop: startLoop()
        case .closed: continuation.resume(returning: .failure(.cancelled))
        }
      }
    } onCancel: {
      ticket.isCancelled.store(true, ordering: .releasing)
      _ = mailbox.post(.cancel(ticket.id))
    }
    return try result.get()
  }

  /// Returns the URL whose origin receives the feed's secrets; nil for a feed that a program or `newsd ingest`
  /// fills, because it has no origin.
  private static func subscription(
    of request: FetchRequest,
    to address: RequestURL
  ) throws(FetchError) -> RequestURL? {
    guard let url = request.subscriptionURL else { return address }
    return switch FeedURLKind(url) {
    case .program, .ingested: nil
    case .web, .file, nil: try RequestURL(url)
    }
  }

  /// Reads a `file:` URL. Only URLs typed by the user are allowed.
  private func read(
    _ address: RequestURL,
    _ request: FetchRequest,
    limit: Int
  ) throws(FetchError) -> FetchResponse {
    let isTyped =
      switch request.reach {
      // The address guard does not apply to files: a file is read only if the user typed its URL.
      case .anywhere: request.settings.allowsLocalOrigin == true
      case .publicOnly, .listedOnly: false
      case .localOrigin(let url): (try? RequestURL(url)) == address
      }
    guard isTyped, let path = address.filePath else {
      throw FetchError(
        code: .forbiddenAddress,
        message:
          "\(request.url) is a local file; newsd reads files only for feeds that were added with 'newsd feeds add'"
      )
    }
    let file = try LocalFile.read(path: path, limit: limit)
    return FetchResponse(
      status: 200,
      headers: [("Last-Modified", HTTPDate.text(file.modified))],
      body: file.bytes,
      url: request.url,
      received: configuration.clock.now()
    )
  }

  private func startLoop() {
    let start = LoopThread(configuration: configuration, mailbox: mailbox)
    guard !start.detach() else { return }
    CurlLoop.refuse(mailbox.close())
  }
}
