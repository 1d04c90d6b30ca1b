import CCurl
import NewsToolbox

/// The error for an option that libcurl rejected, or that newsd did not pass to libcurl.
struct CurlOptionError: Error {
  let code: CURLcode
}

extension StringProtocol {
  /// True if the text contains a control character. libcurl copies most options into the request, where a control
  /// character would end a line or hide part of the line (RFC 9110 section 5.5).
  var holdsControlBytes: Bool { utf8.contains { $0 < UInt8(ascii: " ") || $0 == 0x7F } }
}

/// A reusable libcurl easy handle. Must be used on one thread only.
final class EasyHandle {
  let raw: UnsafeMutableRawPointer
  private var list: UnsafeMutablePointer<curl_slist>?
  private var resolved: UnsafeMutablePointer<curl_slist>?
  /// libcurl's error buffer (CURLOPT_ERRORBUFFER).
  private let errorText: UnsafeMutablePointer<CChar>

  init?() {
    guard let raw = curl_easy_init() else { return nil }
    self.raw = raw
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    curl_easy_cleanup(raw)
    curl_slist_free_all(list)
    curl_slist_free_all(resolved)
    errorText.deallocate()
  }

  /// Resets all options; keeps connections and caches. Must not be called while a multi handle contains it.
  func reset() throws(CurlOptionError) {
    curl_easy_reset(raw)
    curl_slist_free_all(list)
    curl_slist_free_all(resolved)
    list = nil
    resolved = nil
    errorText[0] = 0
    try set(CURLOPT_ERRORBUFFER, pointer: errorText)
  }

  /// libcurl's message for the last error; may be empty.
  var errorMessage: String { String(cString: errorText) }

  func set(_ option: CURLoption, _ value: Int) throws(CurlOptionError) {
    try check(newsd_curl_setopt_long(raw, option, value))
  }

  /// Sets a text option. All text options are set through this function. Text with control characters is
  /// refused.
  func set(_ option: CURLoption, _ value: String) throws(CurlOptionError) {
    guard !value.holdsControlBytes else { throw CurlOptionError(code: CURLE_BAD_FUNCTION_ARGUMENT) }
    try check(newsd_curl_setopt_string(raw, option, value))
  }

  /// Clears an option, including libcurl's built-in default.
  func clear(_ option: CURLoption) throws(CurlOptionError) {
    try check(newsd_curl_setopt_string(raw, option, nil))
  }

  func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer) throws(CurlOptionError) {
    try check(newsd_curl_setopt_pointer(raw, option, value))
  }

  /// Sets the request's field lines. Tab is the only control character allowed in them.
  func set(headers: [String]) throws(CurlOptionError) {
    for header in headers {
      guard !header.replacing(ascii: "\t", with: " ").holdsControlBytes else {
        throw CurlOptionError(code: CURLE_BAD_FUNCTION_ARGUMENT)
      }
      let bytes = HeaderText.encode(header) + [0]
      let longer = bytes.withUnsafeBufferPointer { bytes in
        bytes.withMemoryRebound(to: CChar.self) { curl_slist_append(list, $0.baseAddress) }
      }
      guard let longer else { throw CurlOptionError(code: CURLE_OUT_OF_MEMORY) }
      list = longer
    }
    try check(newsd_curl_setopt_list(raw, CURLOPT_HTTPHEADER, list))
  }

  /// Sets overrides of name resolution, each as `HOST:PORT:ADDRESS`.
  func set(resolved lines: [String]) throws(CurlOptionError) {
    for line in lines {
      guard let longer = curl_slist_append(resolved, line) else {
        throw CurlOptionError(code: CURLE_OUT_OF_MEMORY)
      }
      resolved = longer
    }
    try check(newsd_curl_setopt_list(raw, CURLOPT_RESOLVE, resolved))
  }

  /// Makes the request a POST with these bytes; libcurl copies them.
  func set(form: [UInt8]) throws(CurlOptionError) {
    try set(CURLOPT_POSTFIELDSIZE, form.count)
    let code = form.withUnsafeBytes { bytes in
      newsd_curl_setopt_string(
        raw,
        CURLOPT_COPYPOSTFIELDS,
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      )
    }
    try check(code)
  }

  func check(_ code: CURLcode) throws(CurlOptionError) {
    guard code == CURLE_OK else { throw CurlOptionError(code: code) }
  }
}
