import NewsToolbox

/// Readings beside characters (HTML standard, section 4.5.10), for text without markup: the characters stay together, so
/// that they are found as a word, and the readings follow in parentheses: `漢字(かんじ)`.
struct RubyText: ~Copyable {
  private enum Place {
    case base, reading
    /// The parentheses for readers without ruby.
    case parenthesis
  }

  private var place = Place.base
  private var readings = ByteBuffer()

  /// Text goes where `take` is asked to put it, not into the line.
  var isElsewhere: Bool { place != .base }

  mutating func removeAll() {
    place = .base
    readings.removeAll()
  }

  /// A `ruby` or one of its parts begins.
  mutating func start(_ element: HTMLElement) {
    switch element {
    case .rt, .rtc: place = .reading
    case .rp: place = .parenthesis
    default: place = .base
    }
  }

  /// The same ends. True: what is read so far is to be written now.
  mutating func end(_ element: HTMLElement) -> Bool {
    place = .base
    return element == .ruby && !readings.isEmpty
  }

  /// A block ends, and with it a `ruby` that was left open.
  mutating func endBlock() -> Bool {
    guard place != .base || !readings.isEmpty else { return false }
    return end(.ruby)
  }

  mutating func take(_ text: UnsafeBufferPointer<UInt8>) {
    if place == .reading { readings.append(ByteText.trimmed(text)) }
  }

  /// The readings in parentheses.
  mutating func finish() -> String {
    let text = "(" + readings.string() + ")"
    readings.removeAll()
    return text
  }
}
