/// A key, identified by its name in the configuration: `j`, `Enter`, `Ctrl-F`, `PageDown`.
public struct Key: Hashable, Sendable, CustomStringConvertible {
  public let name: String

  public var description: String { name }

  /// The keys that do not type a character.
  public enum Named: String, Hashable, Sendable, CaseIterable {
    case enter = "Enter", tab = "Tab", backTab = "Shift-Tab", backspace = "Backspace", escape = "Escape"
    case space = "Space", up = "Up", down = "Down", left = "Left", right = "Right", home = "Home", end = "End"
    case pageUp = "PageUp", pageDown = "PageDown", delete = "Delete", insert = "Insert"
  }

  public init(_ named: Named) { name = named.rawValue }

  /// Function keys are counted from 1.
  public init(function number: Int) { name = "F\(number)" }

  /// The key that types `scalar`; control characters are keys with Ctrl.
  public init(typing scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x0A, 0x0D: self.init(.enter)
    case 0x09: self.init(.tab)
    case 0x08, 0x7F: self.init(.backspace)
    case 0x1B: self.init(.escape)
    case 0x20: self.init(.space)
    case 0x00...0x1F: self.init(name: "Ctrl-" + String(Unicode.Scalar(UInt8(scalar.value) + 0x40)))
    default: self.init(name: String(scalar))
    }
  }

  private init(name: String) { self.name = name }

  /// The character that the key types; nil: none.
  public var text: String? {
    if name == Named.space.rawValue { return " " }
    let scalars = name.unicodeScalars
    guard scalars.count == 1, let only = scalars.first, only.value > 0x20, !(0x7F...0x9F).contains(only.value)
    else {
      return nil
    }
    return name
  }

  /// The digit that the key types; nil: none.
  var digit: Int? {
    guard let byte = name.utf8.first, name.utf8.count == 1 else { return nil }
    return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte - UInt8(ascii: "0")) : nil
  }

  func `is`(_ named: Named) -> Bool { name == named.rawValue }

  /// Reads keys as the configuration writes them: `j`, `gg`, `g s`, `Ctrl-F`, `Enter`. Returns nil if a word
  /// does not name a key.
  public static func sequence(_ text: String) -> [Key]? {
    var keys: [Key] = []
    for word in text.utf8.split(separator: UInt8(ascii: " ")) {
      let word = String(decoding: word, as: UTF8.self)
      if let key = named(word) {
        keys.append(key)
      } else {
        // Letters without spaces between them are typed one after the other.
        let scalars = word.unicodeScalars
        guard scalars.count <= 3, scalars.allSatisfy({ $0.value > 0x20 }) else { return nil }
        keys += scalars.map { Key(typing: $0) }
      }
    }
    return keys.isEmpty ? nil : keys
  }

  private static func named(_ word: String) -> Key? {
    let lower = word.lowercased()
    if let named = Named.allCases.first(where: { $0.rawValue.lowercased() == lower }) { return Key(named) }
    let bytes = Array(word.utf8)
    if Array(lower.utf8).starts(with: "ctrl-".utf8), bytes.count == 6 {
      let letter = bytes[5] & 0xDF
      guard (0x40...0x5F).contains(letter) else { return nil }
      return Key(typing: Unicode.Scalar(letter & 0x1F))
    }
    if bytes.first == UInt8(ascii: "F"), let number = Int(word.dropFirst()), (1...24).contains(number) {
      return Key(function: number)
    }
    return nil
  }

  /// Keys as help shows them: `gg`, `Ctrl-F`.
  public static func text(_ keys: [Key]) -> String {
    let isPlain = keys.allSatisfy { $0.name.unicodeScalars.count == 1 }
    return keys.map(\.name).joined(separator: isPlain ? "" : " ")
  }
}
