/// A list of CSS selectors, parsed.
struct SelectorList {
  var selectors: [Selector]
}

/// One selector: its compounds from left to right.
struct Selector {
  struct Step {
    /// The relation to the element that matches the previous step. In the first step of a `:has()`, the relation to
    /// the element with `:has()`.
    var combinator: Combinator
    var compound: Compound
  }

  enum Combinator {
    case descendant, child, next, later
  }

  /// The conditions on one element.
  struct Compound {
    /// The element's name in lower case; nil for any element.
    var type: [UInt8]?
    var ids: [[UInt8]] = []
    var classes: [[UInt8]] = []
    var attributes: [Attribute] = []
    var excluded: [Compound] = []
    var places: [Place] = []
    /// Each entry is one `:has()` with its alternatives.
    var inner: [[Selector]] = []
  }

  struct Attribute {
    enum Match { case exists, equals, word, dashed, prefix, suffix, part }
    /// The attribute's name in lower case.
    var name: [UInt8]
    var match: Match
    var value: [UInt8]
    var ignoresCase: Bool
  }

  /// A position among siblings (`an+b`), counted from the first or last sibling, optionally among siblings of the
  /// same type.
  struct Place {
    var a: Int
    var b: Int
    var isFromEnd: Bool
    var isOfType: Bool

    func holds(_ position: Int) -> Bool {
      let difference = position - b
      return a == 0 ? difference == 0 : difference % a == 0 && difference / a >= 0
    }
  }

  var steps: [Step]
}
