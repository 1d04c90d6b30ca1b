// Measures the feed parser over a folder of feeds, relative to libxml2's parser with empty handlers on the same bytes
// in the same run. Usage: parse-bench FOLDER [ROUNDS [plain|full]]; with the third argument it runs only that
// parser, without figures of speed.
import Glibc
import NewsCore
import NewsSyndication
import NewsToolbox

func files(in folder: String) -> [[UInt8]] {
  guard let directory = opendir(folder) else { return [] }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if !name.hasPrefix(".") { names.append(name) }
  }
  return names.sorted().compactMap { name in
    guard let bytes = try? FileBytes.read(folder + "/" + name) else { return nil }
    // The null parser reads only XML.
    return bytes.first(where: { $0 > UInt8(ascii: " ") }) == UInt8(ascii: "<")
      || bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes : nil
  }
}

func seconds(_ work: () -> Void) -> Double {
  var start = timespec()
  var end = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
  work()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
  return Double(end.tv_sec - start.tv_sec) + Double(end.tv_nsec - start.tv_nsec) / 1e9
}

@main
enum ParseBench {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count >= 2 else {
      print("usage: parse-bench FOLDER [ROUNDS]")
      exit(64)
    }
    let rounds = arguments.count > 2 ? Int(arguments[2]) ?? 10 : 10
    let only = arguments.count > 3 ? arguments[3] : ""
    let documents = files(in: arguments[1]).map { FeedDocument(bytes: $0) }
    let size = documents.reduce(0) { $0 + $1.bytes.count }
    guard size > 0 else {
      print("no feeds in \(arguments[1])")
      exit(66)
    }
    let parser = FeedParser()
    var best = (null: Double.infinity, plain: Double.infinity, full: Double.infinity)
    var items = 0
    for _ in 0..<rounds {
      if only != "plain", only != "full" {
        best.null = min(best.null, seconds { for document in documents { NullParser.parse(document.bytes) } })
      }
      if only != "full" {
        best.plain = min(
          best.plain,
          seconds {
            for document in documents {
              items &+= (try? parser.parseWithoutSanitizing(document))?.items.count ?? 0
            }
          }
        )
      }
      if only != "plain" {
        best.full = min(
          best.full,
          seconds { for document in documents { items &+= (try? parser.parse(document))?.items.count ?? 0 } }
        )
      }
    }

    func megabytes(_ time: Double) -> String {
      String(Int(Double(size) / time / 1e6)) + " MB/s"
    }
    func ratio(_ time: Double) -> String {
      let hundredths = Int((best.null / time * 100).rounded())
      return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
    print("\(documents.count) feeds, \(size) bytes, \(items) items in \(rounds) rounds, best of each")
    if best.null.isFinite {
      print("libxml2, empty handlers       \(megabytes(best.null))  1.00")
      if best.plain.isFinite {
        print("items, before sanitizing      \(megabytes(best.plain))  \(ratio(best.plain))")
      }
      if best.full.isFinite {
        print("items, sanitized, with text   \(megabytes(best.full))  \(ratio(best.full))")
      }
    }
  }
}
