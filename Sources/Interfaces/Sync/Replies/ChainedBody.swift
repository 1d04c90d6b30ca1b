import NewsHTTP

/// Sends bodies one after another.
actor ChainedBody: HTTPBodyStream {
  private var parts: ArraySlice<any HTTPBodyStream>

  init(_ parts: [any HTTPBodyStream]) {
    self.parts = parts[...]
  }

  func next() async throws -> [UInt8]? {
    while let part = parts.first {
      if let bytes = try await part.next() {
        if bytes.isEmpty { continue }
        return bytes
      }
      parts.removeFirst()
    }
    return nil
  }
}

/// Sends bytes that are already in memory.
actor FixedBody: HTTPBodyStream {
  private var bytes: [UInt8]?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  func next() async throws -> [UInt8]? {
    defer { bytes = nil }
    return bytes
  }
}
