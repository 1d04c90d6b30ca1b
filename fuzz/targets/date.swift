import NewsCore
@testable import NewsSyndication

/// No input crashes the parser; a parsed date can be printed, and reads back as the same second.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDate(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  guard let time = DateParser.parse(UnsafeBufferPointer(start: data, count: size)) else { return 0 }
  let text = time.rfc3339
  require(text.utf8.count == 20, "\(text) is not RFC 3339")
  let years: ClosedRange<Int64> = -62_167_219_200...253_402_300_799
  if years.contains(time.seconds) {
    require(DateParser.parse(text) == time, "\(text) is read as another time than \(time.seconds)")
  }
  return 0
}
