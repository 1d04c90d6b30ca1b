import Glibc
import Modules
import NewsCore
import NewsToolbox

/// The start of a player for one recording.
///
/// mpv writes the place where it was left into a file of a folder (`--save-position-on-quit`), which newsd makes for this
/// call. If it ends with success and without such a file, it played the recording to its end. Other players get only
/// the address, and newsd learns no place.
public struct PlayerCall: Hashable, Sendable {
  let player: [String]
  let item: NewsItem.ID
  let number: Int64
  let url: String
  /// The place where playing begins, in seconds.
  let position: Int64

  init(_ player: [String], _ recording: NewsItemPage.Recording, of item: NewsItem.ID) {
    self.player = player
    self.item = item
    number = recording.number
    url = recording.url
    position = recording.position
  }

  private var isMPV: Bool {
    player.first.map { ($0.cut(atLast: "/")?.after ?? $0[...]) == "mpv" } ?? false
  }

  /// Calls `run` with the words of the program. Returns how far the recording was played; nil: unknown.
  func play(_ run: ([String]) -> String?) -> (problem: String?, played: PlaybackRequest?) {
    guard isMPV, let folder = Self.temporaryFolder() else { return (run(player + [url]), nil) }
    defer { Self.remove(folder) }
    let words = [
      "--start=\(position)", "--save-position-on-quit", "--watch-later-directory=\(folder)",
      "--watch-later-options=start", "--", url,
    ]
    let problem = run(player + words)
    let end = Self.files(folder).lazy.compactMap { Self.place(in: "\(folder)/\($0)") }.first
    guard end != nil || problem == nil else { return (problem, nil) }
    return (
      problem, PlaybackRequest(item: item, number: number, position: end ?? 0, isPlayed: end == nil)
    )
  }

  /// Reads the line `start=123.45` of a file that mpv wrote.
  private static func place(in path: String) -> Int64? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = fread(&buffer, 1, buffer.count, file)
    for line in String(decoding: buffer.prefix(count), as: UTF8.self).split(ascii: "\n") {
      guard line.hasPrefix(bytesOf: "start="), let seconds = Double(line.slice(6...)), seconds >= 0,
        seconds < Double(Int32.max)
      else { continue }
      return Int64(seconds)
    }
    return nil
  }

  private static func temporaryFolder() -> String? {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/newsd-play-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func files(_ folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private static func remove(_ folder: String) {
    for name in files(folder) { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }
}
