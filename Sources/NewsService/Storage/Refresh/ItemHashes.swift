import NewsCore

extension IdentityPolicy {
  func identity(of item: StoredItem) -> Int64 {
    identity(guid: item.guid, url: item.url, title: item.title, text: item.text)
  }
}

/// The hashes that identify a stored item and detect changes to it.
struct ItemHashes {
  var identity: Int64
  var revision: Int64

  init(of item: StoredItem, under policy: IdentityPolicy) {
    identity = policy.identity(of: item)
    revision = item.revision(under: policy)
  }
}
