import NewsToolbox

/// Renders ruby annotations (HTML standard, section 4.5.10) in plain text: the base characters stay adjacent, so that a
/// search finds the word, and the readings follow in parentheses: `漢字(かんじ)`.
struct RubyText: ~Copyable {
  private enum Place {
    case base, reading
    /// The `rp` parentheses for browsers without ruby support.
    case parenthesis
  }

  private var place = Place.base
  private var readings = ByteBuffer()

  /// True when text belongs to an annotation: pass it to `appendAnnotation` instead of the line.
  var isInAnnotation: Bool { place != .base }

  mutating func removeAll() {
    place = .base
    readings.removeAll()
  }

  /// Begins a `ruby` or one of its parts.
  mutating func start(_ element: HTMLElement) {
    switch element {
    case .rt, .rtc: place = .reading
    case .rp: place = .parenthesis
    default: place = .base
    }
  }

  /// Ends a `ruby` or one of its parts. Returns true when the readings must be written now.
  mutating func end(_ element: HTMLElement) -> Bool {
    place = .base
    return element == .ruby && !readings.isEmpty
  }

  /// Ends a block and a `ruby` left open in it. Returns true when the readings must be written now.
  mutating func endBlock() -> Bool {
    guard place != .base || !readings.isEmpty else { return false }
    return end(.ruby)
  }

  mutating func appendAnnotation(_ text: UnsafeBufferPointer<UInt8>) {
    if place == .reading { readings.append(ByteText.trimmed(text)) }
  }

  /// Returns the readings in parentheses and forgets them.
  mutating func finish() -> String {
    let text = "(" + readings.string() + ")"
    readings.removeAll()
    return text
  }
}
