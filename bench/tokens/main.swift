import NewsSearch
import Glibc
import NewsCore
import NewsToolbox

/// Compares `WordTokenizer`, over text in several scripts, with a loop that only hashes the bytes one by one.
///
///     swift build -c release --product token-bench && .build/release/token-bench [FILE…]
///     .build/release/token-bench --show TEXT…
///
/// Measures the texts of the files, too; `further` is the share of tokens at the position of another token. `--show`
/// prints the tokens of each text instead, as a document and as a query.

var arguments = CommandLine.arguments.dropFirst()
guard arguments.first != "--show" else {
  for text in arguments.dropFirst() {
    for mode in [WordTokenizer.Mode.document, .query] {
      let tokens = WordTokenizer.tokens(of: text, mode: mode).map { token in
        (token.isColocated ? "|" : " ") + token.text + (token.isLoneCharacter ? "*" : "")
      }
      print(mode, tokens.joined())
    }
  }
  exit(0)
}

let samples: [(name: String, text: String)] = [
  (
    "English",
    "The committee said on Tuesday that it would publish its findings before the end of the year, after "
      + "months of delay. Critics called the report (due in version 2.1) overly cautious; supporters didn't agree. "
  ),
  (
    "German",
    "Die Behörde prüft seit Montag, ob die Verträge für die größeren Städte gültig bleiben; über das Ergebnis "
      + "soll später öffentlich berichtet werden. Der Ausschuss hält das für möglich. "
  ),
  (
    "Russian",
    "Комиссия сообщила во вторник, что опубликует выводы до конца года после нескольких месяцев задержки. "
      + "Критики назвали доклад слишком осторожным, а сторонники с этим не согласились. "
  ),
  (
    "Arabic",
    "أعلنت اللجنة يوم الثلاثاء أنها ستنشر نتائجها قبل نهاية العام بعد أشهر من التأخير، ووصف النقاد التقرير بأنه "
      + "شديد الحذر. "
  ),
  ("Chinese", "委员会星期二表示，经过数月的推迟，将在年底之前公布调查结果。批评者认为报告过于谨慎，支持者则不同意这种看法。"),
  ("Japanese", "委員会は火曜日、数か月の遅れを経て年末までに調査結果を公表すると発表した。バージョンは２．１となる見込みだ。"),
]

/// Returns the nanoseconds that `body` takes, the best of several runs, and its result.
func best(of runs: Int, _ body: () -> Int) -> (nanoseconds: Int64, result: Int) {
  let clock = ContinuousClock()
  var shortest = Int64.max
  var result = 0
  for _ in 0..<runs {
    let start = clock.now
    result = body()
    let (seconds, attoseconds) = (clock.now - start).components
    shortest = min(shortest, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }
  return (max(shortest, 1), result)
}

func measure(_ name: String, _ bytes: [UInt8]) {
  var whole = bytes
  while !bytes.isEmpty, whole.count < 8 << 20 { whole += bytes }
  let size = Int64(whole.count)
  whole.withUnsafeBufferPointer { buffer in
    let scan = best(of: 5) {
      var hash = 0
      for byte in buffer { hash = hash &* 31 &+ Int(byte) }
      return hash & 0xFF
    }
    var colocated = 0
    let tokens = best(of: 5) {
      var count = 0
      colocated = 0
      WordTokenizer.tokenize(buffer, mode: .document) { slice in
        count &+= 1
        if slice.isColocated { colocated &+= 1 }
        return true
      }
      return count
    }
    let rate = size * 1000 / tokens.nanoseconds
    // Use the hash, so that the optimizer cannot remove the loop.
    let ratio = (tokens.nanoseconds * 10 + Int64(scan.result & 1)) / scan.nanoseconds
    let perToken = size * 10 / Int64(max(tokens.result, 1))
    let further = colocated * 1000 / max(tokens.result, 1)
    print(
      "\(name)\t\(rate)\t\(ratio / 10).\(ratio % 10)\t\(perToken / 10).\(perToken % 10)"
        + "\t\(further / 10).\(further % 10) %"
    )
  }
}

/// Measures regular expressions over the first sample; none of them matches.
func measureRegexes(_ sample: String) {
  var bytes: [UInt8] = []
  while bytes.count < 8 << 20 { bytes += Array(sample.utf8) }
  print("expression\tMB/s")
  for source in ["zyxquort", "\\bcommittees\\b", "[0-9]+ %", "(before|after) .*noon", "(a|aa)+z"] {
    guard let regex = try? BoundedRegex(source) else { continue }
    let matcher = RegexMatcher(regex)
    let time = bytes.withUnsafeBufferPointer { buffer in best(of: 3) { matcher.matches(buffer) ? 1 : 0 } }
    print("\(source)\t\(Int64(bytes.count) * 1000 / time.nanoseconds)\(time.result == 0 ? "" : " (found)")")
  }
}

print("script\tMB/s\ttime against hashing\tbytes per token\tfurther")
for sample in samples { measure(sample.name, Array(sample.text.utf8)) }
for path in arguments {
  guard let bytes = try? FileBytes.read(path) else {
    print("\(path): cannot be read")
    exit(66)
  }
  measure(path, bytes)
}
measureRegexes(samples[0].text)
