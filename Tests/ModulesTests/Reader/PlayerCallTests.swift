import Glibc
import NewsCore
import Testing

@testable import Modules
@testable import NewsTerminal

@Suite struct `The player of the reader` {
  private func recording(at position: Int64, isPlayed: Bool = false) -> NewsItemPage.Recording {
    NewsItemPage.Recording(
      number: 2,
      url: "https://a.example/x.mp3",
      text: DisplayText("x"),
      isVideo: false,
      position: position,
      isPlayed: isPlayed
    )
  }

  private func call(_ player: [String], _ recording: NewsItemPage.Recording) -> PlayerCall {
    PlayerCall(player, recording, of: NewsItem.ID(rawValue: 7))
  }

  /// The folder that mpv is told to write to.
  private func folder(_ words: [String]) throws -> String {
    let start = "--watch-later-directory="
    let word = try #require(words.first { $0.hasPrefix(start) })
    return String(word.dropFirst(start.count))
  }

  @Test func `mpv begins where the recording was left, and newsd learns where it ends`() throws {
    var seen: [String] = []
    let end = call(["/usr/bin/mpv", "--no-video"], recording(at: 90)).play { words in
      seen = words
      let file = (try? folder(words)).flatMap { fopen("\($0)/ABC", "w") }
      fputs("# a comment\nstart=123.900000\n", file)
      if let file { fclose(file) }
      return nil
    }
    #expect(seen.starts(with: ["/usr/bin/mpv", "--no-video", "--start=90"]))
    #expect(seen.suffix(2) == ["--", "https://a.example/x.mp3"])
    #expect(end.played == PlaybackRequest(item: NewsItem.ID(rawValue: 7), number: 2, position: 123))
    #expect(access(try folder(seen), F_OK) != 0, "the folder is removed")
  }

  @Test func `A recording that mpv played to its end is played, and one that it could not play is not`() {
    let end = call(["mpv"], recording(at: 90)).play { _ in nil }
    #expect(
      end.played == PlaybackRequest(item: NewsItem.ID(rawValue: 7), number: 2, position: 0, isPlayed: true)
    )
    let failed = call(["mpv"], recording(at: 90)).play { _ in "mpv ended with status 2" }
    #expect(failed.played == nil && failed.problem == "mpv ended with status 2")
  }

  @Test
  func `A recording that is played again begins where it was left, and other players get only the address`() {
    var seen: [String] = []
    for position in [0, 33] as [Int64] {
      _ = call(["mpv"], recording(at: position, isPlayed: true)).play {
        seen = $0; return nil
      }
      #expect(seen.contains("--start=\(position)"))
    }
    let other = call(["vlc", "-q"], recording(at: 90)).play {
      seen = $0; return nil
    }
    #expect(seen == ["vlc", "-q", "https://a.example/x.mp3"])
    #expect(other.played == nil)
  }
}
