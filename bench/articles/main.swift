import Glibc
import NewsCore
import NewsSyndication

/// Measures the extraction of articles.
///
///     article-bench FILE…          mean and longest time of a page, with the memory of the process
///     article-bench --hostile pages designed to be slow, at two sizes: the ratio distinguishes linear from
///     quadratic time
///     article-bench --batch        a server for a scoring program: a line {"file","url"} in, a line of JSON out

let extractor = ArticleExtractor()
let arguments = CommandLine.arguments.dropFirst()

switch arguments.first {
case "--batch": Batch(extractor).run()
case "--hostile": Hostile(extractor).run()
case .some: Timing(extractor).run(Array(arguments))
case nil: print("usage: article-bench FILE… | --hostile | --batch")
}
