import NewsToolbox

/// The tokens of one text, prepared for matching many patterns.
public struct TokenizedText: Sendable {
  private struct Entry {
    /// The lower half: with eight bytes of it, the entries of a long text would take half as much again.
    var hash: UInt32
    /// End of the entry's bytes in `pool`; they start at the end of the previous entry's bytes.
    var poolEnd: Int32
    var start: Int32
    var end: Int32
  }

  private var entries: [Entry] = []
  private var pool: [UInt8] = []
  /// For each position the index of its first entry.
  private var positions: [Int32] = []

  private static let longText = 1 << 20

  /// Reads the first 64 MiB of `text`; no stored text is longer.
  public init(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      let bytes = UnsafeBufferPointer(rebasing: bytes.prefix(64 << 20))
      pool.reserveCapacity(bytes.count + bytes.count / 8)
      // An array that grows is in memory twice, so the words of a long text are counted before.
      var count = bytes.count / 5
      if bytes.count > Self.longText {
        count = 0
        WordTokenizer.tokenize(bytes, mode: .document) { _ in
          count += 1
          return true
        }
      }
      entries.reserveCapacity(count)
      positions.reserveCapacity(count)
      WordTokenizer.tokenize(bytes, mode: .document) { token in
        if !token.isColocated || positions.isEmpty { positions.append(Int32(entries.count)) }
        pool.append(contentsOf: token.bytes)
        entries.append(
          Entry(
            hash: UInt32(truncatingIfNeeded: FNV1a<UInt64>(token.bytes).value),
            poolEnd: Int32(pool.count),
            start: Int32(token.start),
            end: Int32(token.end)
          )
        )
        return true
      }
    }
  }

  /// True when the text contains the pattern.
  public func contains(_ pattern: CompiledPattern) -> Bool {
    guard !pattern.steps.isEmpty, pattern.steps.count <= positions.count else { return false }
    for position in 0...(positions.count - pattern.steps.count) where matches(pattern, at: position) != nil {
      return true
    }
    return false
  }

  /// Returns the byte ranges of the text that match the pattern, in ascending order.
  public func ranges(of pattern: CompiledPattern) -> [Range<Int>] {
    guard !pattern.steps.isEmpty, pattern.steps.count <= positions.count else { return [] }
    var ranges: [Range<Int>] = []
    for position in 0...(positions.count - pattern.steps.count) {
      if let range = matches(pattern, at: position) { ranges.append(range) }
    }
    return ranges
  }

  private func matches(_ pattern: CompiledPattern, at position: Int) -> Range<Int>? {
    var first: Entry?
    var end = 0
    let lastStep = pattern.steps.count - 1
    for (offset, step) in pattern.steps.enumerated() {
      let isOpen = offset == lastStep && pattern.endsOpen
      guard let entry = entry(at: position + offset, in: step, isOpen: isOpen) else { return nil }
      first = first ?? entry
      end = Int(entry.end)
      if isOpen, pattern.endsWithLoneCharacter, let form = step.forms.first {
        // The entry is a pair of characters: mark only the first, which was searched.
        end = min(end, Int(entry.start) + form.bytes.count)
      }
    }
    guard let first, end > first.start else { return nil }
    return Int(first.start)..<end
  }

  private func entry(at position: Int, in step: CompiledPattern.Step, isOpen: Bool) -> Entry? {
    let from = Int(positions[position])
    let to = position + 1 < positions.count ? Int(positions[position + 1]) : entries.count
    for index in from..<to {
      let entry = entries[index]
      for form in step.forms where isOpen || entry.hash == form.hash {
        let start = index == 0 ? 0 : Int(entries[index - 1].poolEnd)
        let bytes = pool[start..<Int(entry.poolEnd)]
        if isOpen ? bytes.starts(with: form.bytes) : bytes.elementsEqual(form.bytes) { return entry }
      }
    }
    return nil
  }
}

/// A `TermPattern` with its tokens hashed.
public struct CompiledPattern: Sendable {
  struct Form {
    var bytes: [UInt8]
    var hash: UInt32
  }
  struct Step {
    var forms: [Form]
  }

  let steps: [Step]
  let endsOpen: Bool
  let endsWithLoneCharacter: Bool

  public init(_ pattern: TermPattern) {
    steps = pattern.steps.map { step in
      Step(
        forms: step.map { form in
          let bytes = Array(form.utf8)
          return Form(bytes: bytes, hash: UInt32(truncatingIfNeeded: FNV1a<UInt64>(bytes).value))
        }
      )
    }
    endsOpen = pattern.endsOpen
    endsWithLoneCharacter = pattern.endsWithLoneCharacter
  }
}
