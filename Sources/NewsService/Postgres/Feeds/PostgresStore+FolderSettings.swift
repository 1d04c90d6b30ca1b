public import NewsCore

extension PostgresStore: FolderSettingsKeeping {
  public func folderSettings(_ folder: String) async throws(StoreError) -> FeedSettings {
    try await read { (connection) throws(StoreError) in try connection.settings(ofFolder: folder) }
  }

  public func keep(_ settings: FeedSettings, forFolder folder: String) async throws(StoreError) {
    let text = settings.articlePart.storedText
    try await write { (connection) throws(StoreError) in
      guard let text else {
        try connection.query("DELETE FROM folder_settings WHERE folder = $1", FolderPath.cleaned(folder))
        return
      }
      try connection.query(
        """
        INSERT INTO folder_settings (folder, settings) VALUES ($1, $2)
        ON CONFLICT (folder) DO UPDATE SET settings = excluded.settings
        """,
        FolderPath.cleaned(folder),
        text
      )
    }
  }
}

extension Connection {
  fileprivate func settings(ofFolder folder: String) throws(StoreError) -> FeedSettings {
    FeedSettings(
      stored: try query("SELECT settings FROM folder_settings WHERE folder = $1", folder).first?.string(0)
    )
  }

  /// Returns the settings of a feed that is put into a folder. A setting that the feed lacks comes from the
  /// folder, or else from the folder above it.
  func inherited(_ settings: FeedSettings, folder: String?) throws(StoreError) -> FeedSettings {
    var settings = settings
    for name in FolderPath.chain(of: folder ?? "").reversed() {
      settings.takeArticle(from: try self.settings(ofFolder: name))
    }
    return settings
  }
}
