import NewsCore

/// A fetch between its start and its answer.
final class RunningFetch {
  let job: FetchJob
  var target: RequestURL
  var redirects: RedirectPolicy
  /// Milliseconds that the hops so far took.
  var spent: Int64 = 0
  /// True: the next hop must not reuse a connection.
  var isFresh = false
  /// The first hop's connection led to an address that is not public. Nil before its response.
  var reachedLocalAddress: Bool?

  init(_ job: FetchJob) {
    self.job = job
    target = job.address
    redirects = RedirectPolicy(limits: job.limits)
  }

  /// The URL that answered, without user information. As the request wrote it where no redirect was followed.
  var answeringURL: String {
    let isAsWritten = redirects.hops.isEmpty && !job.request.url.utf8.contains(UInt8(ascii: "@"))
    return isAsWritten ? job.request.url : target.url
  }
}
