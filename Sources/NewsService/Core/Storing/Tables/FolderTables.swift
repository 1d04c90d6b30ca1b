// The settings of folders.

extension StoreSession {
  fileprivate func settings(ofFolder folder: String) throws(StoreError) -> FeedSettings {
    FeedSettings(
      stored: try rows("SELECT settings FROM folder_settings WHERE folder = $1", folder) {
        (row) throws(StoreError) in row.string(0)
      }.first
    )
  }

  /// Returns the settings of a feed that is put into a folder. The feed inherits a setting that it lacks from the
  /// folder, or else from the closest parent folder that has it.
  func inherited(_ settings: FeedSettings, folder: String?) throws(StoreError) -> FeedSettings {
    var settings = settings
    for name in FolderPath.chain(of: folder ?? "").reversed() {
      settings.takeArticle(from: try self.settings(ofFolder: name))
    }
    return settings
  }
}

extension FolderSettingsKeeping where Self: TableStore {
  package func folderSettings(_ folder: String) async throws(StoreError) -> FeedSettings {
    try await snapshot { (session) throws(StoreError) in
      guard try session.has("folder_settings") else { return FeedSettings() }
      return try session.settings(ofFolder: FolderPath.cleaned(folder) ?? folder)
    }
  }

  package func keep(_ settings: FeedSettings, forFolder folder: String) async throws(StoreError) {
    let text = settings.articlePart.storedText
    try await transaction { (session) throws(StoreError) in
      guard let text else {
        try session.run("DELETE FROM folder_settings WHERE folder = $1", FolderPath.cleaned(folder))
        return
      }
      try session.run(
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
