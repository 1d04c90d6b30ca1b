import NewsCore

/// Compares the current text of an item with its previous version.
struct ItemDifferencePresenter: Presenting {
  typealias ViewModel = ItemDifferenceViewModel

  func difference(_ versions: [ItemVersion], present item: NewsItem) -> Container<ItemDifferenceViewModel> {
    guard let last = versions.last else {
      let text = "item \(item.id.rawValue) has not been edited since it was stored"
      return present(UserMessage(code: .nothingMatched, text: text))
    }
    let lines = LineDifference.lines(
      from: [last.title] + TextSentences.split(last.text),
      to: [item.title] + TextSentences.split(item.contentText)
    )
    return .ready(ItemDifferenceViewModel(lines: lines))
  }
}
