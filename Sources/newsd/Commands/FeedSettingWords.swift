import Modules
import NewsCore

/// The settings of feeds with the names and units of `newsd feeds set`, for the web page.
struct FeedSettingWords: FeedSettingWording {
  func words(of settings: FeedSettings) -> [FeedSettingsViewModel.Setting] {
    FeedSettingKey.all.map { key in
      FeedSettingsViewModel.Setting(name: key.name, help: key.help, value: key.show(settings))
    }
  }

  func apply(_ values: [String: String], to settings: inout FeedSettings) throws(UserMessage) {
    var changed = settings
    do {
      // In the order of the table, so that the same values always have the same result.
      let words = FeedSettingKey.all.compactMap { key in values[key.name].map { "\(key.name)=\($0)" } }
      try FeedSettingKey.apply(words, to: &changed)
    } catch let error as UsageError {
      throw UserMessage(code: .usage, text: error.message)
    } catch {
      throw UserMessage(code: .usage, text: "\(error)")
    }
    settings = changed
  }
}
