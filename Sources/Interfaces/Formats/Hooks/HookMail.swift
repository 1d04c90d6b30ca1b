import Modules
import NewsCore
import NewsToolbox

/// The mail messages of hooks. They have no `From`: `sendmail` adds the user's address.
struct HookMail {
  let address: String
  let hook: String
  /// The idempotency key; the message's id is made from it, so that mail programs recognize a repeated
  /// delivery.
  let key: String
  let time: Timestamp

  /// Composes a message. `text` is the text of a template; nil: the usual text. Lines end with LF.
  func message(_ contents: [HookContent], text: String?, _ composer: MailComposer) -> String {
    let head = head(contents)
    if let text { return head + composer.part("text/plain; charset=utf-8", text) }
    if contents.count == 1, case .item(let item) = contents[0] {
      return head + composer.content(item, StableID(item).hexadecimal)
    }
    let lines = contents.map { content in
      switch content {
      case .item(let item):
        let url = item.url.map { "\n  \(DisplayText(line: $0).string)" } ?? ""
        return "* \(Self.title(item)) (\(DisplayText(line: item.feedTitle).string))\(url)\n"
      case .notice(_, let notice):
        return "* \(DisplayText(line: notice.message).string)\n"
      }
    }
    return head + composer.part("text/plain; charset=utf-8", lines.joined())
  }

  private func head(_ contents: [HookContent]) -> String {
    let subject =
      switch contents.first {
      case .item(let item) where contents.count == 1: Self.title(item)
      case .notice(_, let notice) where contents.count == 1: notice.message
      default: "\(Plural.of(contents.count, "news item")) for \(hook)"
      }
    let lines = [
      "To: \(address)",
      "Subject: \(MailText.unstructured(subject, indent: 9))",
      "Date: \(ProtocolText.mailDate(time))",
      "Message-ID: <\(key)@newsd.invalid>",
      "Auto-Submitted: auto-generated",
      "MIME-Version: 1.0",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func title(_ item: NewsItem) -> String {
    item.title.isEmpty ? "(untitled)" : DisplayText(line: item.title).string
  }
}
