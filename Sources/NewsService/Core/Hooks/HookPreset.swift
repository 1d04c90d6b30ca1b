import NewsToolbox

/// A hook that is ready for a service but for what its user fills in: the address of a server of one's own, and the words
/// in capitals.
public struct HookPreset: Hashable, Sendable {
  /// What the user fills in.
  public struct Field: Hashable, Sendable {
    /// The name in forms and in the store.
    public var name: String
    /// What it is, in lower case: "access key".
    public var title: String
    /// True: it is not shown again.
    public var isSecret: Bool
    /// What the preset has in its place; nil: a word.
    public var example: String?
  }

  public var name: String
  /// What the hook does, with the name of the service: "Linkding: bookmark the item's page".
  public var summary: String
  /// Where the user finds what to fill in.
  public var advice: String
  public let hook: Hook
  public let fields: [Field]
  private let secrets: [String: String]

  /// The hook names the `secrets`. They, the URLs and the templates contain the words in capitals.
  public init(name: String, summary: String, advice: String, hook: Hook, secrets: [String: String]) {
    self.name = name
    self.summary = summary
    self.advice = advice
    self.hook = hook
    self.secrets = secrets
    fields = Self.fields(hook, secrets)
  }

  // MARK: Fields

  static let address = "address"
  static let mail = "mail"
  /// The word for a user name and a password in Basic credentials (RFC 7617).
  private static let basic = "BASE64"

  /// The words that stand for what the user fills in.
  private static let words: [String: (title: String, isSecret: Bool)] = [
    "ACCESSKEY": ("access key", true), "ID": ("client ID", false), "KEY": ("key", true),
    "NAME": ("user name", false), "PASSWORD": ("password", true), "SECRET": ("secret", true),
    "TOKEN": ("token", true), "YOU": ("user name", false), "YOUR-TOPIC": ("topic", true),
  ]

  /// The origin in the URLs of a hook for a server of one's own; nil: the server is always the same.
  private static func exampleOrigin(_ hook: Hook) -> String? {
    guard case .url(let url) = hook.target, let address = WebAddress(url), address.host.hasSuffix(".example")
    else { return nil }
    return address.root
  }

  private static func fields(_ hook: Hook, _ secrets: [String: String]) -> [Field] {
    var fields: [Field] = []
    if let origin = exampleOrigin(hook) {
      fields.append(Field(name: address, title: "address", isSecret: false, example: origin))
    }
    var texts = [hook.template ?? "", hook.next?.template ?? ""]
    switch hook.target {
    case .url(let url): texts.append(url)
    case .mail(let example):
      fields.append(Field(name: mail, title: "mail address", isSecret: false, example: example))
    case .exec: break
    }
    texts += secrets.sorted { $0.key < $1.key }.map(\.value)
    for text in texts {
      _ = replacingWords(of: text) { word in
        for word in word == basic ? ["NAME", "PASSWORD"] : [word] {
          guard let known = words[word], !fields.contains(where: { $0.name == word.lowercased() }) else {
            continue
          }
          fields.append(Field(name: word.lowercased(), title: known.title, isSecret: known.isSecret))
        }
        return nil
      }
    }
    return fields
  }

  /// Replaces the words in capitals for which `replacement` returns a text.
  private static func replacingWords(of text: String, _ replacement: (String) -> String?) -> String {
    var result: [UInt8] = []
    var word: [UInt8] = []
    func endWord() {
      guard !word.isEmpty else { return }
      let known = String(decoding: word, as: UTF8.self)
      result += Array((replacement(known) ?? known).utf8)
      word = []
    }
    for byte in text.utf8 {
      let continues =
        ASCII.isUppercase(byte) || !word.isEmpty && (ASCII.isDigit(byte) || byte == UInt8(ascii: "-"))
      if continues {
        word.append(byte)
      } else {
        endWord()
        result.append(byte)
      }
    }
    endWord()
    return String(decoding: result, as: UTF8.self)
  }

  // MARK: Filling in

  /// Where a word stands, which decides how its value is written.
  private enum Place { case header, form, template }

  /// Maximum number of bytes of a value.
  private static let longest = 1000

  /// Returns the hook with what its user has filled in, and the secrets that it names. Throws `badQuery` for a value that is
  /// missing or cannot be used.
  public func filled(with given: PageHook) throws(StoreError) -> (hook: Hook, secrets: [String: String]) {
    for field in fields { try check(given.values[field.name] ?? "", field) }
    var hook = self.hook
    hook.name = given.name
    hook.isOfPage = true
    hook.query = given.query ?? hook.query.map { _ in "" }
    let server = given.values[Self.address].map { Self.trimmed($0) }
    func url(_ text: String) -> String {
      guard let server, let origin = Self.exampleOrigin(self.hook), text.hasPrefix(bytesOf: origin) else {
        return fill(text, .template, given.values)
      }
      return server + fill(String(text.slice(origin.utf8.count...)), .template, given.values)
    }
    switch hook.target {
    case .url(let text): hook.target = .url(url(text))
    case .mail: hook.target = .mail(given.values[Self.mail] ?? "")
    case .exec: throw Self.error("the page has no hooks that run programs")
    }
    hook.template = hook.template.map { fill($0, .template, given.values) }
    hook.next = hook.next.map {
      Hook.NextRequest(url: url($0.url), template: fill($0.template, .template, given.values))
    }
    // Secrets of the page do not get in the way of those of the configuration.
    func own(_ name: String) -> String { "page:\(given.name)/\(name)" }
    hook.headers = hook.headers.map { header in
      guard let name = Hook.secretName(in: header.value) else { return header }
      return Hook.Header(name: header.name, value: "config:" + own(name))
    }
    var form: String?
    switch hook.token {
    case .oauth(let address, let name):
      form = name
      hook.token = .oauth(url: url(address), form: own(name))
    case .jwt(let name): hook.token = .jwt(secret: own(name))
    case nil: break
    }
    var secrets: [String: String] = [:]
    for (name, text) in self.secrets {
      secrets[own(name)] = fill(text, name == form ? .form : .header, given.values)
    }
    hook.hiddenTexts = fields.filter(\.isSecret).compactMap { given.values[$0.name] }
    return (hook, secrets)
  }

  /// Returns values with the former ones in place of empty secrets. Throws `badQuery` if secrets are empty and the server is
  /// another one, which must not get them.
  public func values(
    _ values: [String: String],
    completing former: [String: String]
  ) throws(StoreError) -> [String: String] {
    var values = values
    func server(_ values: [String: String]) -> String? {
      values[Self.address].flatMap { WebAddress($0)?.root }
    }
    for field in fields where field.isSecret && values[field.name]?.isEmpty != false {
      guard server(values) == server(former) else {
        throw Self.error("the \(field.title) must be typed again, because the server is another one")
      }
      values[field.name] = former[field.name]
    }
    return values
  }

  private func fill(_ text: String, _ place: Place, _ values: [String: String]) -> String {
    Self.replacingWords(of: text) { word in
      if word == Self.basic, let name = values["name"], let password = values["password"] {
        return Base64.encode(Array("\(name):\(password)".utf8))
      }
      guard Self.words[word] != nil, let value = values[word.lowercased()] else { return nil }
      return place == .form ? PercentCoding.encode(value, keeping: PercentCoding.isUnreserved) : value
    }
  }

  private static func error(_ message: String) -> StoreError { StoreError(code: .badQuery, message: message) }

  private func check(_ value: String, _ field: Field) throws(StoreError) {
    guard !value.isEmpty else { throw Self.error("the \(field.title) is missing") }
    guard value.utf8.count <= Self.longest else {
      throw Self.error("the \(field.title) must have at most \(Self.longest) bytes")
    }
    switch field.name {
    case Self.address:
      let isPlain =
        !value.containsAny("?#{}@\\") && value.utf8.allSatisfy { $0 > UInt8(ascii: " ") && $0 < 0x7F }
      guard WebAddress(value)?.isWeb == true, isPlain else {
        throw Self.error("the address must be an http or https URL without a query, not '\(value)'")
      }
    case Self.mail:
      guard Hook.isMailAddress(value) else { throw Self.error("'\(value)' is not one mail address") }
    default:
      // In templates and URLs, such values need no escaping.
      let isInTemplate = isInTemplate(field)
      guard isInTemplate ? value.utf8.allSatisfy(PercentCoding.isUnreserved) : FeedSettings.isSendable(value)
      else {
        let rule =
          isInTemplate
          ? "must have only letters, digits, '-', '.', '_' and '~'" : "must have no control characters"
        throw Self.error("the \(field.title) \(rule)")
      }
    }
  }

  private func isInTemplate(_ field: Field) -> Bool {
    var texts = [hook.template ?? "", hook.next?.template ?? ""]
    if case .url(let url) = hook.target { texts.append(url) }
    var isFound = false
    for text in texts {
      _ = Self.replacingWords(of: text) { word in
        isFound = isFound || word.lowercased() == field.name && Self.words[word] != nil
        return nil
      }
    }
    return isFound
  }

  private static func trimmed(_ address: String) -> String {
    var bytes = Array(address.utf8)
    while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
