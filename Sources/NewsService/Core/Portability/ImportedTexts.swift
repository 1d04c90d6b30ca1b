import NewsToolbox

/// Makes the names that another program gives printable and short.
enum ImportedTexts {
  private static let longestTitle = 1000

  /// Returns a subscription with printable, short texts and a site that can be a web site.
  static func cleaned(_ feed: NewFeed) -> NewFeed {
    var feed = feed
    feed.title = feed.title.flatMap {
      text(String($0.unicodeScalars.prefix(longestTitle).map(Character.init)))
    }
    feed.folder = feed.folder.flatMap { text($0) }.flatMap { FolderPath.cleaned($0) }
    if let site = feed.siteURL, FeedURLKind(site) != .web { feed.siteURL = nil }
    return feed
  }

  private static func text(_ text: String) -> String? {
    let printable = MessageText.printable(text)
    return printable.isEmpty ? nil : printable
  }
}
