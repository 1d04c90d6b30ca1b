import NewsHTTP
import NewsCore

/// Answers hubs immediately, using only the subscriptions in memory.
struct HubCallbacks: HTTPInstantHandling, HTTPAdmitting {
  let refuse: @Sendable (HTTPRequest) -> HTTPReply?
  let answer: @Sendable (HTTPRequest) -> HTTPReply

  func refusal(of request: HTTPRequest) -> HTTPReply? { refuse(request) }
  func instantReply(to request: HTTPRequest) -> HTTPReply { answer(request) }
}

/// Answers hubs if several processes share the store. Looks up unknown subscriptions in the store.
struct SharedHubCallbacks: HTTPHandling, HTTPAdmitting {
  let refuse: @Sendable (HTTPRequest) -> HTTPReply?
  let answer: @Sendable (HTTPRequest) async -> HTTPReply

  func refusal(of request: HTTPRequest) -> HTTPReply? { refuse(request) }
  func reply(to request: HTTPRequest) async -> HTTPReply { await answer(request) }
}
