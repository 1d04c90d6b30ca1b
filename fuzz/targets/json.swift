@testable import NewsCore
@testable import NewsToolbox

/// JSON that was read can be written and reads back unchanged; recordings, lines of sfeed and dates of HTTP
/// are read or refused.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let input = UnsafeBufferPointer(start: data, count: size)
  var reader = JSONReader(input)
  if let value = reader.read() {
    var writer = JSONWriter()
    writer.value(value)
    let text = writer.takeBytes()
    let again = text.withUnsafeBufferPointer { bytes -> JSONValue? in
      var reader = JSONReader(bytes)
      return reader.read()
    }
    guard let again else {
      require(false, "what was written is not JSON: \(String(decoding: text, as: UTF8.self))")
      return 0
    }
    var second = JSONWriter()
    second.value(again)
    require(second.bytes == text, "\(String(decoding: text, as: UTF8.self)) becomes other JSON")
  }
  let bytes = Array(input)
  _ = SfeedTable.items(bytes)
  _ = try? ImportKind.problem(bytes, path: "file")
  if let exchange = RecordedExchange(bytes) {
    let encoded = exchange.encoded
    require(RecordedExchange(encoded)?.encoded == encoded, "a recording that is not read back as it was")
  }
  return 0
}
