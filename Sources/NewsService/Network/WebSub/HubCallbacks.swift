import NewsCore

/// Answers hubs from memory.
struct HubCallbacks: HTTPInstantHandling, HTTPAdmitting {
  let refuse: @Sendable (HTTPRequest) -> HTTPReply?
  let answer: @Sendable (HTTPRequest) -> HTTPReply

  func refusal(of request: HTTPRequest) -> HTTPReply? { refuse(request) }
  func instantReply(to request: HTTPRequest) -> HTTPReply { answer(request) }
}

/// The same where several processes share the store, which is asked.
struct SharedHubCallbacks: HTTPHandling, HTTPAdmitting {
  let refuse: @Sendable (HTTPRequest) -> HTTPReply?
  let answer: @Sendable (HTTPRequest) async -> HTTPReply

  func refusal(of request: HTTPRequest) -> HTTPReply? { refuse(request) }
  func reply(to request: HTTPRequest) async -> HTTPReply { await answer(request) }
}
