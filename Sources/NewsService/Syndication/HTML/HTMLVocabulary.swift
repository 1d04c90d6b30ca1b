import NewsToolbox

/// Names and traits of elements and attributes. Immutable after initialization, hence safe to share.
struct HTMLVocabulary: @unchecked Sendable {
  static let shared = HTMLVocabulary()

  let elements: NameTable
  let attributes: NameTable
  private let elementTraits: UnsafePointer<HTMLTraits>
  private let elementNames: UnsafePointer<(name: PackedName, length: Int)>
  private let attributeNames: UnsafePointer<(name: PackedName, length: Int)>

  @inline(__always)
  func traits(_ element: HTMLElement) -> HTMLTraits { elementTraits[Int(element.rawValue)] }

  @inline(__always)
  func name(_ element: HTMLElement) -> (name: PackedName, length: Int) { elementNames[Int(element.rawValue)] }

  @inline(__always)
  func name(_ attribute: HTMLAttribute) -> (name: PackedName, length: Int) {
    attributeNames[Int(attribute.rawValue)]
  }

  private init() {
    let known = HTMLElement.allCases.filter { $0 != .unknown }
    let elements = NameTable(known.map { ($0.name, $0.rawValue) })
    self.elements = elements
    attributes = NameTable(HTMLAttribute.allCases.map { ($0.name, $0.rawValue + 1) })
    let names = UnsafeMutablePointer<(name: PackedName, length: Int)>.allocate(capacity: HTMLElement.count)
    let traits = UnsafeMutablePointer<HTMLTraits>.allocate(capacity: HTMLElement.count)
    for element in HTMLElement.allCases {
      (names + Int(element.rawValue)).initialize(to: (PackedName(element.name), element.name.utf8.count))
      (traits + Int(element.rawValue)).initialize(to: [])
    }
    for (trait, list) in Self.traitLists {
      list.withUTF8Buffer { list in
        guard let start = list.baseAddress else { return }
        for word in list.split(separator: UInt8(ascii: " ")) {
          let value = elements.value(start + word.startIndex, word.count)
          assert(value != 0, "no such element: \(String(decoding: word, as: UTF8.self))")
          traits[Int(value)].insert(trait)
        }
      }
    }
    elementNames = UnsafePointer(names)
    elementTraits = UnsafePointer(traits)
    let attributeNames = UnsafeMutablePointer<(name: PackedName, length: Int)>.allocate(
      capacity: HTMLAttribute.count
    )
    for attribute in HTMLAttribute.allCases {
      (attributeNames + Int(attribute.rawValue)).initialize(
        to: (PackedName(attribute.name), attribute.name.utf8.count)
      )
    }
    self.attributeNames = UnsafePointer(attributeNames)
  }

  /// `maction` is missing because it hides parts, `annotation-xml` because it may contain HTML, and `mglyph` and
  /// `malignmark` because browsers read them in two ways.
  private static let mathElements: StaticString = """
    math menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt \
    mstyle msub msubsup msup mtable mtd mtext mtr munder munderover semantics
    """

  private static let traitLists: [(HTMLTraits, StaticString)] = [
    (
      .allowed,
      """
      a abbr acronym address area article aside audio b bdi bdo big blockquote br caption center cite code col colgroup \
      data dd del details dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i \
      img ins kbd li main map mark menu nav ol p picture pre q rb rp rt rtc ruby s samp section small source span strike \
      strong sub summary sup table tbody td tfoot th thead time tr tt u ul var video wbr
      """
    ),
    (.allowed, mathElements),
    (.math, mathElements),
    (.mathToken, "mi mn mo ms mtext"),
    (
      .void,
      """
      area base basefont bgsound br col command embed frame hr image img input isindex keygen link menuitem meta \
      param source spacer track wbr
      """
    ),
    (
      .block,
      """
      address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset \
      figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol \
      optgroup option p plaintext pre section select summary table tbody tfoot thead title tr ul video xmp
      """
    ),
    (
      .spaced,
      """
      blockquote details dir dl figure h1 h2 h3 h4 h5 h6 hr listing menu ol p plaintext pre table ul xmp
      """
    ),
    (
      .closesParagraph,
      """
      address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption figure footer \
      form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre section summary table ul \
      xmp
      """
    ),
    (.barrier, "table td th caption"),
    (
      .special,
      """
      article aside blockquote caption center details dir dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 \
      h6 header hgroup listing main menu nav ol pre section summary table tbody td tfoot th thead tr ul xmp
      """
    ),
    (.hiddenRawText, "iframe noembed noframes script style textarea title"),
    (.shownRawText, "plaintext xmp"),
    (.skipped, "annotation annotation-xml applet datalist select svg template xml"),
    (.tableStructure, "table tbody tfoot thead tr colgroup"),
    (.tablePart, "caption col colgroup tbody td tfoot th thead tr"),
    (.preformatted, "listing plaintext pre xmp"),
    (.heading, "h1 h2 h3 h4 h5 h6"),
    (
      .leavesForeign,
      """
      b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu \
      meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var
      """
    ),
  ]
}
