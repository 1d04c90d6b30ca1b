/// What can be told of settings only where they are used.
public struct SettingsCheck: Sendable {
  /// True for the URL of a proxy that can be gone through.
  public var isProxy: @Sendable (String) -> Bool
  /// True for an encoding that documents can be read by.
  public var isEncoding: @Sendable (String) -> Bool

  public init(
    isProxy: @escaping @Sendable (String) -> Bool = { _ in true },
    isEncoding: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    self.isProxy = isProxy
    self.isEncoding = isEncoding
  }

  /// Takes away what cannot be used, and names it.
  func clear(_ settings: inout FeedSettings) -> [String] {
    var unusable: [String] = []
    if let proxy = settings.proxy, !proxy.isEmpty, !isProxy(proxy) {
      unusable.append("the proxy \(WebAddress.redacted(proxy)), which is none that newsd can use")
      settings.proxy = nil
    }
    if let encoding = settings.encoding, !isEncoding(encoding) {
      unusable.append("the encoding \(encoding), which is not known")
      settings.encoding = nil
    }
    return unusable
  }
}
