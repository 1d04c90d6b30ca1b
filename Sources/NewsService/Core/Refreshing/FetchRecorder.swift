import NewsToolbox
import Synchronization

/// Passes fetches to another fetcher and writes each exchange to a file, for bug reports.
///
/// Sends no validators, so that the recordings contain full documents instead of 304s.
public final class FetchRecorder: Fetching {
  private let fetcher: any Fetching
  private let records: any RecordKeeping
  private let state = Mutex<(last: Int, written: Int, error: FileError?)>((0, 0, nil))

  /// The first write error; fetching continues after it.
  public var error: FileError? { state.withLock { $0.error } }
  /// Number of exchanges that were written.
  public var count: Int { state.withLock { $0.written } }

  public init(_ fetcher: any Fetching, records: any RecordKeeping) {
    self.fetcher = fetcher
    self.records = records
  }

  public func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    var request = request
    request.validators = nil
    do {
      let response = try await fetcher.fetch(request)
      keep(RecordedExchange(request: request.url, result: .success(response)))
      return response
    } catch {
      if error.code != .cancelled { keep(RecordedExchange(request: request.url, result: .failure(error))) }
      throw error
    }
  }

  private func keep(_ exchange: RecordedExchange) {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    let host = WebAddress(exchange.request)?.host ?? "file"
    let safe = String(
      host.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") ? $0 : "_" }.prefix(80)
    )
    let name = "\(number.digits(6))-\(safe).exchange"
    do {
      try records.write(exchange.encoded, named: name)
      state.withLock { $0.written += 1 }
    } catch {
      state.withLock { $0.error = $0.error ?? error }
    }
  }
}
