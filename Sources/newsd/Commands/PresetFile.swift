import DIContainer
import NewsCore
import NewsToolbox

/// A hook that is ready for a service: the lines of the configuration, with the places to fill in in capitals. The files
/// are in the folder `Presets`.
struct PresetFile {
  var name: String
  /// The lines of the configuration. The first line is a comment that names the service and says what the hook does.
  var text: String

  private init(_ name: String, _ bytes: [UInt8]) {
    self.name = name
    text = String(decoding: bytes, as: UTF8.self)
  }

  static let all = [
    PresetFile("archive", PackageResources.archive_yaml),
    PresetFile("gotify", PackageResources.gotify_yaml),
    PresetFile("instapaper", PackageResources.instapaper_yaml),
    PresetFile("karakeep", PackageResources.karakeep_yaml),
    PresetFile("linkding", PackageResources.linkding_yaml),
    PresetFile("linkwarden", PackageResources.linkwarden_yaml),
    PresetFile("mail", PackageResources.mail_yaml),
    PresetFile("markdown", PackageResources.markdown_yaml),
    PresetFile("ntfy", PackageResources.ntfy_yaml),
    PresetFile("pinboard", PackageResources.pinboard_yaml),
    PresetFile("raindrop", PackageResources.raindrop_yaml),
    PresetFile("readeck", PackageResources.readeck_yaml),
    PresetFile("readwise", PackageResources.readwise_yaml),
    PresetFile("shaarli", PackageResources.shaarli_yaml),
    PresetFile("wallabag", PackageResources.wallabag_yaml),
  ]

  /// The names, each with the first line of its file.
  static var list: String {
    let width = all.map(\.name.utf8.count).max() ?? 0
    return all.map { preset in
      let line = (preset.text.cut(atFirst: "\n")?.before ?? "").dropFirst("# ".count)
      return preset.name + String(repeating: " ", count: width + 2 - preset.name.utf8.count) + line + "\n"
    }.joined()
  }

  /// The presets that the page offers: all but those with a program.
  static let ofPage = all.compactMap(\.preset).filter { preset in
    if case .exec = preset.hook.target { false } else { true }
  }

  /// The preset with what its user fills in; nil if the file has no hook.
  private var preset: HookPreset? {
    guard let root = try? YAMLNode.parse(Array(text.utf8)), let sections = try? root.pairs(name, orElse: "")
    else { return nil }
    func section(_ name: String) -> YAMLNode? {
      sections.first { if case .scalar(name) = $0.key.value { true } else { false } }?.value
    }
    var secrets: [String: String] = [:]
    for (key, value) in (try? section(ConfigurationKey.credentials)?.pairs(name, orElse: "")) ?? [] {
      if case .scalar(let name) = key.value, case .scalar(let text) = value.value { secrets[name] = text }
    }
    var settings = Settings()
    let configuration = HookConfiguration(file: name, credentials: Set(secrets.keys))
    if let node = section(HookConfiguration.section) { try? configuration.apply(node, to: &settings) }
    guard let hook = settings.hooks.first else { return nil }
    let comments = text.split(ascii: "\n").filter { $0.hasPrefix(bytesOf: "# ") }
      .map { String($0.dropFirst("# ".count)) }
    return HookPreset(
      name: name,
      summary: comments.first ?? name,
      advice: comments.dropFirst().joined(separator: " "),
      hook: hook,
      secrets: secrets
    )
  }
}
