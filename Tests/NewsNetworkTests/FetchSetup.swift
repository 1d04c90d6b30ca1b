import NewsNetwork
import NewsCore
import TestServer

extension CurlFetcher {
  /// A fetcher that may reach the test server, without pauses.
  static func forTests(_ change: (inout NetworkConfiguration) -> Void = { _ in }) -> CurlFetcher {
    var configuration = NetworkConfiguration(userAgent: "newsd-test/1")
    configuration.allowsPrivateAddresses = true
    configuration.spacing = 0
    configuration.requestsPerSite = 64
    change(&configuration)
    return CurlFetcher(configuration: configuration)
  }

  /// The error that a fetch ends with, or nil.
  func failure(_ request: FetchRequest) async -> FetchError? {
    do {
      _ = try await fetch(request)
      return nil
    } catch {
      return error
    }
  }
}

/// A server for one test, gone when it ends.
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
