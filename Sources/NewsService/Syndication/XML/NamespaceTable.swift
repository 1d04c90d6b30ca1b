import NewsToolbox

/// Vocabularies that newsd reads.
enum Vocabulary: UInt8 {
  /// RSS of every version, CDF, and elements without a namespace.
  case core = 1
  /// Atom 0.3 and 1.0: the same names as `core`, with typed text.
  case atom
  case rdf
  case dublinCore
  case dcTerms
  case content
  case itunes
  case podcast
  case googlePlay
  case media
  case slash
  case wfw
  case threading
  case syndication
  case georss
  case geo
  case gml
  case creativeCommons
  case source
  case feedBurner
  case admin
  case xhtml
  /// All other vocabularies.
  case foreign

  /// True for the vocabulary of the format itself, whose elements take precedence over those of modules.
  func isOwn(of format: String) -> Bool {
    self == .core || self == .atom && format.hasPrefix("atom")
  }
}

/// Maps namespace URIs, and undeclared prefixes, to vocabularies.
enum NamespaceTable {
  /// Returns the vocabulary of a namespace URI. Ignores its scheme, `www.`, case, and a final `/` or `#`, because
  /// feeds often misspell them.
  static func vocabulary(uri: UnsafeBufferPointer<UInt8>) -> Vocabulary? {
    var simple = ByteBuffer(capacity: 128)
    simplify(uri, into: &simple)
    for (prefix, vocabulary) in families where ByteText.hasPrefix(simple.bytes, prefix) { return vocabulary }
    return uris[simple.string()]
  }

  /// Returns the vocabulary for which an undeclared prefix is usually used.
  static func vocabulary(prefix: String) -> Vocabulary? {
    prefixes[prefix.lowercased()]
  }

  /// True for the URI or usual prefix of SVG and MathML, whose elements HTML defines.
  static func isEmbedded(_ space: UnsafeBufferPointer<UInt8>) -> Bool {
    var simple = ByteBuffer(capacity: 64)
    simplify(space, into: &simple)
    return ["w3.org/2000/svg", "w3.org/1998/math/mathml", "svg", "math", "mml", "m"].contains(simple.string())
  }

  private static func simplify(_ uri: UnsafeBufferPointer<UInt8>, into output: inout ByteBuffer) {
    var text = ByteText.trimmed(uri)
    func drop(_ word: StaticString) {
      if ByteText.hasPrefix(text, word) {
        text = UnsafeBufferPointer(rebasing: text[word.utf8CodeUnitCount...])
      }
    }
    drop("http://")
    drop("https://")
    drop("www.")
    while let last = text.last, last == UInt8(ascii: "/") || last == UInt8(ascii: "#") {
      text = UnsafeBufferPointer(rebasing: text.dropLast())
    }
    for byte in text { output.append(ASCII.lowercase(byte)) }
  }

  /// Prefixes of namespaces that have many spellings.
  private static let families: [(StaticString, Vocabulary)] = [
    ("backend.userland.com/creativecommons", .creativeCommons),
    ("backend.userland.com/rss", .core),
    ("itunes.com/dtds/podcast", .itunes),
    ("google.com/schemas/play-podcasts", .googlePlay),
    ("podcastindex.org/namespace", .podcast),
    ("github.com/podcastindex-org/podcast-namespace", .podcast),
    ("search.yahoo.com/mrss", .media),
    ("georss.org/georss", .georss),
    ("opengis.net/gml", .gml),
    ("w3.org/2003/01/geo", .geo),
    ("wellformedweb.org/", .wfw),
    ("w3.org/2005/atom", .atom),
    ("purl.org/atom/ns", .atom),
    ("creativecommons.org/ns", .creativeCommons),
  ]

  private static let uris: [String: Vocabulary] = [
    "": .core,
    "purl.org/rss/1.0": .core,
    "purl.org/net/rss1.1": .core,
    "purl.org/rss/2.0": .core,
    "my.netscape.com/rdf/simple/0.9": .core,
    "channel.netscape.com/rdf/simple/0.9": .core,
    "my.netscape.com/publish/formats/rss-0.91.dtd": .core,
    "my.userland.com/rss": .core,
    "blogs.law.harvard.edu/tech/rss": .core,
    "cyber.law.harvard.edu/rss": .core,
    "cyber.law.harvard.edu/rss/rss.html": .core,
    "rssboard.org/rss-specification": .core,
    "purl.org/rss/1.0/modules/rss091": .core,
    "purl.org/echo": .atom,
    "purl.org/pie": .atom,
    "example.com/necho": .atom,
    "uri/of/echo/namespace": .atom,
    "w3.org/1999/02/22-rdf-syntax-ns": .rdf,
    "purl.org/dc/elements/1.1": .dublinCore,
    "purl.org/dc/elements/1.0": .dublinCore,
    "purl.org/dc/1.1": .dublinCore,
    "purl.org/dc/terms": .dcTerms,
    "purl.org/rss/1.0/modules/content": .content,
    "example.com/dtds/podcast-1.0.dtd": .itunes,
    "rssnamespace.org/feedburner/ext/1.0": .feedBurner,
    "purl.org/rss/1.0/modules/slash": .slash,
    "purl.org/syndication/thread/1.0": .threading,
    "purl.org/rss/1.0/modules/threading": .threading,
    "purl.org/rss/1.0/modules/syndication": .syndication,
    "web.resource.org/cc": .creativeCommons,
    "cyber.law.harvard.edu/rss/creativecommonsrssmodule.html": .creativeCommons,
    "source.scripting.com": .source,
    "source.smallpict.com/2014/07/12/thesourcenamespace.html": .source,
    "webns.net/mvcb": .admin,
    "w3.org/1999/xhtml": .xhtml,
    "tools.search.yahoo.com/mrss": .media,
    "video.search.yahoo.com/mrss": .media,
  ]

  private static let prefixes: [String: Vocabulary] = [
    "rss": .core,
    "atom": .atom,
    "atom10": .atom,
    "a10": .atom,
    "rdf": .rdf,
    "dc": .dublinCore,
    "dcterms": .dcTerms,
    "content": .content,
    "itunes": .itunes,
    "podcast": .podcast,
    "googleplay": .googlePlay,
    "media": .media,
    "slash": .slash,
    "wfw": .wfw,
    "thr": .threading,
    "sy": .syndication,
    "georss": .georss,
    "geo": .geo,
    "gml": .gml,
    "cc": .creativeCommons,
    "creativecommons": .creativeCommons,
    "source": .source,
    "feedburner": .feedBurner,
    "admin": .admin,
    "xhtml": .xhtml,
  ]
}
