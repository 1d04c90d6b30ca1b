import NewsCore

/// The state of a fetch between its start and its result.
final class RunningFetch {
  let job: FetchJob
  var target: RequestURL
  var redirects: RedirectPolicy
  /// Duration of the completed hops, in milliseconds.
  var spent: Int64 = 0
  /// If true, the next hop must use a new connection.
  var isFresh = false
  /// True if the first hop connected to a non-public address; nil before its response.
  var reachedLocalAddress: Bool?
  /// See `FetchResponse.usedExemption`.
  var usedExemption = false

  init(_ job: FetchJob) {
    self.job = job
    target = job.address
    redirects = RedirectPolicy(
      limits: job.limits,
      onlyTo: job.request.keepsOrigin ? job.address.origin : nil
    )
  }

  /// The URL of the final response, without user information. Without redirects, it is the URL as given in
  /// the request, unless that contains `@`.
  var answeringURL: String {
    let isAsWritten = redirects.hops.isEmpty && !job.request.url.utf8.contains(UInt8(ascii: "@"))
    return isAsWritten ? job.request.url : target.url
  }
}
