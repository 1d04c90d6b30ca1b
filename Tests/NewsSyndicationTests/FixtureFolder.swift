import Foundation
import Testing

/// A document in a folder of `Fixtures`, with the expected results in a file beside it, one per line.
struct LineFixture: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]
  let expected: [String]

  var testDescription: String { name }

  /// Returns the fixtures sorted by name; skips documents without expectation.
  static func all(in folder: String) -> [LineFixture] {
    let folder = SyndicationFixture.folder.appending(path: folder)
    let files =
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    return files.filter { $0.pathExtension != "expected" }.sorted { $0.path < $1.path }.compactMap { file in
      let beside = file.deletingPathExtension().appendingPathExtension("expected")
      guard let bytes = try? Data(contentsOf: file),
        let lines = try? String(contentsOf: beside, encoding: .utf8)
      else { return nil }
      return LineFixture(
        name: file.lastPathComponent,
        bytes: [UInt8](bytes),
        expected: lines.split(separator: "\n").map(String.init)
      )
    }
  }
}
