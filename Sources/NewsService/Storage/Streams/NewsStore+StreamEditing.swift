package import NewsCore
import NewsToolbox

extension NewsStore: StreamEditing {
  public func edit(_ ids: [NewsItem.ID], _ edit: StreamEdit) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      var marker = try ItemMarker(connection)
      for id in ids {
        guard let key = try ItemReader.key(of: id, connection) else { continue }
        for mark in edit.marks {
          try marker.mark(key, mark)
          if mark == .read { try marker.markStory(of: key) }
        }
        var isChanged = false
        for label in edit.addedLabels where try ItemLabels.add(label, to: id.rawValue, connection) {
          isChanged = true
        }
        for label in edit.removedLabels where try ItemLabels.remove(label, from: id.rawValue, connection) {
          isChanged = true
        }
        if isChanged { try marker.note(key) }
      }
      try marker.finish()
    }
  }

  public func markRead(_ request: StreamRequest) async throws(StoreError) -> Int {
    try await write { (connection) throws(StoreError) in
      let keys = try StreamSelection(request, limit: .max, connection).unreadKeys()
      var marker = try ItemMarker(connection)
      for key in keys {
        try marker.mark(key, .read)
        try marker.markStory(of: key)
      }
      try marker.finish()
      return keys.count
    }
  }

  public func relabel(_ label: String, to name: String?) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      guard try ItemLabels.exist(connection) else { return }
      let row = try connection.prepare(
        "SELECT i.key, i.id FROM item_labels AS l JOIN items AS i ON i.id = l.item WHERE l.label = ?"
      )
      try row.bind(1, label)
      var items: [(key: ItemKey, id: Int64)] = []
      while try row.step() { items.append((ItemKey(rawValue: row.int64(0)), row.int64(1))) }
      var marker = try ItemMarker(connection)
      for item in items {
        _ = try ItemLabels.remove(label, from: item.id, connection)
        if let name { try ItemLabels.add(name, to: item.id, connection) }
        try marker.note(item.key)
      }
      try marker.finish()
    }
  }

  public func moveFolder(_ folder: String, to name: String?) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      let row = try connection.prepare("SELECT id, folder FROM feeds WHERE folder IS NOT NULL")
      let update = try connection.prepare("UPDATE feeds SET folder = ? WHERE id = ?")
      var moved: [(id: Int64, folder: String?)] = []
      while try row.step() {
        let own = row.string(1)
        if own == folder {
          moved.append((row.int64(0), name.flatMap(FolderPath.cleaned)))
        } else if let name, own.hasPrefix(bytesOf: folder + "/") {
          moved.append((row.int64(0), FolderPath.cleaned(name + own.slice(folder.utf8.count...))))
        }
      }
      for feed in moved {
        try update.bind(1, feed.folder)
        try update.bind(2, feed.id)
        try update.run()
        try connection.noteChange(of: Feed.ID(rawValue: feed.id))
      }
    }
  }
}
