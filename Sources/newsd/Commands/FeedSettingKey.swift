import DIContainer
import NewsCore

/// A setting of one feed, as typed: `timeout=30s`.
struct FeedSettingKey: Sendable {
  var name: String
  var help: String
  var set: @Sendable (inout FeedSettings, String) throws -> Void
  /// Returns the value as text; nil: not set.
  var show: @Sendable (FeedSettings) -> String?
  var reset: @Sendable (inout FeedSettings) -> Void

  private typealias Value = ConfigurationValue

  static let all: [FeedSettingKey] = [
    text("user-agent", "what newsd calls itself there", \.userAgent),
    FeedSettingKey(
      name: "header",
      help: "an extra request header, 'Name: value'; several add up",
      set: { settings, text in
        guard let colon = text.firstIndex(of: ":"), colon != text.startIndex,
          FeedSettings.isSendable(text)
        else {
          throw Value.Problem(message: "takes 'Name: value' without control characters")
        }
        settings.headers = (settings.headers ?? []) + [text]
      },
      // A header may contain a secret: show only its name.
      show: { $0.headers.map { $0.map { $0.prefix { $0 != ":" } + ": …" }.joined(separator: ", ") } },
      reset: { $0.headers = nil }
    ),
    text(
      "credential",
      "env:NAME, file:PATH or config:NAME, which holds user:password or 'Bearer TOKEN'",
      \.credential
    ) {
      guard ["env:", "file:", "config:"].contains(where: $0.hasPrefix) else {
        throw Value.Problem(
          message: "takes env:NAME, file:PATH or config:NAME; a secret itself is not kept in the store"
        )
      }
    },
    FeedSettingKey(
      name: "proxy",
      help: "http://, https:// or socks5h://",
      set: { $0.proxy = try Value.proxy($1) },
      show: { $0.proxy.map { WebAddress.redacted($0) } },
      reset: { $0.proxy = nil }
    ),
    text("secrets-for", "the origin that credential, header and client-certificate are for", \.secretsFor),
    text("client-certificate", "path of a PEM file with certificate and key", \.clientCertificate),
    text(
      "ca-file",
      "path of a PEM file with the authorities to believe instead of the system's",
      \.certificateAuthority
    ),
    text("encoding", "decode as this, whatever the feed says", \.encoding) { _ = try Value.encoding($0) },
    FeedSettingKey(
      name: "verify-tls",
      help: "false: certificates are not verified",
      set: { $0.verifiesTLS = try Value.boolean($1) },
      show: { $0.verifiesTLS.map(String.init) },
      reset: { $0.verifiesTLS = nil }
    ),
    seconds("timeout", "for one request as a whole", \.timeout, FeedSettings.timeouts),
    seconds(
      "minimum-interval",
      "lower bound of the poll interval",
      \.minimumInterval,
      FeedSettings.intervals
    ),
    seconds(
      "maximum-interval",
      "upper bound of the poll interval",
      \.maximumInterval,
      FeedSettings.intervals
    ),
    FeedSettingKey(
      name: "maximum-size",
      help: "of a decoded body: 512KiB, 20MiB",
      set: { $0.maximumBytes = try Value.bytes($1, FeedSettings.bodySizes) },
      show: { $0.maximumBytes.map(String.init) },
      reset: { $0.maximumBytes = nil }
    ),
    number("keep-days", "items older than this may be pruned", \.keepDays, FeedSettings.days),
    number("keep-items", "items beyond this many may be pruned", \.keepItems, FeedSettings.itemCounts),
    FeedSettingKey(
      name: "article",
      help: "fetch whole articles of new items: always, never, or auto, where there are excerpts",
      set: { settings, text in
        guard let policy = ArticlePolicy(rawValue: text) else {
          throw Value.Problem(message: "takes auto, always or never, not '\(text)'")
        }
        settings.article = policy
      },
      show: { $0.article?.rawValue },
      reset: { $0.article = nil }
    ),
    selectors("article-content", "CSS selectors of what to take of a page", \.articleContent),
    selectors("article-remove", "CSS selectors of what to leave out of it", \.articleRemove),
    selectors("article-next", "CSS selectors of the link to the article's next page", \.articleNext),
  ]

  private static let secrets: Set<String> = ["credential", "header", "client-certificate"]

  /// Applies words of the form `key=value`. An empty value resets the setting to the general configuration.
  static func apply(_ words: [String], to settings: inout FeedSettings) throws {
    var given: Set<String> = []
    for word in words {
      guard let equals = word.firstIndex(of: "=") else {
        throw UsageError("a setting is KEY=VALUE, not '\(word)'", command: "feeds set")
      }
      let name = String(word[..<equals])
      let value = String(word[word.index(after: equals)...])
      guard let key = all.first(where: { $0.name == name }) else {
        throw UsageError(
          "no setting is called '\(name)'" + Suggestion.text(for: name, among: ["url"] + all.map(\.name)),
          command: "feeds set"
        )
      }
      guard given.insert(name).inserted || name == "header" else {
        throw UsageError("\(name) is given more than once", command: "feeds set")
      }
      guard !value.isEmpty else {
        key.reset(&settings)
        continue
      }
      if Self.secrets.contains(name), settings.secretsFor != nil {
        // The old secrets belong to the feed's previous origin.
        for key in all where Self.secrets.contains(key.name) { key.reset(&settings) }
        settings.secretsFor = nil
      }
      do {
        try key.set(&settings, value)
      } catch let problem as Value.Problem {
        throw UsageError("\(name) \(problem.message)", command: "feeds set")
      }
    }
    if let least = settings.minimumInterval, let most = settings.maximumInterval, least > most {
      throw UsageError("minimum-interval is longer than maximum-interval", command: "feeds set")
    }
  }

  private static func selectors(
    _ name: String,
    _ help: String,
    _ path: any WritableKeyPath<FeedSettings, String?> & Sendable
  ) -> FeedSettingKey {
    text(name, help, path) { text in
      if let problem = SelectorWords.problem(in: text) {
        throw Value.Problem(message: "is not a list of CSS selectors that newsd knows: \(problem)")
      }
    }
  }

  private static func text(
    _ name: String,
    _ help: String,
    _ path: any WritableKeyPath<FeedSettings, String?> & Sendable,
    check: @escaping @Sendable (String) throws -> Void = { _ in }
  ) -> FeedSettingKey {
    FeedSettingKey(
      name: name,
      help: help,
      set: { settings, text in
        guard FeedSettings.isSendable(text) else {
          throw Value.Problem(message: "takes one line without control characters")
        }
        try check(text)
        settings[keyPath: path] = text
      },
      show: { $0[keyPath: path] },
      reset: { $0[keyPath: path] = nil }
    )
  }

  private static func seconds(
    _ name: String,
    _ help: String,
    _ path: any WritableKeyPath<FeedSettings, Int64?> & Sendable,
    _ range: ClosedRange<Int64>
  ) -> FeedSettingKey {
    FeedSettingKey(
      name: name,
      help: help,
      set: { $0[keyPath: path] = try Value.seconds($1, Int(range.lowerBound)...Int(range.upperBound)) },
      show: { $0[keyPath: path].map { "\($0)s" } },
      reset: { $0[keyPath: path] = nil }
    )
  }

  private static func number(
    _ name: String,
    _ help: String,
    _ path: any WritableKeyPath<FeedSettings, Int?> & Sendable,
    _ range: ClosedRange<Int>
  ) -> FeedSettingKey {
    FeedSettingKey(
      name: name,
      help: help,
      set: { $0[keyPath: path] = try Value.integer($1, range) },
      show: { $0[keyPath: path].map(String.init) },
      reset: { $0[keyPath: path] = nil }
    )
  }
}
