extension Feed {
  /// The feed as lists and logs may show it: its URL without user name and password.
  var redacted: Feed {
    var feed = self
    feed.url = WebAddress.redacted(url)
    return feed
  }
}
