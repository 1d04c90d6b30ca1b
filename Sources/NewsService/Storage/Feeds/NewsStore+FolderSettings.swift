public import NewsCore

extension NewsStore: FolderSettingsKeeping {
  public func folderSettings(_ folder: String) async throws(StoreError) -> FeedSettings {
    try await read { (connection) throws(StoreError) in
      guard try connection.integer("SELECT 1 FROM sqlite_master WHERE name = 'folder_settings'") == 1 else {
        return FeedSettings()
      }
      return try Self.settings(ofFolder: FolderPath.cleaned(folder) ?? folder, connection)
    }
  }

  public func keep(_ settings: FeedSettings, forFolder folder: String) async throws(StoreError) {
    let text = settings.articlePart.storedText
    try await write { (connection) throws(StoreError) in
      let statement = try connection.prepare(
        text == nil
          ? "DELETE FROM folder_settings WHERE folder = ?1"
          : "INSERT INTO folder_settings (folder, settings) VALUES (?1, ?2) "
            + "ON CONFLICT (folder) DO UPDATE SET settings = ?2"
      )
      try statement.bind(1, FolderPath.cleaned(folder))
      if text != nil { try statement.bind(2, text) }
      try statement.run()
    }
  }

  private static func settings(
    ofFolder folder: String,
    _ connection: Connection
  ) throws(StoreError) -> FeedSettings {
    let row = try connection.prepare("SELECT settings FROM folder_settings WHERE folder = ?")
    try row.bind(1, folder)
    return FeedSettings(stored: try row.step() ? row.string(0) : nil)
  }

  /// Returns the settings of a feed that is put into a folder. A setting that the feed lacks comes from the
  /// folder, or else from the folder above it.
  static func inherited(
    _ settings: FeedSettings,
    folder: String?,
    _ connection: Connection
  ) throws(StoreError) -> FeedSettings {
    var settings = settings
    var path = folder.flatMap(FolderPath.cleaned)?.utf8.split(separator: UInt8(ascii: "/")) ?? []
    while !path.isEmpty {
      let name = path.map { String(Substring($0)) }.joined(separator: "/")
      settings.takeArticle(from: try self.settings(ofFolder: name, connection))
      path.removeLast()
    }
    return settings
  }
}
