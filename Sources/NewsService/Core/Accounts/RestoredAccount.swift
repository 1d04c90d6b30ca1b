/// The account whose store a restore replaces. Its owner may have changed the file, so of the file's credentials the store has only
/// what a store from elsewhere may bring along; see `CredentialKeeping.removeForeignCredentials`.
public struct RestoredAccount: Sendable {
  /// The limits that stay; nil: they cannot be read, so those of the file count.
  public var quota: StoreQuota?
  /// The links that stay, by the issuers of the providers.
  public var links: [String: SignOnLink] = [:]
  /// False for a hash of a login password that would take minutes to compare.
  public let isAffordable: @Sendable (_ hash: String) -> Bool

  public init(isAffordable: @escaping @Sendable (_ hash: String) -> Bool) { self.isAffordable = isAffordable }
}
