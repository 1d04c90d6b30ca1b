import NewsCore
import Testing

@testable import newsd

@Suite struct `Presets that the page offers` {
  @Test func `Each preset but the one that runs a program has what its user fills in`() {
    let fields = Dictionary(uniqueKeysWithValues: PresetFile.ofPage.map { ($0.name, $0.fields.map(\.name)) })
    let token = ["address", "token"]
    #expect(
      fields == [
        "archive": ["accesskey", "secret"], "gotify": token, "instapaper": ["name", "password"],
        "karakeep": ["address", "key"], "linkding": token, "linkwarden": token, "mail": ["mail"],
        "ntfy": ["your-topic"], "pinboard": ["you", "token"], "raindrop": ["token"], "readeck": token,
        "readwise": ["token"], "shaarli": ["address", "secret"],
        "wallabag": ["address", "id", "secret", "name", "password"],
      ]
    )
    #expect(PresetFile.all.map(\.name).filter { fields[$0] == nil } == ["markdown"])
  }

  @Test(arguments: PresetFile.ofPage.map(\.name))
  func `Nothing of an example stays in a preset that is filled in`(_ name: String) throws {
    let preset = try #require(PresetFile.ofPage.first { $0.name == name })
    var given = PageHook(name: name, preset: name)
    for field in preset.fields {
      given.values[field.name] =
        switch field.name {
        case "address": "https://own.org/x"
        case "mail": "me@own.org"
        default: "given"
        }
    }
    let (hook, secrets) = try preset.filled(with: given)
    let text = "\(hook.target) \(hook.template ?? "") \(hook.next?.url ?? "") \(secrets.values)"
    #expect(!text.contains(".example") && !text.contains("you@"), "\(text)")
    let words = text.matches(of: /[A-Z][A-Z0-9-]+/).map { String($0.output) }
    // LOW is the name of the scheme of archive.org.
    #expect(
      words.filter { $0 != "LOW" && !secrets.values.contains { $0.hasPrefix("Basic ") } }.isEmpty,
      "\(words)"
    )
    #expect(Set(secrets.keys) == Set(hook.secretNames))
  }
}
