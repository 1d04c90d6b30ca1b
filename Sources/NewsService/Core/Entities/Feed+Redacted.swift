extension Feed {
  /// A copy without user name and password in the URL, for lists and logs.
  var redacted: Feed {
    var feed = self
    feed.url = WebAddress.redacted(url)
    return feed
  }

  /// A copy for exports that others may read: no passwords in title, URL and proxy; no headers, credential, client
  /// certificate or `secretsFor`.
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
