import NewsToolbox

/// The limits of an account's store, which the administrator sets, and how much of them is in use.
public struct StoreQuota: Hashable, Sendable {
  /// Maximum number of feeds; nil: no limit.
  public var feeds: Int?
  /// Bytes above which read items are pruned, and new items are not stored; nil: no limit.
  public var bytes: Int64?
  public var usedFeeds = 0
  /// Bytes of the data, if they are limited: of the pages that hold data, or of the items on a server.
  public var usedBytes: Int64 = 0

  public init(feeds: Int? = nil, bytes: Int64? = nil) {
    self.feeds = feeds
    self.bytes = bytes
  }

  /// The quota that accounts begin with. The lists of feeds that programs ask for are made as a whole, so their length limits the
  /// memory that one account can take from the others.
  public static let ofNewAccounts: [QuotaChange] = [.feeds(10_000)]

  public var isSet: Bool { feeds != nil || bytes != nil }

  /// The limits that an administrator can set; of bytes, from 1 MiB on.
  private static let mostFeeds: Int64 = 10_000_000
  private static let mostBytes: Int64 = 1 << 50

  /// Pruning because of the quota begins above the limit, and ends at 95 % of it. Nil: nothing is pruned, because there is no
  /// limit, or a damaged one.
  public var isAboveBytes: Bool { bytes.map { usedBytes > $0 } ?? false }
  package var goal: Int64? { bytes.flatMap { $0 > 0 ? $0 / 20 * 19 : nil } }

  /// Why no new items are stored; nil: they are stored.
  public var problem: String? {
    guard isAboveBytes, let bytes else { return nil }
    return "the store is above its quota of \(Self.size(bytes)), so newsd stores no new items or feeds; "
      + "read items are pruned, so mark items read or remove feeds"
  }

  /// The limits with what is in use, for example `480 of 500 feeds, 812 MiB of 1 GiB`; empty if there is none.
  public var text: String {
    let parts = [
      feeds.map { "\(usedFeeds) of \($0) feeds" },
      bytes.map { "\(Self.size(usedBytes)) of \(Self.size($0))" },
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  /// A size in the largest unit in which it is a whole number, or in KiB.
  static func size(_ bytes: Int64) -> String {
    for (unit, shift) in [("GiB", 30), ("MiB", 20)] where bytes > 0 && bytes % (1 << shift) == 0 {
      return "\(bytes >> shift) \(unit)"
    }
    return bytes >= 10 << 20 ? "\(bytes >> 20) MiB" : "\(bytes >> 10) KiB"
  }

  /// The limits as JSON.
  package var stored: String {
    JSONValue.object(
      [("feeds", feeds.map(Int64.init)), ("bytes", bytes)].compactMap { name, value in
        value.map { JSONValue.Member(name: name, value: .integer($0)) }
      }
    ).serialized
  }

  /// Reads what `stored` wrote. A damaged limit is 0, so that damage lifts none: nothing more is stored until it is set anew.
  package init(stored: String) {
    guard let value = JSONValue(valid: stored), value.members != nil else {
      (feeds, bytes) = (0, 0)
      return
    }
    func limit(_ name: String, _ most: Int64) -> Int64? {
      value[name].map { $0.integer.flatMap { (0...most).contains($0) ? $0 : nil } ?? 0 }
    }
    feeds = limit("feeds", Self.mostFeeds).map { Int($0) }
    bytes = limit("bytes", Self.mostBytes)
  }
}

/// A change of a quota; nil removes the limit.
public enum QuotaChange: Hashable, Sendable {
  case feeds(Int?)
  case bytes(Int64?)
}

/// Keeps the quota of a store, beside the account's secrets, so that exports omit it.
public protocol QuotaKeeping: Sendable {
  /// Returns the limits and what is in use.
  func quota() async throws(StoreError) -> StoreQuota
  func change(_ changes: [QuotaChange]) async throws(StoreError)
  /// If the store is above its limit of bytes, removes read items that are not starred, the oldest first, in small
  /// transactions. Returns how many.
  func pruneToQuota() async throws(StoreError) -> Int
}
