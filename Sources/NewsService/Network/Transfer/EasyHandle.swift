import CCurl

/// libcurl refused an option; a programming error or a libcurl without a feature.
struct CurlOptionError: Error {
  let code: CURLcode
}

/// One libcurl easy handle, used again and again. Belongs to one thread.
final class EasyHandle {
  let raw: UnsafeMutableRawPointer
  private var list: UnsafeMutablePointer<curl_slist>?
  /// libcurl writes here what it has to say about an error.
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
    errorText.deallocate()
  }

  /// Back to the state after `init`, connections and caches kept. Not while a multi handle holds it.
  func reset() throws(CurlOptionError) {
    curl_easy_reset(raw)
    curl_slist_free_all(list)
    list = nil
    errorText[0] = 0
    try set(CURLOPT_ERRORBUFFER, pointer: errorText)
  }

  /// What libcurl said about the last error; empty when it said nothing.
  var errorMessage: String { String(cString: errorText) }

  func set(_ option: CURLoption, _ value: Int) throws(CurlOptionError) {
    try check(newsd_curl_setopt_long(raw, option, value))
  }

  func set(_ option: CURLoption, _ value: String) throws(CurlOptionError) {
    try check(newsd_curl_setopt_string(raw, option, value))
  }

  /// Back to none, whatever libcurl was built with.
  func clear(_ option: CURLoption) throws(CurlOptionError) {
    try check(newsd_curl_setopt_string(raw, option, nil))
  }

  func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer) throws(CurlOptionError) {
    try check(newsd_curl_setopt_pointer(raw, option, value))
  }

  /// Sets the request's field lines; the raw bytes of each.
  func set(headers: [String]) throws(CurlOptionError) {
    for header in headers {
      let bytes = HeaderText.encode(header) + [0]
      let longer = bytes.withUnsafeBufferPointer { bytes in
        bytes.withMemoryRebound(to: CChar.self) { curl_slist_append(list, $0.baseAddress) }
      }
      guard let longer else { throw CurlOptionError(code: CURLE_OUT_OF_MEMORY) }
      list = longer
    }
    try check(newsd_curl_setopt_list(raw, CURLOPT_HTTPHEADER, list))
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
