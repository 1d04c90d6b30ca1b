import Modules
import NewsCore

/// The settings of feeds with the names and units of `newsd feeds set`, for the web page.
struct FeedSettingWords: FeedSettingWording {
  func words(of settings: FeedSettings) -> [FeedDetailsViewModel.Setting] {
    FeedSettingKey.all.map { key in
      FeedDetailsViewModel.Setting(
        name: key.name.rawValue,
        help: key.help,
        value: key.name.text(in: settings)
      )
    }
  }

  func apply(_ values: [String: String], to settings: inout FeedSettings) throws(UserMessage) {
    do {
      // Apply the values in the order of the table, so that the same values always have the same result.
      let words = FeedSettingKey.all.compactMap { key in
        values[key.name.rawValue].map { "\(key.name.rawValue)=\($0)" }
      }
      settings = try FeedSettingsEditor.applying(try FeedSettingKey.changes(words), to: settings)
    } catch let error as UsageError {
      throw UserMessage(code: .usage, text: error.message)
    } catch {
      throw UserMessage(code: .usage, text: "\(error)")
    }
  }
}
