import NewsToolbox

/// Makes the names that another program gives printable and short.
enum ImportedTexts {
  /// Returns a subscription with printable, short texts and a site that can be a web site.
  static func cleaned(_ feed: NewFeed) -> NewFeed {
    var feed = feed
    feed.title = feed.title.flatMap(text)
    feed.folder = feed.folder.flatMap(text).flatMap(FolderPath.cleaned)
    if let site = feed.siteURL, FeedURLKind(site) != .web { feed.siteURL = nil }
    return feed
  }

  private static func text(_ text: String) -> String? {
    let printable = GivenName.cut(MessageText.printable(GivenName.cut(text)))
    return printable.isEmpty ? nil : printable
  }
}
