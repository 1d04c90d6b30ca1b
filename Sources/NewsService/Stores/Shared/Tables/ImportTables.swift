package import NewsCore

// Where imports are. The rows are no content of the store: an export leaves them out, and without them an import begins
// again.

extension TableStore {
  package func importPlace(of source: String) async throws(StoreError) -> String? {
    try await snapshot { (session) throws(StoreError) in
      guard try session.has("import_places") else { return nil }
      return try session.first("SELECT place FROM import_places WHERE source = $1", source) { $0.string(0) }
    }
  }

  package func replaceImportPlace(
    _ old: String?,
    by new: String?,
    of source: String
  ) async throws(StoreError) -> Bool {
    try await sideTransaction { (session) throws(StoreError) in
      switch (old, new) {
      case (let old?, let new?):
        try session.first(
          "UPDATE import_places SET place = $1 WHERE source = $2 AND place = $3 RETURNING source",
          new,
          source,
          old
        ) { _ in true } ?? false
      case (let old?, nil):
        try session.first(
          "DELETE FROM import_places WHERE source = $1 AND place = $2 RETURNING source",
          source,
          old
        ) { _ in true } ?? false
      case (nil, let new?):
        try session.first(
          "INSERT INTO import_places (source, place) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING source",
          source,
          new
        ) { _ in true } ?? false
      case (nil, nil): true
      }
    }
  }
}
