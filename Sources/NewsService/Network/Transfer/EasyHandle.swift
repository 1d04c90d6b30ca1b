import CCurl

/// An option that libcurl refused, or that newsd did not hand to it.
struct CurlOptionError: Error {
  let code: CURLcode
}

extension StringProtocol {
  /// True when the text holds a byte that would end a line of a request or hide a part of it: libcurl writes most options
  /// into the request as they are (RFC 9110 section 5.5).
  var holdsControlBytes: Bool { utf8.contains { $0 < UInt8(ascii: " ") || $0 == 0x7F } }
}

/// A reusable libcurl easy handle, confined to one thread.
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

  /// Unsets all options; connections and caches stay. Not while a multi handle holds it.
  func reset() throws(CurlOptionError) {
    curl_easy_reset(raw)
    curl_slist_free_all(list)
    curl_slist_free_all(resolved)
    list = nil
    resolved = nil
    errorText[0] = 0
    try set(CURLOPT_ERRORBUFFER, pointer: errorText)
  }

  /// libcurl's message about the last error; may be empty.
  var errorMessage: String { String(cString: errorText) }

  func set(_ option: CURLoption, _ value: Int) throws(CurlOptionError) {
    try check(newsd_curl_setopt_long(raw, option, value))
  }

  /// Sets a text option. All text goes through here.
  ///
  /// - Throws: Also when the text holds control characters, whatever option it is for.
  func set(_ option: CURLoption, _ value: String) throws(CurlOptionError) {
    guard !value.holdsControlBytes else { throw CurlOptionError(code: CURLE_BAD_FUNCTION_ARGUMENT) }
    try check(newsd_curl_setopt_string(raw, option, value))
  }

  /// Unsets an option, libcurl's built-in default included.
  func clear(_ option: CURLoption) throws(CurlOptionError) {
    try check(newsd_curl_setopt_string(raw, option, nil))
  }

  func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer) throws(CurlOptionError) {
    try check(newsd_curl_setopt_pointer(raw, option, value))
  }

  /// Sets the request's field lines. The only control character they may hold is a tab.
  func set(headers: [String]) throws(CurlOptionError) {
    for header in headers {
      guard !header.replacing("\t", with: " ").holdsControlBytes else {
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

  /// Sets answers that replace the resolver's, as `HOST:PORT:ADDRESS`.
  func set(resolved lines: [String]) throws(CurlOptionError) {
    for line in lines {
      guard let longer = curl_slist_append(resolved, line) else {
        throw CurlOptionError(code: CURLE_OUT_OF_MEMORY)
      }
      resolved = longer
    }
    try check(newsd_curl_setopt_list(raw, CURLOPT_RESOLVE, resolved))
  }

  /// Makes the request a POST of these bytes; libcurl keeps a copy.
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
