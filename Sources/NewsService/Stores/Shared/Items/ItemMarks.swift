import NewsCore

extension IdentityPolicy {
  package func identity(of item: StoredItem) -> Int64 {
    identity(guid: item.guid, url: item.url, title: item.title, text: item.text)
  }
}

/// The hashes that identify a stored item and detect changes to it.
package struct ItemHashes {
  package var identity: Int64
  package var revision: Int64

  package init(of item: StoredItem, under policy: IdentityPolicy) {
    identity = policy.identity(of: item)
    revision = item.revision(under: policy)
  }
}
