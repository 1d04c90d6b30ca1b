import NewsSearch
import CSQLite
import NewsCore

/// The SQL function `newsd_regex(PATTERN, TEXT)`; takes time linear in the text.
///
/// Each connection has its own instance, which SQLite releases when the connection closes, so matchers are never
/// shared.
final class RegexFunction {
  private var matchers: [String: RegexMatcher] = [:]

  static func register(on connection: Connection) throws(StoreError) {
    let code = sqlite3_create_function_v2(
      connection.raw,
      "newsd_regex",
      2,
      SQLITE_UTF8 | SQLITE_DETERMINISTIC,
      // This retains the instance; SQLite calls the last closure to release it when the connection closes.
      Unmanaged.passRetained(RegexFunction()).toOpaque(),
      { context, _, values in
        guard let values, let data = sqlite3_user_data(context) else { return }
        // A statement may read texts for minutes. The caller of a cancelled one has gone.
        guard !Task.isCancelled else { return sqlite3_result_error_code(context, SQLITE_INTERRUPT) }
        let function = Unmanaged<RegexFunction>.fromOpaque(data).takeUnretainedValue()
        sqlite3_result_int(context, function.matches(values[0], values[1]) ? 1 : 0)
      },
      nil,
      nil,
      { data in
        if let data { Unmanaged<RegexFunction>.fromOpaque(data).release() }
      }
    )
    guard code == SQLITE_OK else { throw connection.error(code) }
  }

  private func matches(_ pattern: OpaquePointer?, _ text: OpaquePointer?) -> Bool {
    guard let source = sqlite3_value_text(pattern), let matcher = matcher(String(cString: source)) else {
      return false
    }
    let start = sqlite3_value_text(text)
    return matcher.matches(UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(text))))
  }

  private func matcher(_ source: String) -> RegexMatcher? {
    if let known = matchers[source] { return known }
    guard let regex = try? BoundedRegex(source) else { return nil }
    if matchers.count >= 16 { matchers.removeAll() }
    let matcher = RegexMatcher(regex)
    matchers[source] = matcher
    return matcher
  }
}
