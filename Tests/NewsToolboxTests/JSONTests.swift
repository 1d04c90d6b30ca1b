import NewsToolbox
import Testing

@Suite struct `JSON` {
  @Test(arguments: [
    #"{"a":[1,-2.5e3,"x",true,null],"b":{}}"#, "[]", #""\ud83d\ude00\u00e9\n""#, " 0 ", "false",
  ])
  func `Valid JSON is read`(_ text: String) {
    #expect(JSONValue(valid: text) != nil)
  }

  @Test(arguments: [
    "", "{", "[1,]", "01", "1.", "+1", "nul", #"{"a" 1}"#, #""a"#, "\"\n\"", "1 2", #""\x""#,
    String(repeating: "[", count: 65) + String(repeating: "]", count: 65),
  ])
  func `Invalid and deeply nested JSON is refused`(_ text: String) {
    #expect(JSONValue(valid: text) == nil)
  }

  @Test func `A document with more values than allowed is refused`() {
    let bytes = Array(#"{"a":[1,2,{}]}"#.utf8)
    func read(_ most: Int) -> Bool {
      bytes.withUnsafeBufferPointer { JSONValue(valid: $0, mostValues: most) } != nil
    }
    #expect(read(5) && !read(4) && !read(0))
    let many = [UInt8](("[" + String(repeating: "1,", count: 500_000) + "1]").utf8)
    #expect(JSONValue(requestBody: many) == nil)
    #expect(JSONValue(requestBody: bytes) != nil)
  }

  @Test func `The lenient reader continues after an error and reports the position of the first one`() {
    let text = #"{"a":1,,"b":[2,],"c":"open"#
    let (value, problem) = Array(text.utf8).withUnsafeBufferPointer { bytes in
      var reader = JSONReader(bytes)
      return (reader.read(), reader.firstProblem)
    }
    #expect(value?["b"]?.array?.first?.integer == 2)
    #expect(value?["c"]?.string == "open")
    #expect(problem?.offset == 7)
  }

  @Test func `The last of repeated names counts, and null counts as missing`() {
    let value = JSONValue(valid: #"{"a":1,"a":2,"b":null}"#)
    #expect(value?["a"]?.integer == 2)
    #expect(value?["b"] == nil)
  }

  @Test func `Written JSON is read back unchanged`() {
    let text = #"{"a":[1,9223372036854775807,-0.5],"b":"\"\\\n\u2028ü😀","c":{"d":true}}"#
    #expect(JSONValue(valid: text)?.serialized == text)
  }

  @Test func `Surrogates without a partner become U+FFFD`() {
    #expect(JSONValue(valid: #""\ud800x\udc00""#)?.string == "\u{FFFD}x\u{FFFD}")
  }
}
