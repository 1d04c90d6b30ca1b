import NewsSearch
import CSQLite
import NewsCore

/// Registers `WordTokenizer` with FTS5 under the name `newsd`. It accepts text or an encoded `TokenStream`.
enum FullTextTokenizer {
  /// The type name for `sqlite3_bind_pointer`. SQLite keeps the pointer, so it must outlive the statement.
  private static let pointerType: StaticString = "fts5_api_ptr"

  static func register(on connection: Connection) throws(StoreError) {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    var code = sqlite3_prepare_v2(connection.raw, "SELECT fts5(?1)", -1, &statement, nil)
    guard code == SQLITE_OK else { throw connection.error(code) }
    var api: UnsafeMutablePointer<fts5_api>?
    code = withUnsafeMutablePointer(to: &api) { place in
      pointerType.withUTF8Buffer { name in
        name.withMemoryRebound(to: CChar.self) { name in
          let bound = sqlite3_bind_pointer(statement, 1, place, name.baseAddress, nil)
          return bound == SQLITE_OK ? sqlite3_step(statement) : bound
        }
      }
    }
    guard code == SQLITE_ROW, let api, let create = api.pointee.xCreateTokenizer else {
      throw StoreError(
        code: .other,
        message: "SQLite \(String(cString: sqlite3_libversion())) was built without FTS5"
      )
    }
    var tokenizer = fts5_tokenizer(
      // The tokenizer is stateless; FTS5 only needs a non-null pointer.
      xCreate: { _, _, _, handle in
        handle?.pointee = OpaquePointer(bitPattern: 1)
        return SQLITE_OK
      },
      xDelete: { _ in },
      xTokenize: { _, context, flags, text, count, token in
        FullTextTokenizer.tokenize(context, flags, text, count, token)
      }
    )
    code = create(api, "newsd", nil, &tokenizer, nil)
    guard code == SQLITE_OK else { throw connection.error(code) }
  }

  private typealias TokenHandler =
    @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32) -> Int32

  private static func tokenize(
    _ context: UnsafeMutableRawPointer?,
    _ flags: Int32,
    _ text: UnsafePointer<CChar>?,
    _ count: Int32,
    _ token: TokenHandler?
  ) -> Int32 {
    guard let text, let token, count > 0 else { return SQLITE_OK }
    let mode: WordTokenizer.Mode = flags & FTS5_TOKENIZE_QUERY != 0 ? .query : .document
    var result = SQLITE_OK
    text.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { bytes in
      guard bytes[0] != TokenStream.mark else {
        let stream = UnsafeBufferPointer(start: bytes, count: Int(count))
        TokenStream.replay(stream) { word, isColocated in
          guard let start = word.baseAddress else { return true }
          result = start.withMemoryRebound(to: CChar.self, capacity: word.count) { start in
            // Pass zero as offsets: only FTS5's excerpts need them, and newsd does not use those excerpts.
            token(context, isColocated ? FTS5_TOKEN_COLOCATED : 0, start, Int32(word.count), 0, 0)
          }
          return result == SQLITE_OK
        }
        return
      }
      _ = WordTokenizer.tokenize(UnsafeBufferPointer(start: bytes, count: Int(count)), mode: mode) { slice in
        guard let start = slice.bytes.baseAddress else { return true }
        result = start.withMemoryRebound(to: CChar.self, capacity: slice.bytes.count) { start in
          token(
            context,
            slice.isColocated ? FTS5_TOKEN_COLOCATED : 0,
            start,
            Int32(slice.bytes.count),
            Int32(slice.start),
            Int32(slice.end)
          )
        }
        return result == SQLITE_OK
      }
    }
    return result
  }
}
