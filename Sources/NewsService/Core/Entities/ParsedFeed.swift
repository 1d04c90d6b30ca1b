import NewsToolbox

/// The content of one feed document before it is stored: decoded, URLs resolved and, on request, HTML sanitized.
public struct ParsedFeed: Hashable, Sendable {
  /// `rss20`, `atom10`, `json11`, …; see docs/formats.md.
  public var format: String
  public var isWellFormed = true
  /// Errors that the parser repaired, in document order; the number is limited.
  public var problems: [SyntaxProblem] = []
  /// One sentence for each limit that truncated or dropped content; also among `problems`.
  public var limitNotes: [String] = []
  /// The encoding used to decode, lower case.
  public var encoding: String?
  public var id: String?
  /// The title in plain text.
  public var title: String?
  public var description: String?
  public var homePageURL: String?
  public var feedURL: String?
  public var icon: String?
  public var favicon: String?
  public var language: String?
  public var authors: [Author] = []
  public var contributors: [Author] = []
  public var publisher: Author?
  public var hubs: [String] = []
  public var links: [Link] = []
  public var tags: [Category] = []
  public var updated: Timestamp?
  public var published: Timestamp?
  public var created: Timestamp?
  public var rights: String?
  public var generator: Generator?
  public var image: FeedImage?
  public var itunesExplicit: Bool?
  public var itunesBlock: Bool?
  /// The publisher will not update the feed again (JSON Feed's `expired`).
  public var isExpired: Bool?
  public var hints = PollHints()
  public var items: [ParsedItem] = []

  public init(format: String) {
    self.format = format
  }

  /// The address of the picture that suits best as an icon: a small square, else a logo. Nil: the document names none
  /// on the web.
  public var iconAddress: String? {
    [favicon, icon, image?.url].compactMap { $0 }.first { WebAddress.isWeb($0) && $0.utf8.count <= 2000 }
  }
}

/// One entry of a feed document, before it is stored.
public struct ParsedItem: Hashable, Sendable {
  /// Maximum number of elements of a list that is read from a document, such as tags.
  public static let longestList = 512

  /// guid, Atom id or JSON id, verbatim.
  public var id: String?
  /// URL of the item's web page.
  public var url: String?
  public var externalURL: String?
  /// The title in plain text.
  public var title: String?
  public var contentHTML: String?
  public var contentText: String?
  /// The summary in plain text.
  public var summary: String?
  public var summaryHTML: String?
  public var image: String?
  public var published: Timestamp?
  public var updated: Timestamp?
  public var created: Timestamp?
  public var expires: Timestamp?
  public var authors: [Author] = []
  public var contributors: [Author] = []
  public var publisher: Author?
  public var tags: [Category] = []
  public var language: String?
  public var enclosures: [Enclosure] = []
  public var links: [Link] = []
  public var rights: String?
  public var commentsURL: String?
  public var license: String?
  public var contentSource: String?
  public var guidIsPermalink: Bool?
  public var itunesExplicit: Bool?
  public var itunesBlock: Bool?
  /// The playing time from iTunes elements, in seconds.
  public var itunesDuration: Int64?
  /// The feed that the item was copied from.
  public var source: ItemSource? {
    get { sources.first }
    set { sources = newValue.map { [$0] } ?? [] }
  }
  /// The values from extension vocabularies; nil: the item uses none.
  public var extensions: ItemExtensions? {
    get { boxedExtensions.first }
    set { boxedExtensions = newValue.map { [$0] } ?? [] }
  }
  // Most items have neither a source nor extensions. An empty array takes one word; an inline value would add hundreds
  // of bytes to every move and copy of an item.
  private var sources: [ItemSource] = []
  private var boxedExtensions: [ItemExtensions] = []

  public init() {}
}

/// A violation of the format's rules, with its position in the document.
public struct SyntaxProblem: Hashable, Sendable {
  /// The line, 1-based; 0 when unknown.
  public var line: Int
  /// The column, 1-based; 0 when unknown.
  public var column: Int
  public var message: String

  public init(line: Int, column: Int, message: String) {
    self.line = line
    self.column = column
    self.message = message
  }
}

/// RFC 4287 section 4.2.2; RSS `category` with its `domain` as the scheme.
public struct Category: Hashable, Sendable {
  public var term: String
  public var scheme: String?
  public var label: String?

  public init(term: String, scheme: String? = nil, label: String? = nil) {
    self.term = term
    self.scheme = scheme
    self.label = label
  }

  /// The text that readers see.
  package var text: String { label ?? term }
}

/// The program that made a feed.
public struct Generator: Hashable, Sendable {
  public var name: String?
  public var url: String?
  public var version: String?

  public init(name: String? = nil, url: String? = nil, version: String? = nil) {
    self.name = name
    self.url = url
    self.version = version
  }
}

/// RSS 2.0 `image`.
public struct FeedImage: Hashable, Sendable {
  public var url: String?
  public var title: String?
  public var link: String?
  public var width: Int?
  public var height: Int?
  public var description: String?

  public init() {}
}

/// The feed that an item came from: RFC 4287 section 4.2.11, RSS `source`.
public struct ItemSource: Hashable, Sendable {
  public var title: String?
  public var subtitle: String?
  public var id: String?
  public var url: String?
  public var links: [Link] = []
  public var updated: Timestamp?
  public var rights: String?
  public var icon: String?
  public var logo: String?
  public var generator: Generator?
  public var authors: [Author] = []
  public var contributors: [Author] = []
  public var tags: [Category] = []

  public init() {}
}

extension ItemMedia {
  /// Maximum number of pictures and of transcripts that are kept.
  private static let listLength = 20
  /// Maximum number of Unicode scalars of an alternative text.
  private static let alternativeLength = 1500
  /// Maximum number of Unicode scalars of an episode's or season's number.
  private static let numberLength = 40

  /// The media of a parsed item; nil if it has none.
  public init?(_ item: ParsedItem) {
    let extensions = item.extensions
    duration = (item.itunesDuration ?? item.enclosures.lazy.compactMap(\.duration).first).flatMap {
      $0 > 0 ? $0 : nil
    }
    if let extensions {
      pictures = extensions.media.lazy.filter(\.isPicture).prefix(Self.listLength).map {
        ItemPicture(
          url: $0.url,
          alt: $0.alt.map { Self.cut($0, to: Self.alternativeLength) },
          width: $0.width,
          height: $0.height
        )
      }
      thumbnail = extensions.thumbnails.first.map {
        ItemPicture(url: $0.url, width: $0.width, height: $0.height)
      }
      episode = extensions.episode.map { Self.cut($0, to: Self.numberLength) }
      season = extensions.season.map { Self.cut($0, to: Self.numberLength) }
      chapters = extensions.chapters
      transcripts = Array(extensions.transcripts.prefix(Self.listLength))
    }
    if self == ItemMedia() { return nil }
  }

  private static func cut(_ text: String, to length: Int) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(length)))
  }

  /// The values in the form in which a parser delivers them.
  public var extensions: ItemExtensions {
    var extensions = ItemExtensions()
    extensions.media = pictures.map {
      var media = MediaObject(url: $0.url)
      media.medium = "image"
      media.alt = $0.alt
      media.width = $0.width
      media.height = $0.height
      return media
    }
    extensions.thumbnails = [thumbnail].compactMap {
      $0.map { MediaThumbnail(url: $0.url, width: $0.width, height: $0.height) }
    }
    extensions.episode = episode
    extensions.season = season
    extensions.chapters = chapters
    extensions.transcripts = transcripts
    return extensions
  }
}

extension MediaObject {
  fileprivate var isPicture: Bool {
    medium == "image" || type?.lowercased().hasPrefix(bytesOf: "image/") == true
      || medium == nil && type == nil && ItemPicture.hasPictureName(url)
  }
}
