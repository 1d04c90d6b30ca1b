extension Feed {
  /// The feed for lists and logs: its URL has no user name and no password.
  var redacted: Feed {
    var feed = self
    feed.url = WebAddress.redacted(url)
    return feed
  }

  /// The feed for a list that others may read: no password in its URL or its proxy's, no headers, and no names of places
  /// where secrets are kept.
  public var withoutSecrets: Feed {
    var feed = redacted
    feed.title = WebAddress.redacted(title)
    feed.settings.headers = nil
    feed.settings.credential = nil
    feed.settings.clientCertificate = nil
    feed.settings.secretsFor = nil
    feed.settings.proxy = settings.proxy.map(WebAddress.redacted)
    return feed
  }
}
