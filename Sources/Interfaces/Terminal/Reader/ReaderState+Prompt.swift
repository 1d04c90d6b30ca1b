import Modules
import NewsCore

extension ReaderState {
  /// Processes a key while a question is open.
  mutating func answer(_ key: Key) {
    guard var prompt = core.prompt else { return }
    if key.is(.escape) || key.name == "Ctrl-C" || key.name == "Ctrl-G" { return leave(prompt) }
    if prompt.isConfirmation {
      core.prompt = nil
      if key.name == "y" || key.name == "Y" { accept(prompt) }
      return
    }
    if key.is(.enter) {
      core.prompt = nil
      return accept(prompt)
    }
    if key.is(.backspace), prompt.editor.text.isEmpty { return leave(prompt) }
    if key.is(.tab), prompt.isCommand {
      if prompt.completions.isEmpty {
        core.effects.append(.complete(prompt.editor.left))
      } else {
        prompt.nextCompletion()
      }
      core.prompt = prompt
      return
    }
    let hasChanged = prompt.take(key)
    core.prompt = prompt
    guard hasChanged, case .search(let id) = prompt.purpose else { return }
    changeList(id) { $0.type(prompt.editor.text, &$1) }
  }

  /// Cancels the question; cancelling an unfinished search also closes its screen.
  private mutating func leave(_ prompt: Prompt) {
    core.prompt = nil
    if case .search = prompt.purpose { core.navigation.append(.back) }
  }

  private mutating func accept(_ prompt: Prompt) {
    let text = prompt.editor.text
    if !text.isEmpty { core.remember(text, of: prompt.purpose) }
    switch prompt.purpose {
    case .search(let id):
      if text.isEmpty { core.navigation.append(.back) } else { changeList(id) { $0.finishTyping(&$1) } }
    case .filter(let id): changeList(id) { $0.filter(by: text, &$1) }
    case .saveSearch(let query): if !text.isEmpty { core.effects.append(.save(query: query, name: text)) }
    case .command:
      if ["q", "quit"].contains(text) {
        core.navigation.append(.quit)
      } else if !text.isEmpty {
        core.effects.append(.command(text))
      }
    case .pipe(let item): if !text.isEmpty { core.effects.append(.pipe(item, text)) }
    case .label(let item): label(item, as: text)
    case .add:
      if !text.isEmpty { core.add(FeedsAddRoute(text)) }
    case .rename(let feed): core.effects.append(.edit(.rename(feed: String(feed.rawValue), title: text)))
    case .move(let feed):
      core.effects.append(.edit(.move(feed: String(feed.rawValue), folder: text, position: nil)))
    case .remove(let feed): core.effects.append(.edit(.remove(feeds: [String(feed.rawValue)])))
    case .forget(let search): core.effects.append(.forget(search))
    }
  }

  /// Gives the item the typed label; a minus sign before the label removes it.
  private mutating func label(_ item: NewsItem.ID, as text: String) {
    guard !text.isEmpty else { return }
    let isAdded = text.utf8.first != UInt8(ascii: "-")
    let name = isAdded ? text : String(text.unicodeScalars.dropFirst())
    core.effects.append(.label(LabelRequest([item], label: name, isAdded: isAdded)))
  }

  /// Opens a screen that shows the matches while the user types.
  mutating func beginSearch() {
    let id = core.nextID()
    var screen = NewsListScreen(
      id: id,
      source: .search(SearchRoute(text: "", list: ListRoute())),
      name: DisplayText("")
    )
    screen.type("", &core)
    add(screen)
    core.prompt = Prompt(.search(id), DisplayText("/"))
    core.effects.append(.history)
  }

  mutating func take(completions: [String], of line: String) {
    guard core.prompt?.isCommand == true, core.prompt?.editor.left == line else { return }
    core.prompt?.complete(completions)
  }

  mutating func take(_ addition: Container<FeedsAddViewModel>, _ route: FeedsAddRoute) {
    guard addition.isLast else { return }
    core.additions -= 1
    if let choices = addition.content?.choices, !choices.isEmpty {
      let names = choices.map {
        DisplayText(line: "\($0.title ?? "")  \($0.url)  \($0.mimeType ?? "")").trimmed
      }
      let title = DisplayText(line: Wording.severalFeedsChooseOne)
      core.message = nil
      return add(ChoiceScreen(id: core.nextID(), title: title, names, .feed(route)))
    }
    if let failure = addition.failure {
      core.message = ReaderMessage(failure)
    } else if let content = addition.content {
      if let feed = content.feed, let first = stack.indices.first,
        var screen = stack[first] as? SubscriptionsScreen
      {
        screen.want(feed.id)
        stack[first] = screen
      }
      core.message = (content.warnings.first ?? content.notes.first).map { ReaderMessage($0) }
    }
  }
}
