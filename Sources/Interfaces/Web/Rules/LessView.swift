import Modules
import NewsCore
import NewsHTTP
import NewsSearch
import NewsToolbox

/// The form "Less like this" of an item: what to hide of its kind, how, and how many stored items that concerns.
struct LessView {
  let page: NewsItemPage
  let draft: LessDraft
  /// The number of stored items that the chosen terms match; nil: none is chosen, or they could not be counted.
  let count: Int?
  let problem: UserMessage?
  /// The term that selects the item's feed.
  let feedTerm: String
  let context: PageContext

  /// Maximum number of tags, and of words of the title, that are offered.
  private static let tagLimit = 8
  private static let wordLimit = 12

  /// A term of the rule's query as it is offered.
  private struct Chip {
    var text: String
    var term: String
  }

  func render(into html: inout HTMLBuilder) {
    let path = PagePath.item(page.id) + "/less"
    html.element("section", .class("less"), .value("aria-label", Wording.lessLikeThis)) { html in
      html.element("h1", text: Wording.lessLikeThis)
      html.element("p", .class("quiet"), .autoDirection, text: page.title.string)
      if let problem { NoticeView.failure(problem, into: &html) }
      FormView.post(&html, path, context.formToken, class: "sheet", here: PagePath.item(page.id)) { html in
        html.element("fieldset") { html in
          html.element("legend", text: Wording.itemsThatHaveAllOfThese)
          for chip in chips {
            check(&html, "term", chip.term, chip.text, isOn: draft.terms.contains(chip.term))
          }
        }
        actions(&html)
        html.element("fieldset") { html in
          html.element("legend", text: Wording.howLong)
          radio(&html, "for", "week", Wording.for7Days, isOn: !draft.isForever)
          radio(&html, "for", "always", Wording.always, isOn: draft.isForever)
        }
        html.element("p", .class("hits"), .value("role", "status")) { html in
          guard let count else { return html.text(Wording.chooseWhatItemsShare) }
          html.text("\(Plural.of(count, "stored item")) \(count == 1 ? "matches" : "match").")
        }
        check(&html, "stored", "1", Wording.applyToTheStoredItemsToo, isOn: draft.appliesToStored)
        html.element("p", .class("row")) { html in
          html.element(
            "button",
            .name("do"),
            .value("value", "count"),
            .flag("data-count"),
            text: Wording.count
          )
          html.element(
            "button",
            .class("main"),
            .name("do"),
            .value("value", "add"),
            text: Wording.lessOfThese
          )
        }
      }
    }
  }

  private func actions(_ html: inout HTMLBuilder) {
    html.element("fieldset") { html in
      html.element("legend", text: Wording.whatHappensToThem)
      radio(&html, "action", "read", Wording.theyAreMarkedRead, isOn: draft.action == .read)
      radio(
        &html,
        "action",
        "drop",
        Wording.theyAreNotStored,
        isOn: draft.action == .drop
      )
      radio(&html, "action", "label", Wording.theyGetALabel, isOn: draft.action == .label)
      FormView.field(&html, Wording.label, name: "label", value: draft.label)
    }
  }

  private var chips: [Chip] {
    var chips = [Chip(text: Wording.feedChip(page.feed.string), term: feedTerm)]
    for author in page.authorNames.prefix(3) {
      chips.append(Chip(text: Wording.authorChip(author), term: "author:" + QueryWord.quoted(author)))
    }
    for tag in page.tags.prefix(Self.tagLimit) {
      chips.append(
        Chip(text: Wording.tagChip(DisplayText(line: tag).string), term: "tag:" + QueryWord.quoted(tag))
      )
    }
    return chips
      + Self.words(of: page.title.string).map { Chip(text: "“\($0)”", term: "title:" + QueryWord.quoted($0)) }
  }

  /// Words that tell nothing of what a title is about.
  private static let commonWords: Set<String> = [
    "about", "after", "all", "and", "are", "been", "but", "can", "for", "from", "get", "has", "have", "her",
    "his", "how", "into", "its", "just", "more", "new", "not", "now", "one", "our", "out", "over", "says",
    "than", "that", "the", "their", "there", "they", "this", "was", "were", "what", "when", "where", "which",
    "who", "why", "will", "with", "you", "your",
  ]

  /// The words of a title, without numbers and without short and common words.
  static func words(of title: String) -> [String] {
    var words: [String] = []
    for part in title.unicodeScalars.split(whereSeparator: {
      !$0.properties.isAlphabetic && $0.properties.numericType == nil
    }) {
      let word = String(String.UnicodeScalarView(part))
      let isLong = part.count > 2 || part.contains { $0.value >= 0x2E80 }
      let isTelling = part.contains { $0.properties.isAlphabetic } && !commonWords.contains(word.lowercased())
      if isLong, isTelling, !words.contains(word), words.count < wordLimit { words.append(word) }
    }
    return words
  }

  private func check(_ html: inout HTMLBuilder, _ name: String, _ value: String, _ text: String, isOn: Bool) {
    choice(&html, "checkbox", name, value, text, isOn)
  }

  private func radio(_ html: inout HTMLBuilder, _ name: String, _ value: String, _ text: String, isOn: Bool) {
    choice(&html, "radio", name, value, text, isOn)
  }

  private func choice(
    _ html: inout HTMLBuilder,
    _ type: String,
    _ name: String,
    _ value: String,
    _ text: String,
    _ isOn: Bool
  ) {
    html.element("label", .class("check")) { html in
      html.tag("input", .type(type), .name(name), .value("value", value), .flag("checked", if: isOn))
      html.element("span", .autoDirection, text: text)
    }
  }
}

/// What was chosen in the form "Less like this".
struct LessDraft: Sendable {
  enum Action: String, Sendable { case read, drop, label }

  var terms: [String] = []
  var action = Action.read
  var label = ""
  var isForever = false
  var appliesToStored = false

  init() {}

  init(_ form: HTTPParameters) {
    terms = Array(form.all("term").prefix(30))
    action = form.first("action").flatMap { Action(rawValue: $0) } ?? .read
    label = DisplayText(line: form.first("label") ?? "").trimmed.string
    isForever = form.first("for") == "always"
    appliesToStored = form.first("stored") != nil
  }

  /// The query of the rule.
  var query: String { terms.joined(separator: " ") }

  /// The action of the rule. Throws a usage error for a name that no label can have.
  func ruleAction() throws(UserMessage) -> RuleAction {
    switch action {
    case .read: return .markRead
    case .drop: return .drop
    case .label:
      guard ItemLabel.isName(label) else {
        throw UserMessage(
          code: .usage,
          text: Wording.aLabelMustHaveBytes(ItemLabel.nameLength)
        )
      }
      return .label(label)
    }
  }
}
