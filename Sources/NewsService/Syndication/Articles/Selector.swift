import NewsToolbox

/// A list of CSS selectors, parsed.
struct SelectorList {
  var selectors: [Selector]
}

/// Compounds from left to right.
struct Selector {
  struct Step {
    /// How the element relates to that of the previous step; for the first step in `:has()`, to the element with `:has()`.
    var combinator: Combinator
    var compound: Compound
  }

  enum Combinator {
    case descendant, child, next, later
  }

  /// What must hold of one element.
  struct Compound {
    /// Lower case; nil: any.
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
    /// Lower case.
    var name: [UInt8]
    var match: Match
    var value: [UInt8]
    var ignoresCase: Bool
  }

  /// `an+b`, counted among siblings from the first or the last, perhaps of one type.
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
