import NewsSearch
import DIContainer
import NewsCore
import NewsFormats
import NewsToolbox

/// The section `hooks:`, a list of hooks.
struct HookConfiguration {
  static let section = "hooks"
  private static let keys = [
    "name", "account", "query", "exec", "url", "mail", "secret", "headers", "template", "every", "at",
    "backlog",
    "allow_private", "method", "oauth", "jwt", "answer",
    "then", "events", "failing_after", "timeout",
  ]

  let file: String
  /// Secrets of the configuration, by name.
  let credentials: Set<String>
  /// The secrets of each account, by name.
  var ofAccounts: [String: Set<String>] = [:]

  /// Reads the list of hooks. A hook with `account` belongs to that account.
  func apply(_ node: YAMLNode, to settings: inout Settings) throws(ConfigurationError) {
    settings.hooks = []
    for (account, hook) in try hooks(node) {
      if let account {
        settings.accounts.hooks[account, default: []].append(hook)
      } else {
        settings.hooks.append(hook)
      }
    }
  }

  private func hooks(_ node: YAMLNode) throws(ConfigurationError) -> [(account: String?, hook: Hook)] {
    if case .scalar("") = node.value { return [] }
    guard case .sequence(let nodes) = node.value else {
      throw error(node, "hooks takes a list, such as '- {name: phone, url: https://…}'")
    }
    var hooks: [(account: String?, hook: Hook)] = []
    for node in nodes {
      let (account, hook) = try hook(node)
      let isTwice = hooks.contains {
        $0.account == account && $0.hook.name.lowercased() == hook.name.lowercased()
      }
      guard !isTwice else { throw error(node, "hooks.\(hook.name) is listed twice") }
      hooks.append((account, hook))
    }
    return hooks
  }

  private func error(_ node: YAMLNode, _ text: String) -> ConfigurationError {
    ConfigurationError(file, node, text)
  }

  private func hook(_ node: YAMLNode) throws(ConfigurationError) -> (account: String?, hook: Hook) {
    guard case .mapping(let pairs) = node.value else {
      throw error(node, "a hook takes 'key: value' lines: name, query, and exec, url or mail")
    }
    var values: [String: YAMLNode] = [:]
    for (key, value) in pairs {
      guard case .scalar(let word) = key.value else { throw error(key, "a key must be a plain word") }
      guard Self.keys.contains(word) else {
        throw error(key, "unknown key hooks.\(word)" + NameHint.text(for: word, among: Self.keys))
      }
      guard values.updateValue(value, forKey: word) == nil else {
        throw error(key, "hooks.\(word) is set twice")
      }
    }
    guard let named = values["name"] else { throw error(node, "a hook needs a name") }
    let name = try text(named, "name")
    guard Hook.isName(name) else {
      throw error(named, "hooks.name takes letters, digits, '-', '_' and '.', at most 64, not '\(name)'")
    }
    var hook = Hook(name: name, target: try target(values, node, name))
    let account = try values["account"].map { node throws(ConfigurationError) in try text(node, "account") }
    try readSelection(values, &hook)
    try readRequest(values, account, &hook)
    try readSchedule(values, &hook)
    return (account, hook)
  }

  // MARK: Parts

  private func target(
    _ values: [String: YAMLNode],
    _ node: YAMLNode,
    _ name: String
  ) throws(ConfigurationError) -> Hook.Target {
    let given = ["exec", "url", "mail"].filter { values[$0] != nil }
    guard given.count == 1, let value = values[given[0]] else {
      let problem = given.isEmpty ? "none is given" : "\(given.joined(separator: " and ")) are given"
      throw error(node, "hooks.\(name) takes exactly one of exec, url and mail; \(problem)")
    }
    let place = "\(file):\(value.line): hooks.\(given[0])"
    switch given[0] {
    case "exec":
      return .exec(try ReaderConfiguration.words(value, place))
    case "url":
      return .url(try hasNoBody(values) ? urlTemplate(value) : url(value, "url"))
    default:
      let address = try text(value, "mail")
      guard Hook.isMailAddress(address) else {
        throw error(value, "hooks.mail takes one mail address, not '\(address)'")
      }
      return .mail(address)
    }
  }

  private func url(_ node: YAMLNode, _ key: String) throws(ConfigurationError) -> String {
    let url = try text(node, key)
    guard WebAddress(url)?.isWeb == true, !url.utf8.contains(where: { $0 <= UInt8(ascii: " ") }) else {
      throw error(node, "hooks.\(key) takes an http or https URL, not '\(url)'")
    }
    return url
  }

  /// Reads the URL of a hook with `method: GET`. An item must not choose the host, so the query or path begins before the
  /// first field.
  private func urlTemplate(_ node: YAMLNode) throws(ConfigurationError) -> String {
    let template = try text(node, "url")
    let start = template.utf8.firstIndex(of: UInt8(ascii: "{")) ?? template.endIndex
    let fixed = String(template[..<start])
    guard WebAddress(fixed)?.isWeb == true, fixed.utf8.count(where: { $0 == UInt8(ascii: "/") }) > 2 else {
      throw error(node, "hooks.url takes an http or https URL whose host has no fields, not '\(template)'")
    }
    if let problem = HookBodyWriter.problem(inTemplate: template) {
      throw error(node, "hooks.url: \(problem)")
    }
    return template
  }

  private func hasNoBody(_ values: [String: YAMLNode]) throws(ConfigurationError) -> Bool {
    guard let value = values["method"] else { return false }
    switch try text(value, "method") {
    case "POST": return false
    case "GET": return true
    case let method: throw error(value, "hooks.method takes POST or GET, not '\(method)'")
    }
  }

  private func readSelection(_ values: [String: YAMLNode], _ hook: inout Hook) throws(ConfigurationError) {
    if let value = values["events"] {
      for word in try list(value, "events") {
        guard let event = HookEvent.configurable.first(where: { $0.rawValue == word }) else {
          let names = HookEvent.configurable.map(\.rawValue)
          throw error(value, "hooks.events has no event '\(word)'" + NameHint.text(for: word, among: names))
        }
        hook.events.insert(event)
      }
    }
    // A hook for events needs no query; a hook without query and events fires for all items.
    hook.query = hook.events.isEmpty ? "" : nil
    if let value = values["query"] {
      let text = try text(value, "query")
      do throws(QueryError) {
        _ = try QueryParser.parse(text, now: Timestamp(seconds: 0))
      } catch let problem {
        throw error(value, "hooks.query: \(problem.message)")
      }
      hook.query = text
    }
    if let value = values["backlog"] {
      hook.takesBacklog = try read(value, "backlog", ConfigurationValue.boolean)
    }
    if let value = values["failing_after"] {
      hook.failingAfter = try read(value, "failing_after") { text throws(ConfigurationValue.Problem) in
        try ConfigurationValue.seconds(text, 3600...365 * 86_400)
      }
    }
  }

  private func readRequest(
    _ values: [String: YAMLNode],
    _ account: String?,
    _ hook: inout Hook
  ) throws(ConfigurationError) {
    if let value = values["template"] {
      let text = try text(value, "template")
      if let problem = HookBodyWriter.problem(inTemplate: text) {
        throw error(value, "hooks.template: \(problem)")
      }
      hook.template = text
    }
    if let value = values["timeout"] {
      hook.timeout = try read(value, "timeout") { text throws(ConfigurationValue.Problem) in
        try ConfigurationValue.milliseconds(text, 100...3_600_000)
      }
    }
    if let value = values["allow_private"] {
      hook.allowsPrivate = try read(value, "allow_private", ConfigurationValue.boolean)
    }
    if let value = values["secret"] {
      hook.secret = try secretName(value, "secret")
    }
    if let value = values["headers"] { hook.headers = try headers(value) }
    hook.token = try token(values)
    if let value = values["answer"] { hook.answer = try text(value, "answer") }
    hook.hasNoBody = try hasNoBody(values)
    hook.next = try next(values)
    if hook.hasNoBody {
      for key in ["template", "then", "secret", "every", "at"] {
        guard let value = values[key] else { continue }
        throw error(value, "hooks.\(key) has no effect with hooks.method GET")
      }
    }
    for key in ["secret", "headers", "allow_private", "method", "oauth", "jwt", "answer", "then"] {
      guard let value = values[key] else { continue }
      guard case .url = hook.target else { throw error(value, "hooks.\(key) needs hooks.url") }
    }
    let secrets = account.map { ofAccounts[$0] ?? [] } ?? credentials
    for name in hook.secretNames where !secrets.contains(name) {
      let place = values["secret"] ?? values["headers"] ?? values["oauth"] ?? values["jwt"]
      throw ConfigurationError(
        message:
          "\(file):\(place?.line ?? 0): hooks.\(hook.name) names config:\(name), which is not under 'credentials'"
      )
    }
  }

  /// Reads `then`. Its URL gets the same headers, and so must have the same origin.
  private func next(_ values: [String: YAMLNode]) throws(ConfigurationError) -> Hook.NextRequest? {
    guard let value = values["then"] else { return nil }
    let parts = try members(value, of: ["url", "template"], "then takes {url: URL, template: TEXT}")
    for key in ["every", "at"] where values[key] != nil {
      throw error(value, "hooks.then has no effect with hooks.\(key)")
    }
    guard values["template"] != nil else { throw error(value, "hooks.then needs hooks.template") }
    let address = try url(parts[0], "then.url")
    let first = try values["url"].map { node throws(ConfigurationError) in try text(node, "url") } ?? ""
    guard let origin = WebAddress(address)?.origin, origin == WebAddress(first)?.origin else {
      throw error(parts[0], "hooks.then.url needs the host of hooks.url, not '\(address)'")
    }
    let template = try text(parts[1], "then.template")
    if let problem = HookBodyWriter.problem(inTemplate: template) {
      throw error(parts[1], "hooks.then.template: \(problem)")
    }
    return Hook.NextRequest(url: address, template: template)
  }

  /// Returns the values of a mapping with exactly these keys, in their order.
  private func members(
    _ node: YAMLNode,
    of names: [String],
    _ form: String
  ) throws(ConfigurationError) -> [YAMLNode] {
    guard case .mapping(let pairs) = node.value else { throw error(node, "hooks.\(form)") }
    var found: [String: YAMLNode] = [:]
    for (key, value) in pairs {
      guard case .scalar(let name) = key.value, names.contains(name) else {
        throw error(key, "hooks.\(form)")
      }
      found[name] = value
    }
    let values = names.compactMap { found[$0] }
    guard values.count == names.count else { throw error(node, "hooks.\(form)") }
    return values
  }

  private func token(_ values: [String: YAMLNode]) throws(ConfigurationError) -> Hook.TokenSource? {
    if let value = values["oauth"], let other = values["jwt"] {
      throw error(other.line > value.line ? other : value, "hooks.oauth and hooks.jwt contradict each other")
    }
    if let value = values["jwt"] { return .jwt(secret: try secretName(value, "jwt")) }
    guard let value = values["oauth"] else { return nil }
    let parts = try members(value, of: ["url", "form"], "oauth takes {url: URL, form: config:NAME}")
    return .oauth(url: try url(parts[0], "oauth.url"), form: try secretName(parts[1], "oauth.form"))
  }

  private func secretName(_ node: YAMLNode, _ key: String) throws(ConfigurationError) -> String {
    guard let name = Hook.secretName(in: try text(node, key)) else {
      throw error(node, "hooks.\(key) takes config:NAME, the name of a secret under 'credentials'")
    }
    return name
  }

  private func headers(_ node: YAMLNode) throws(ConfigurationError) -> [Hook.Header] {
    let form = "hooks.headers takes 'Name: value' pairs"
    var headers: [Hook.Header] = []
    for (key, value) in try node.pairs(file, orElse: form) {
      guard case .scalar(let name) = key.value, case .scalar(let text) = value.value else {
        throw error(key, form)
      }
      let isToken = name.utf8.allSatisfy {
        $0 > UInt8(ascii: " ") && $0 < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0)
      }
      guard isToken, !name.isEmpty, FeedSettings.isSendable(text) else {
        throw error(
          value,
          "hooks.headers: '\(name)' or its value contains a character that HTTP does not allow"
        )
      }
      headers.append(Hook.Header(name: name, value: text))
    }
    return headers
  }

  private func readSchedule(_ values: [String: YAMLNode], _ hook: inout Hook) throws(ConfigurationError) {
    if let value = values["every"] {
      hook.digest = .every(
        try read(value, "every") { text throws(ConfigurationValue.Problem) in
          try ConfigurationValue.seconds(text, 60...31 * 86_400)
        }
      )
    }
    guard let value = values["at"] else { return }
    guard hook.digest == nil else { throw error(value, "hooks.at and hooks.every contradict each other") }
    let text = try text(value, "at")
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      .map { $0.count == 2 && $0.allSatisfy(ASCII.isDigit) ? Int64(String(Substring($0))) : nil }
    guard parts.count == 2, let hour = parts[0], let minute = parts[1], hour < 24, minute < 60 else {
      throw error(value, "hooks.at takes a time of day such as '07:00', not '\(text)'")
    }
    hook.digest = .at(hour * 3600 + minute * 60)
  }

  // MARK: Values

  private func text(_ node: YAMLNode, _ key: String) throws(ConfigurationError) -> String {
    guard case .scalar(let text) = node.value else { throw error(node, "hooks.\(key) takes one plain value") }
    return text
  }

  private func list(_ node: YAMLNode, _ key: String) throws(ConfigurationError) -> [String] {
    guard case .sequence(let nodes) = node.value else { throw error(node, "hooks.\(key) takes a list") }
    var words: [String] = []
    for node in nodes { words.append(try text(node, key)) }
    return words
  }

  private func read<Value>(
    _ node: YAMLNode,
    _ key: String,
    _ parse: (String) throws(ConfigurationValue.Problem) -> Value
  ) throws(ConfigurationError) -> Value {
    let text = try text(node, key)
    do throws(ConfigurationValue.Problem) {
      return try parse(text)
    } catch let problem {
      throw error(node, "hooks.\(key) \(problem.message)")
    }
  }
}
