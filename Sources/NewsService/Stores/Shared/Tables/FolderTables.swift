// The settings of folders.

package import NewsCore
import NewsToolbox

extension StoreSession {
  fileprivate func settings(ofFolder folder: String) throws(StoreError) -> FeedSettings {
    FeedSettings(
      stored: try rows("SELECT settings FROM folder_settings WHERE folder = $1", folder) { $0.string(0) }
        .first
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

  /// Moves the settings of a folder and its subfolders to a new name. A folder that has settings keeps them.
  func moveSettings(ofFolder folder: String, to name: String) throws(StoreError) {
    let folders = try rows("SELECT folder FROM folder_settings ORDER BY folder") { $0.string(0) }
    // Deepest first, because a new name may be inside the old folder.
    for old in folders.reversed() where old == folder || old.hasPrefix(bytesOf: folder + "/") {
      guard let new = FolderPath.cleaned(name + old.slice(folder.utf8.count...)), new != old else { continue }
      try GivenName.check(new, of: "a folder")
      try run(
        """
        INSERT INTO folder_settings (folder, settings)
        SELECT CAST($2 AS text), settings FROM folder_settings WHERE folder = $1
        ON CONFLICT (folder) DO NOTHING
        """,
        old,
        new
      )
      try run("DELETE FROM folder_settings WHERE folder = $1", old)
    }
  }
}

/// The condition for the rows of folders that clients have made. They have no settings, but may have a number.
private let isMade = #"(settings = '{}' OR settings LIKE '{"id":%')"#

extension MadeFolder {
  /// Reads a row; nil if the folder has settings.
  package init?(name: String, stored: String) {
    guard let value = JSONValue(valid: stored), value.members?.allSatisfy({ $0.name == "id" }) == true else {
      return nil
    }
    self.init(name: name, number: value["id"]?.integer)
  }

  package var storedText: String { number.map { "{\"id\":\($0)}" } ?? "{}" }
}

extension StoreSession {
  func madeFolders() throws(StoreError) -> [MadeFolder] {
    guard try has("folder_settings") else { return [] }
    return try rows("SELECT folder, settings FROM folder_settings WHERE \(isMade) ORDER BY folder") {
      MadeFolder(name: $0.string(0), stored: $0.string(1))
    }.compactMap(\.self)
  }

  /// Removes a folder that was made without a feed.
  func forgetMadeFolder(_ folder: String) throws(StoreError) {
    try run("DELETE FROM folder_settings WHERE folder = $1 AND \(isMade)", folder)
  }
}

extension TableStore {
  package func madeFolders() async throws(StoreError) -> [MadeFolder] {
    try await snapshot { (session) throws(StoreError) in try session.madeFolders() }
  }

  package func makeFolder(_ folder: MadeFolder) async throws(StoreError) {
    guard let name = FolderPath.cleaned(folder.name) else { return }
    try GivenName.check(name, of: "a folder")
    try await transaction { (session) throws(StoreError) in
      try session.refuseAboveQuota()
      let former = try session.size(of: .folders)
      try session.run(
        """
        INSERT INTO folder_settings (folder, settings) VALUES ($1, $2)
        ON CONFLICT (folder) DO UPDATE SET settings = excluded.settings WHERE folder_settings.settings = '{}'
        """,
        name,
        folder.storedText
      )
      try session.refuseExcess(of: .folders, from: former)
    }
  }

  package func folderSettings(_ folder: String) async throws(StoreError) -> FeedSettings {
    try await snapshot { (session) throws(StoreError) in
      guard try session.has("folder_settings") else { return FeedSettings() }
      return try session.settings(ofFolder: FolderPath.cleaned(folder) ?? folder)
    }
  }

  package func keep(_ settings: FeedSettings, forFolder folder: String) async throws(StoreError) {
    try GivenName.check(folder, of: "a folder")
    let text = settings.articlePart.storedText
    try await transaction { (session) throws(StoreError) in
      guard let text else {
        try session.run("DELETE FROM folder_settings WHERE folder = $1", FolderPath.cleaned(folder))
        return
      }
      let former = try session.size(of: .folders)
      try session.run(
        """
        INSERT INTO folder_settings (folder, settings) VALUES ($1, $2)
        ON CONFLICT (folder) DO UPDATE SET settings = excluded.settings
        """,
        FolderPath.cleaned(folder),
        text
      )
      try session.refuseExcess(of: .folders, from: former)
    }
  }
}
