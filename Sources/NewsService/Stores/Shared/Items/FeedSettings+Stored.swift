import NewsCore
import NewsToolbox

/// The `settings` column: one JSON object whose members have the names of the properties, in alphabetical order. The
/// column is NULL if no setting is set, as for most feeds.
///
/// Statements find paused and hidden feeds by these conditions; a quotation mark within a value is escaped, so that
/// no value looks like a member.
extension FeedSettings {
  /// Decodes the column and ignores unknown members. Numbers are clamped, because an imported row can hold any value.
  package init(stored text: String?) {
    self.init()
    guard let text, let value = JSONValue(valid: text) else { return }
    article = value["article"]?.string.flatMap(ArticlePolicy.init(rawValue:))
    articleContent = value["articleContent"]?.string
    articleNext = value["articleNext"]?.string
    articleRemove = value["articleRemove"]?.string
    allowsLocalOrigin = value["allowsLocalOrigin"]?.bool
    certificateAuthority = value["certificateAuthority"]?.string
    clientCertificate = value["clientCertificate"]?.string
    credential = value["credential"]?.string
    encoding = value["encoding"]?.string
    headers = value["headers"]?.array?.compactMap(\.string)
    identity = value["identity"]?.string
    isHidden = value["hidden"]?.bool
    isPaused = value["paused"]?.bool
    keepDays = value["keepDays"]?.integer.map { Int($0) }
    keepItems = value["keepItems"]?.integer.map { Int($0) }
    maximumBytes = value["maximumBytes"]?.integer.map { Int($0) }
    maximumInterval = value["maximumInterval"]?.integer
    minimumInterval = value["minimumInterval"]?.integer
    proxy = value["proxy"]?.string
    secretsFor = value["secretsFor"]?.string
    timeout = value["timeout"]?.integer
    userAgent = value["userAgent"]?.string
    verifiesTLS = value["verifiesTLS"]?.bool
    self = clamped()
  }

  /// The condition of SQL for feeds that are paused or hidden.
  package static let pausedCondition = "(settings IS NOT NULL AND settings LIKE '%\"paused\":true%')"
  package static let hiddenCondition = "(settings IS NOT NULL AND settings LIKE '%\"hidden\":true%')"

  /// The encoded column; nil if no setting is set.
  package var storedText: String? {
    var members: [JSONValue.Member] = []
    func add(_ name: String, _ value: JSONValue?) {
      if let value { members.append(.init(name: name, value: value)) }
    }
    add("allowsLocalOrigin", allowsLocalOrigin.map(JSONValue.bool))
    add("article", article.map { .string($0.rawValue) })
    add("articleContent", articleContent.map(JSONValue.string))
    add("articleNext", articleNext.map(JSONValue.string))
    add("articleRemove", articleRemove.map(JSONValue.string))
    add("certificateAuthority", certificateAuthority.map(JSONValue.string))
    add("clientCertificate", clientCertificate.map(JSONValue.string))
    add("credential", credential.map(JSONValue.string))
    add("encoding", encoding.map(JSONValue.string))
    add("headers", headers.map { .array($0.map(JSONValue.string)) })
    add("hidden", isHidden.map(JSONValue.bool))
    add("identity", identity.map(JSONValue.string))
    add("keepDays", keepDays.map { .integer(Int64($0)) })
    add("keepItems", keepItems.map { .integer(Int64($0)) })
    add("maximumBytes", maximumBytes.map { .integer(Int64($0)) })
    add("maximumInterval", maximumInterval.map(JSONValue.integer))
    add("minimumInterval", minimumInterval.map(JSONValue.integer))
    add("paused", isPaused.map(JSONValue.bool))
    add("proxy", proxy.map(JSONValue.string))
    add("secretsFor", secretsFor.map(JSONValue.string))
    add("timeout", timeout.map(JSONValue.integer))
    add("userAgent", userAgent.map(JSONValue.string))
    add("verifiesTLS", verifiesTLS.map(JSONValue.bool))
    return members.isEmpty ? nil : JSONValue.object(members).serialized
  }
}
