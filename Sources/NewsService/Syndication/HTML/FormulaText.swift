/// Writes the structure of a formula in MathML as signs between the texts of its elements: `a/b`, `x^2`, `√(x+1)`.
struct FormulaText {
  private struct Open {
    var element: HTMLElement
    var children = 0
    var isBracketed: Bool
  }

  /// The open elements in which the number of children counts. Deeper ones are written without signs.
  private var open: [Open] = []
  private static let maximumDepth = 64
  private var tooDeep = 0

  /// Returns the sign before an element. `parent` is the element around it.
  mutating func start(_ element: HTMLElement, in parent: HTMLElement) -> StaticString? {
    guard open.count < Self.maximumDepth else {
      tooDeep += 1
      return nil
    }
    var sign: StaticString?
    var isBracketed = false
    if !open.isEmpty, parent == open[open.count - 1].element {
      open[open.count - 1].children += 1
      let place = open[open.count - 1].children
      sign = Self.sign(before: place, in: parent)
      isBracketed = element == .mrow && Self.hasParts(parent)
    }
    if element == .msqrt {
      sign = Self.joined(sign, "√(")
      isBracketed = true
    } else if isBracketed {
      sign = Self.joined(sign, "(")
    }
    open.append(Open(element: element, isBracketed: isBracketed))
    return sign
  }

  /// Returns the sign after an element.
  mutating func end(_ element: HTMLElement) -> StaticString? {
    if tooDeep > 0 {
      tooDeep -= 1
      return nil
    }
    guard let last = open.popLast() else { return nil }
    return last.isBracketed ? ")" : nil
  }

  private static func hasParts(_ element: HTMLElement) -> Bool {
    switch element {
    case .mfrac, .msup, .msub, .msubsup, .mover, .munder, .munderover, .mroot: true
    default: false
    }
  }

  /// Returns the sign before the child at a place, counted from 1.
  private static func sign(before place: Int, in parent: HTMLElement) -> StaticString? {
    switch (parent, place) {
    case (.mfrac, 2): "/"
    case (.msup, 2), (.mover, 2), (.msubsup, 3), (.munderover, 3): "^"
    case (.msub, 2), (.munder, 2), (.msubsup, 2), (.munderover, 2): "_"
    case (.mroot, 2): "^1/"
    case (.mtr, 2...): " "
    case (.mtable, 2...): "; "
    default: nil
    }
  }

  private static func joined(_ first: StaticString?, _ second: StaticString) -> StaticString {
    guard let first else { return second }
    // Only brackets follow a sign.
    let isRoot = second.utf8CodeUnitCount > 1
    switch first.utf8Start.pointee {
    case UInt8(ascii: "/"): return isRoot ? "/√(" : "/("
    case UInt8(ascii: "_"): return isRoot ? "_√(" : "_("
    case UInt8(ascii: "^"): return isRoot ? "^√(" : "^("
    default: return second
    }
  }
}
