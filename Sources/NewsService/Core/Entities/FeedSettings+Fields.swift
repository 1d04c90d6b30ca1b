public import NewsToolbox

extension FeedSettings {
  /// One setting, with its name in the store and in lists of subscriptions, and its value as JSON.
  public struct Field: Sendable {
    public enum Kind: Sendable { case text, number, flag, lines }

    public let name: String
    public let kind: Kind
    /// The name by which the user changes the setting; nil: newsd sets it itself.
    public let setting: FeedSetting?
    /// Returns the value; nil: not set.
    public let value: @Sendable (FeedSettings) -> JSONValue?
    /// Sets the value, or resets it. Clamps numbers to their bounds. Leaves out a value of another type, and text with
    /// control characters.
    public let set: @Sendable (inout FeedSettings, JSONValue?) -> Void

    fileprivate typealias Path<Value> = any WritableKeyPath<FeedSettings, Value?> & Sendable

    fileprivate static func text(_ name: String, _ setting: FeedSetting?, _ path: Path<String>) -> Field {
      Field(name: name, kind: .text, setting: setting) {
        $0[keyPath: path].map(JSONValue.string)
      } set: {
        $0[keyPath: path] = $1?.string.flatMap { isSendable($0) ? $0 : nil }
      }
    }

    fileprivate static func number<Value: FixedWidthInteger & Sendable>(
      _ name: String,
      _ setting: FeedSetting,
      _ path: Path<Value>,
      _ bounds: ClosedRange<Value>
    ) -> Field {
      Field(name: name, kind: .number, setting: setting) {
        $0[keyPath: path].map { .integer(Int64($0)) }
      } set: {
        $0[keyPath: path] = $1?.integer.map {
          min(max(Value(clamping: $0), bounds.lowerBound), bounds.upperBound)
        }
      }
    }

    fileprivate static func flag(_ name: String, _ setting: FeedSetting?, _ path: Path<Bool>) -> Field {
      Field(name: name, kind: .flag, setting: setting) {
        $0[keyPath: path].map(JSONValue.bool)
      } set: {
        $0[keyPath: path] = $1?.bool
      }
    }
  }

  /// All settings, in the order in which lists of subscriptions have them.
  public static let fields: [Field] = [
    .number("minimumInterval", .minimumInterval, \.minimumInterval, intervals),
    .number("maximumInterval", .maximumInterval, \.maximumInterval, intervals),
    .text("userAgent", .userAgent, \.userAgent),
    Field(name: "headers", kind: .lines, setting: .header) {
      $0.headers.map { .array($0.map(JSONValue.string)) }
    } set: {
      $0.headers = $1?.array?.compactMap(\.string).filter(isSendable)
    },
    .text("credential", .credential, \.credential), .text("proxy", .proxy, \.proxy),
    .text("clientCertificate", .clientCertificate, \.clientCertificate),
    .text("certificateAuthority", .certificateAuthority, \.certificateAuthority),
    .flag("verifiesTLS", .verifiesTLS, \.verifiesTLS), .number("timeout", .timeout, \.timeout, timeouts),
    .number("maximumBytes", .maximumSize, \.maximumBytes, bodySizes),
    .text("encoding", .encoding, \.encoding), .flag("allowsLocalOrigin", nil, \.allowsLocalOrigin),
    .text("secretsFor", .secretsFor, \.secretsFor), .text("identity", nil, \.identity),
    .number("keepDays", .keepDays, \.keepDays, days),
    .number("keepItems", .keepItems, \.keepItems, itemCounts), .flag("paused", .paused, \.isPaused),
    .flag("hidden", .hidden, \.isHidden),
    Field(name: "article", kind: .text, setting: .article) {
      $0.article.map { .string($0.rawValue) }
    } set: {
      $0.article = $1?.string.flatMap(ArticlePolicy.init(rawValue:))
    },
    .text("articleContent", .articleContent, \.articleContent),
    .text("articleRemove", .articleRemove, \.articleRemove),
    .text("articleNext", .articleNext, \.articleNext),
  ]

  /// Returns a copy with every number clamped to its bounds and without texts that contain control characters.
  /// Settings from imported lists are untrusted, yet their numbers enter calculations and their texts enter requests.
  public func clamped() -> FeedSettings {
    var result = self
    for field in Self.fields { field.set(&result, field.value(self)) }
    return result
  }

  /// Returns a copy in which nil settings for requests, polling, retention and articles are taken from `others`. The
  /// identity policy is not taken, because another policy could store items again.
  func completed(by others: FeedSettings) -> FeedSettings {
    var result = self
    for field in Self.fields where field.value(self) == nil {
      switch field.setting {
      case nil, .secretsFor, .paused, .hidden: continue
      default: field.set(&result, field.value(others))
      }
    }
    return result
  }
}

extension FeedSetting {
  var field: FeedSettings.Field? { FeedSettings.fields.first { $0.setting == self } }

  /// The value as text; nil: not set.
  public func text(in settings: FeedSettings) -> String? {
    switch self {
    // A header may contain a secret: show only its name.
    case .header: settings.headers.map { $0.map { $0.prefix(upToAny: ":") + ": …" }.joined(separator: ", ") }
    case .proxy: settings.proxy.map { WebAddress.redacted($0) }
    case .timeout, .minimumInterval, .maximumInterval: field?.value(settings).map { $0.settingText + "s" }
    default: field?.value(settings)?.settingText
    }
  }
}

extension JSONValue {
  /// The value without quotation marks; the elements of an array as lines.
  public var settingText: String { string ?? array?.map(\.settingText).joined(separator: "\n") ?? serialized }
}

extension FeedSettings {
  /// Bounds of the poll interval, in seconds.
  public static let intervals: ClosedRange<Int64> = 60...366 * 86_400
  /// Bounds of `timeout`, in seconds.
  public static let timeouts: ClosedRange<Int64> = 1...3600
  /// Bounds of `maximumBytes`.
  public static let bodySizes: ClosedRange<Int> = 1 << 10...1 << 32
  /// Bounds of `keepDays`.
  public static let days: ClosedRange<Int> = 1...100_000
  /// Bounds of `keepItems`.
  public static let itemCounts: ClosedRange<Int> = 1...100_000_000

  /// True for text that may become part of a request: it contains no control character except tab.
  public static func isSendable(_ text: String) -> Bool {
    !text.utf8.contains { $0 < UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") || $0 == 0x7F }
  }
}

extension FeedSettings {
  /// Returns the bounds of this feed's poll interval, in seconds; `general` applies where the feed sets no bound.
  public func intervals(_ general: ClosedRange<Int64>) -> ClosedRange<Int64> {
    let low = max(1, minimumInterval ?? general.lowerBound)
    return low...max(low, maximumInterval ?? general.upperBound)
  }
}

extension FetchLimits {
  /// Returns these limits, overridden by the feed's own settings.
  public func overridden(by settings: FeedSettings) -> FetchLimits {
    let settings = settings.clamped()
    var limits = self
    if let seconds = settings.timeout {
      limits.totalTimeout = Int(seconds) * 1000
      // A slow server may need all of a longer total timeout before it sends the first byte.
      limits.firstByteTimeout = max(limits.firstByteTimeout, limits.totalTimeout)
    }
    if let bytes = settings.maximumBytes { limits.bodyBytes = bytes }
    return limits
  }
}
