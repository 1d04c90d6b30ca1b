/// An item's values from extension vocabularies, in a type of their own because most items have none.
public struct ItemExtensions: Hashable, Sendable {
  // Podcasts: iTunes and the Podcasting 2.0 namespace.
  /// A text, because `podcast:episode` also allows fractions such as `3.5`.
  public var episode: String?
  public var season: String?
  /// `full`, `trailer` or `bonus`.
  public var episodeType: String?
  public var chapters: Link?
  public var transcripts: [Link] = []
  public var persons: [PodcastPerson] = []

  // Media RSS.
  public var media: [MediaObject] = []
  public var thumbnails: [MediaThumbnail] = []
  /// Pages that play the media.
  public var players: [String] = []
  public var credits: [MediaCredit] = []
  public var mediaTitle: String?
  public var mediaDescription: String?

  /// JSON Feed `banner_image`.
  public var bannerImage: String?

  // Discussion: Slash, wfw and RFC 4685.
  public var commentCount: Int?
  /// The feed of the item's comments.
  public var commentsFeedURL: String?
  public var inReplyTo: [ReplyTarget] = []

  /// GeoRSS, W3C Basic Geo or GML.
  public var point: GeoPoint?
  /// The Markdown source of the HTML.
  public var markdown: String?

  public init() {}
}

/// A person who takes part in an episode (`podcast:person`).
public struct PodcastPerson: Hashable, Sendable {
  public var name: String
  public var role: String?
  public var group: String?
  public var image: String?
  public var url: String?

  public init(
    name: String,
    role: String? = nil,
    group: String? = nil,
    image: String? = nil,
    url: String? = nil
  ) {
    self.name = name
    self.role = role
    self.group = group
    self.image = image
    self.url = url
  }
}

/// One `media:content`.
public struct MediaObject: Hashable, Sendable {
  public var url: String
  public var type: String?
  /// `image`, `audio`, `video`, `document` or `executable`.
  public var medium: String?
  public var width: Int?
  public var height: Int?
  /// The playing time in seconds.
  public var duration: Int64?
  /// The size in bytes.
  public var size: Int64?
  public var title: String?
  /// The description of this medium, which replaces a picture for people who do not see it.
  public var alt: String?

  public init(url: String) {
    self.url = url
  }
}

/// One `media:thumbnail`.
public struct MediaThumbnail: Hashable, Sendable {
  public var url: String
  public var width: Int?
  public var height: Int?

  public init(url: String, width: Int? = nil, height: Int? = nil) {
    self.url = url
    self.width = width
    self.height = height
  }
}

/// One `media:credit`.
public struct MediaCredit: Hashable, Sendable {
  public var name: String
  public var role: String?
  public var scheme: String?

  public init(name: String, role: String? = nil, scheme: String? = nil) {
    self.name = name
    self.role = role
    self.scheme = scheme
  }
}

/// `thr:in-reply-to` (RFC 4685 section 3).
public struct ReplyTarget: Hashable, Sendable {
  public var ref: String?
  public var href: String?
  public var type: String?
  public var source: String?

  public init(ref: String? = nil, href: String? = nil, type: String? = nil, source: String? = nil) {
    self.ref = ref
    self.href = href
    self.type = type
    self.source = source
  }
}

/// Degrees, WGS 84.
public struct GeoPoint: Hashable, Sendable {
  public var latitude: Double
  public var longitude: Double

  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}
