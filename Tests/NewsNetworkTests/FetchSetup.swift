import NewsNetwork
import NewsCore
import TestServer

extension CurlFetcher {
  /// Creates a fetcher that may reach the test server and does not space its requests.
  static func forTests(_ change: (inout NetworkConfiguration) -> Void = { _ in }) -> CurlFetcher {
    var configuration = NetworkConfiguration(userAgent: "newsd-test/1")
    configuration.allowsPrivateAddresses = true
    configuration.spacing = 0
    configuration.requestsPerSite = 64
    change(&configuration)
    return CurlFetcher(configuration: configuration)
  }

  /// Returns the error of a fetch, or nil if it succeeds.
  func failure(_ request: FetchRequest) async -> FetchError? {
    do {
      _ = try await fetch(request)
      return nil
    } catch {
      return error
    }
  }
}

/// Runs `body` with a server that is stopped afterwards.
func withServer<Result>(
  address: String = "127.0.0.1",
  _ body: (TestServer) async throws -> Result
) async throws -> Result {
  let server = try TestServer(address: address, patience: 20_000)
  defer { server.stop() }
  return try await body(server)
}

extension FetchLimits {
  static func with(_ change: (inout FetchLimits) -> Void) -> FetchLimits {
    var limits = FetchLimits()
    change(&limits)
    return limits
  }
}

extension FetchResponse {
  var text: String { String(decoding: body, as: UTF8.self) }
}
