import DIContainer
import NewsCore
import NewsToolbox

/// Parses the settings of one feed as typed: `timeout=30s`.
struct FeedSettingKey: Sendable {
  var name: FeedSetting
  var help: String
  /// Parses a value.
  var set: @Sendable (inout FeedSettings, String) throws -> Void

  private typealias Value = ConfigurationValue

  static let all: [FeedSettingKey] = [
    line(.userAgent, "the User-Agent of requests for this feed", \.userAgent),
    FeedSettingKey(name: .header, help: "an extra request header, 'Name: value'; may repeat") {
      settings,
      text in
      guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon != text.startIndex,
        FeedSettings.isSendable(text)
      else {
        throw Value.Problem(message: "takes 'Name: value' without control characters")
      }
      settings.headers = [text]
    },
    line(
      .credential,
      "env:NAME, file:PATH or config:NAME, where newsd finds user:password or 'Bearer TOKEN'",
      \.credential
    ) {
      guard ["env:", "file:", "config:"].contains(where: $0.hasPrefix) else {
        throw Value.Problem(
          message: "takes env:NAME, file:PATH or config:NAME; a secret itself is not kept in the store"
        )
      }
    },
    value(.proxy, "the address of a proxy, such as socks5h://HOST:PORT", \.proxy) { try Value.proxy($0) },
    line(.secretsFor, "the origin to which credential, header and client-certificate are sent", \.secretsFor),
    line(.clientCertificate, "path of a PEM file with certificate and key", \.clientCertificate),
    line(
      .certificateAuthority,
      "path of a PEM file with certificate authorities, instead of the system's",
      \.certificateAuthority
    ),
    line(.encoding, "decode the feed as this encoding", \.encoding) { _ = try Value.encoding($0) },
    value(.verifiesTLS, "false: do not verify the server's certificate", \.verifiesTLS) {
      try Value.boolean($0)
    },
    seconds(.timeout, "time limit for one request with its redirects", \.timeout, FeedSettings.timeouts),
    seconds(.minimumInterval, "lower bound of the poll interval", \.minimumInterval, FeedSettings.intervals),
    seconds(.maximumInterval, "upper bound of the poll interval", \.maximumInterval, FeedSettings.intervals),
    value(.maximumSize, "maximum size of a decoded body: 512KiB, 20MiB", \.maximumBytes) {
      try Value.bytes($0, FeedSettings.bodySizes)
    },
    value(.keepDays, "number of days after which items are pruned", \.keepDays) {
      try Value.integer($0, FeedSettings.days)
    },
    value(.keepItems, "number of newest items to keep; older ones are pruned", \.keepItems) {
      try Value.integer($0, FeedSettings.itemCounts)
    },
    value(.paused, "true: do not poll the feed; a fetch that names it fetches it", \.isPaused) {
      try Value.boolean($0)
    },
    value(.hidden, "true: leave its items out of Unread and All in the reader and on the page", \.isHidden) {
      try Value.boolean($0)
    },
    value(
      .article,
      "fetch whole articles of new items: always, never, or auto (if most newest items are excerpts)",
      \.article
    ) { text throws -> ArticlePolicy in
      guard let policy = ArticlePolicy(rawValue: text) else {
        throw Value.Problem(message: "takes auto, always or never, not '\(text)'")
      }
      return policy
    },
    selectors(.articleContent, "CSS selectors of the elements with the article", \.articleContent),
    selectors(.articleRemove, "CSS selectors of elements to leave out", \.articleRemove),
    selectors(.articleNext, "CSS selectors of the link to the article's next page", \.articleNext),
  ]

  /// Parses words of the form `key=value`. An empty value resets the setting to the general configuration.
  static func changes(_ words: [String]) throws(UsageError) -> [FeedSettingChange] {
    var changes: [FeedSettingChange] = []
    for word in words {
      let change = try change(word)
      if change.setting != .header, changes.contains(where: { $0.setting == change.setting }) {
        throw UsageError("\(change.setting.rawValue) is given more than once", command: "feeds set")
      }
      changes.append(change)
    }
    return changes
  }

  private static func change(_ word: String) throws(UsageError) -> FeedSettingChange {
    guard let equals = word.utf8.firstIndex(of: UInt8(ascii: "=")) else {
      throw UsageError("a setting is KEY=VALUE, not '\(word)'", command: "feeds set")
    }
    let name = String(word[..<equals])
    let value = String(word[word.utf8.index(after: equals)...])
    guard let key = all.first(where: { $0.name.rawValue == name }) else {
      throw UsageError(
        "no setting is called '\(name)'"
          + NameHint.text(for: name, among: ["url"] + all.map(\.name.rawValue)),
        command: "feeds set"
      )
    }
    guard !value.isEmpty else { return FeedSettingChange(key.name, to: nil) }
    var settings = FeedSettings()
    do {
      try key.set(&settings, value)
    } catch let problem as Value.Problem {
      throw UsageError("\(name) \(problem.message)", command: "feeds set")
    } catch {
      throw UsageError("\(name): \(error)", command: "feeds set")
    }
    return FeedSettingChange(key.name, to: settings)
  }

  private static func value<Parsed>(
    _ name: FeedSetting,
    _ help: String,
    _ path: any WritableKeyPath<FeedSettings, Parsed?> & Sendable,
    parse: @escaping @Sendable (String) throws -> Parsed
  ) -> FeedSettingKey {
    FeedSettingKey(name: name, help: help) { $0[keyPath: path] = try parse($1) }
  }

  private static func line(
    _ name: FeedSetting,
    _ help: String,
    _ path: any WritableKeyPath<FeedSettings, String?> & Sendable,
    check: @escaping @Sendable (String) throws -> Void = { _ in }
  ) -> FeedSettingKey {
    value(name, help, path) { text in
      guard FeedSettings.isSendable(text) else {
        throw Value.Problem(message: "takes one line without control characters")
      }
      try check(text)
      return text
    }
  }

  private static func selectors(
    _ name: FeedSetting,
    _ help: String,
    _ path: any WritableKeyPath<FeedSettings, String?> & Sendable
  ) -> FeedSettingKey {
    line(name, help, path) { text in
      if let problem = SelectorWords.problem(in: text) {
        throw Value.Problem(message: "is not a list of CSS selectors that newsd knows: \(problem)")
      }
    }
  }

  private static func seconds(
    _ name: FeedSetting,
    _ help: String,
    _ path: any WritableKeyPath<FeedSettings, Int64?> & Sendable,
    _ range: ClosedRange<Int64>
  ) -> FeedSettingKey {
    value(name, help, path) { try Value.seconds($0, Int(range.lowerBound)...Int(range.upperBound)) }
  }
}
