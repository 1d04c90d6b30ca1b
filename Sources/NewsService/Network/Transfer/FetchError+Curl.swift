import CCurl
import NewsCore

extension FetchError {
  /// Returns this error with the redirects that preceded it.
  func after(_ hops: [RedirectHop]) -> FetchError {
    FetchError(code: code, message: message, hops: hops, neverConnected: neverConnected)
  }

  /// The error for a transfer that newsd ended.
  init(ending: CurlTransfer.Ending, plan: RequestPlan, limits: FetchLimits, neverConnected: Bool) {
    let url = HeaderText.shown(plan.url)
    switch ending {
    case .bodyTooLarge, .enough:
      self.init(
        code: .bodyTooLarge,
        message: "\(url) sends more than \(limits.bodyBytes) bytes. " + FetchError.sizeAdvice
      )
    case .unsupportedCoding:
      self.init(code: .badResponse, message: "\(url) sent a body that cannot be unpacked")
    case .headersTooLarge:
      self.init(
        code: .headersTooLarge,
        message: "\(url) sends more than \(limits.headerBytes) bytes of header fields; the server is broken"
      )
    case .noFirstByte:
      self.init(
        code: .timedOut,
        message: "\(url) did not answer within \(Self.seconds(limits.firstByteTimeout))",
        neverConnected: neverConnected
      )
    case .tooLong:
      self.init(
        code: .timedOut,
        message:
          "\(url) was not complete after \(Self.seconds(limits.totalTimeout)). Raise the timeout to wait longer."
      )
    case .tooSlow:
      self.init(
        code: .timedOut,
        message:
          "\(url) sent less than \(limits.lowSpeed) bytes a second for \(limits.lowSpeedSeconds) seconds"
      )
    case .memoryNeeded:
      self.init(
        code: .timedOut,
        message: "\(url) sent nothing or too slowly while other feeds waited for the memory it held"
      )
    }
  }

  /// The error for a libcurl result code. `said` is libcurl's error message. `neverConnected`: no host
  /// answered the connection attempt.
  init(
    _ code: CURLcode,
    plan: RequestPlan,
    host: String,
    said: String,
    neverConnected: Bool = false
  ) {
    let words = said.isEmpty ? String(cString: curl_easy_strerror(code)) : said
    let detail = HeaderText.shown(words)
    let url = HeaderText.shown(plan.url)
    let via = plan.proxy == nil ? "" : " (through the proxy)"
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST:
      self.init(
        code: .hostNotFound,
        message: "the host \(host) was not found. Check its spelling and the network.",
        neverConnected: true
      )
    case CURLE_COULDNT_RESOLVE_PROXY:
      self.init(
        code: .hostNotFound,
        message: "the proxy for \(url) was not found. Check its name.",
        neverConnected: true
      )
    case CURLE_COULDNT_CONNECT, CURLE_PROXY:
      self.init(
        code: .refused,
        message: "no connection to \(host)\(via): \(detail)",
        neverConnected: neverConnected
      )
    case CURLE_OPERATION_TIMEDOUT:
      self.init(
        code: .timedOut,
        message: "no connection to \(host)\(via) in time: \(detail)",
        neverConnected: neverConnected
      )
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_CLIENTCERT,
      CURLE_USE_SSL_FAILED:
      self.init(code: .tls, message: "no secure connection to \(host)\(via): \(detail)")
    case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ENGINE_NOTFOUND:
      self.init(code: .tls, message: "the certificate file for \(host) cannot be used: \(detail)")
    case CURLE_URL_MALFORMAT:
      self.init(code: .badURL, message: "\(url) is not a URL: \(detail)")
    // libcurl's results for a line that exceeds its limit.
    case CURLE_OUT_OF_MEMORY, Self.curlTooLarge:
      self.init(
        code: .headersTooLarge,
        message: "\(url) sends header fields that are too long; the server is broken"
      )
    case CURLE_GOT_NOTHING:
      self.init(code: .badResponse, message: "\(url) closed the connection without an answer")
    case CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
      self.init(code: .badResponse, message: "\(url) sent a body that cannot be unpacked: \(detail)")
    case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_HTTP2, CURLE_HTTP2_STREAM,
      CURLE_PARTIAL_FILE,
      CURLE_HTTP_RETURNED_ERROR:
      self.init(code: .badResponse, message: "\(url) did not answer in HTTP: \(detail)")
    default:
      self.init(code: .transport, message: "\(url)\(via): \(detail)")
    }
  }

  /// `CURLE_TOO_LARGE`, added in libcurl 8.6.
  private static let curlTooLarge = CURLcode(rawValue: 100)

  private static func seconds(_ milliseconds: Int) -> String {
    milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}
