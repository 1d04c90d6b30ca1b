import Synchronization

/// What a look-up of an icon finds.
enum IconResult: Sendable {
  case found([UInt8], PictureType, Validators)
  case unchanged
  case unreachable
  case missing
}

/// Has the icon of a feed looked up once for all accounts that look it up with the same requests.
///
/// An answer takes as long as the look-up did, so that its time does not tell a person that another account has the feed.
public final class SharedIcons: Sendable {
  /// What the requests of a look-up depend on. Addresses are bytes: texts with other letters may be equal and yet be two
  /// addresses.
  struct Question: Hashable {
    let named: [UInt8]?
    let site: [UInt8]?
    /// The validators of the stored picture.
    let known: Validators?
    let limits: FetchLimits
    let reach: FetchRequest.Reach
  }

  /// The result of a look-up.
  struct Answer: Sendable {
    let finding: IconResult
    /// True if it depends on the account that has asked, such as on its cooldowns.
    let isOwn: Bool
  }

  private typealias Ended = (answer: Answer, duration: Duration, isCancelled: Bool)

  /// A look-up that is in progress, or has ended and is remembered.
  private struct Search {
    let task: Task<Ended, Never>
    let end: ContinuousClock.Instant
  }

  private let state = Mutex((searches: [Question: Search](), bytes: 0))
  /// How long an answer is remembered, and the bytes of answers above which all are forgotten.
  private static let lifetime = Duration.seconds(12 * 3600)
  private static let mostBytes = 8 << 20

  public init() {}

  /// Returns what another account has found, or what `lookUp` finds.
  func finding(
    _ question: Question,
    lookUp: @escaping @Sendable () async -> Answer
  ) async -> IconResult {
    let start = ContinuousClock.now
    while !Task.isCancelled {
      let (task, isMine) = state.withLock { state -> (Task<Ended, Never>, Bool) in
        if let search = state.searches[question], search.end > start { return (search.task, false) }
        let task = Task { await self.search(question, lookUp) }
        state.searches[question] = Search(task: task, end: start + Self.lifetime)
        return (task, true)
      }
      let ended = await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
      // Another account that waited may have cancelled the look-up.
      guard !ended.isCancelled, isMine || !ended.answer.isOwn else { continue }
      try? await Task.sleep(until: start + ended.duration, clock: .continuous)
      return ended.answer.finding
    }
    return .unreachable
  }

  private func search(_ question: Question, _ lookUp: @Sendable () async -> Answer) async -> Ended {
    let start = ContinuousClock.now
    let answer = await lookUp()
    let ended = (answer: answer, duration: ContinuousClock.now - start, isCancelled: Task.isCancelled)
    // A server that is away for minutes is asked again.
    var isPassing = answer.isOwn || ended.isCancelled
    if case .unreachable = answer.finding { isPassing = true }
    state.withLock { state in
      if isPassing {
        state.searches[question] = nil
      } else {
        state.bytes += 500 + (question.named?.count ?? 0) + (question.site?.count ?? 0)
        if case .found(let bytes, _, _) = answer.finding { state.bytes += bytes.count }
        if state.bytes > Self.mostBytes { state = ([:], 0) }
      }
    }
    return ended
  }
}
