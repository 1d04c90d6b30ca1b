/// Compresses a stream with gzip.
actor PackedStream: HTTPBodyStream {
  private let stream: any HTTPBodyStream
  private let packer: Deflater
  private var hasEnded = false

  nonisolated var isEndless: Bool { stream.isEndless }
  nonisolated var endsWithClient: Bool { stream.endsWithClient }

  /// Returns nil if zlib is missing.
  init?(_ stream: any HTTPBodyStream) {
    guard let packer = Deflater() else { return nil }
    self.stream = stream
    self.packer = packer
  }

  func next() async throws -> [UInt8]? {
    while !hasEnded {
      let piece = try await stream.next()
      hasEnded = piece == nil
      // The compressed piece may be empty, because zlib may buffer its input.
      let bytes = packer.compress(piece ?? [], isLast: hasEnded)
      if !bytes.isEmpty { return bytes }
    }
    return nil
  }
}
