import NewsToolbox

/// Makes the names that another program gives printable and short.
enum ImportedTexts {
  /// Maximum number of Unicode scalars of a feed's title and folder.
  private static let longestTitle = 1000

  /// Returns a subscription with printable, short texts and a site that can be a web site.
  static func cleaned(_ feed: NewFeed) -> NewFeed {
    var feed = feed
    feed.title = feed.title.flatMap { text(cut($0)) }
    feed.folder = feed.folder.flatMap { text(cut($0)) }.flatMap { FolderPath.cleaned($0) }
    if let site = feed.siteURL, FeedURLKind(site) != .web { feed.siteURL = nil }
    return feed
  }

  private static func cut(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(longestTitle)))
  }

  private static func text(_ text: String) -> String? {
    let printable = MessageText.printable(text)
    return printable.isEmpty ? nil : printable
  }
}
