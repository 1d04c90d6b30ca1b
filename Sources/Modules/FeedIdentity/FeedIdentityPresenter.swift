import NewsCore

/// Formats the policy, and whether the user or newsd chose it.
struct FeedIdentityPresenter: Presenting {
  typealias ViewModel = FeedIdentityViewModel

  func present(_ identity: FeedIdentity) -> Container<FeedIdentityViewModel> {
    let origin = identity.isChosenByUser ? "chosen by you" : "chosen from its history"
    let line = RecordLine(record: identity, text: DisplayText.columns([identity.policy, origin]))
    return .ready(FeedIdentityViewModel(lines: [line]))
  }
}
