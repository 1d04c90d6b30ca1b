import NewsToolbox

/// A hook that is ready for a service: the lines of the configuration, with the places to fill in in capitals. The files
/// are in the folder `Presets`.
struct HookPreset {
  var name: String
  /// The lines of the configuration. The first line is a comment that names the service and says what the hook does.
  var text: String

  private init(_ name: String, _ bytes: [UInt8]) {
    self.name = name
    text = String(decoding: bytes, as: UTF8.self)
  }

  static let all = [
    HookPreset("archive", PackageResources.archive_yaml),
    HookPreset("gotify", PackageResources.gotify_yaml),
    HookPreset("instapaper", PackageResources.instapaper_yaml),
    HookPreset("karakeep", PackageResources.karakeep_yaml),
    HookPreset("linkding", PackageResources.linkding_yaml),
    HookPreset("linkwarden", PackageResources.linkwarden_yaml),
    HookPreset("mail", PackageResources.mail_yaml),
    HookPreset("markdown", PackageResources.markdown_yaml),
    HookPreset("ntfy", PackageResources.ntfy_yaml),
    HookPreset("pinboard", PackageResources.pinboard_yaml),
    HookPreset("raindrop", PackageResources.raindrop_yaml),
    HookPreset("readeck", PackageResources.readeck_yaml),
    HookPreset("readwise", PackageResources.readwise_yaml),
    HookPreset("shaarli", PackageResources.shaarli_yaml),
    HookPreset("wallabag", PackageResources.wallabag_yaml),
  ]

  /// The names, each with the first line of its file.
  static var list: String {
    let width = all.map(\.name.utf8.count).max() ?? 0
    return all.map { preset in
      let line = (preset.text.cut(atFirst: "\n")?.before ?? "").dropFirst("# ".count)
      return preset.name + String(repeating: " ", count: width + 2 - preset.name.utf8.count) + line + "\n"
    }.joined()
  }
}
