/// The description of each tool for `tools/list`, and the JSON Schema of its arguments.
extension MCPTools.Tool {
  var summary: String {
    switch self {
    case .search:
      "Finds news items by words. The query language: all words must match; \"a phrase\", word*, OR, -not, title: "
        + "author: feed: folder: tag: label: lang: is:unread is:starred since:3d until:2026-11-20."
    case .list: "Lists news items, newest first, with an excerpt of each."
    case .show: "Returns one news item with its whole text."
    case .feeds: "Lists the subscriptions with their folders, counts and last errors."
    case .status: "Returns figures of the store: feeds, items, unread, failing feeds, last fetch."
    case .mark: "Marks items as read, unread, starred or unstarred."
    case .label: "Gives items a label of the user, or removes it."
    case .subscribe:
      "Subscribes to a feed, or to the feed that a web page names. If the page names several, adds none and returns them as "
        + "candidates: ask the user which one, and call the tool with its url."
    }
  }

  var schema: String {
    switch self {
    case .search:
      """
      {"type":"object","properties":{"query":{"type":"string","description":"words and fields to search for"},
      \(Self.filters),
      "sort":{"type":"string","enum":["newest","oldest","relevance"],"description":"newest unless given"}},
      "required":["query"],"additionalProperties":false}
      """
    case .list:
      """
      {"type":"object","properties":{\(Self.filters),
      "sort":{"type":"string","enum":["newest","oldest"],"description":"newest unless given"}},
      "additionalProperties":false}
      """
    case .show:
      """
      {"type":"object","properties":{"id":{"type":"integer","description":"the item's number"},
      "max_chars":{"type":"integer","minimum":1,"maximum":20000,"description":"characters of text, 20000 unless given"},
      "offset":{"type":"integer","minimum":0,"description":"characters of text to skip: next_offset of the last answer"}},
      "required":["id"],"additionalProperties":false}
      """
    case .feeds:
      """
      {"type":"object","properties":{"offset":{"type":"integer","minimum":0,
      "description":"feeds to skip: next_offset of the last answer"}},"additionalProperties":false}
      """
    case .status: "{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}"
    case .mark:
      """
      {"type":"object","properties":{"ids":{"type":"array","items":{"type":"integer"},"minItems":1,"maxItems":1000},
      "state":{"type":"string","enum":["read","unread","starred","unstarred"]}},
      "required":["ids","state"],"additionalProperties":false}
      """
    case .label:
      """
      {"type":"object","properties":{"ids":{"type":"array","items":{"type":"integer"},"minItems":1,"maxItems":1000},
      "label":{"type":"string"},"remove":{"type":"boolean","description":"true: remove the label"}},
      "required":["ids","label"],"additionalProperties":false}
      """
    case .subscribe:
      """
      {"type":"object","properties":{"url":{"type":"string","description":"the address of a feed or a page"},
      "title":{"type":"string"},"folder":{"type":"string"}},"required":["url"],"additionalProperties":false}
      """
    }
  }

  private static let filters = """
    "feed":{"type":["string","integer"],"description":"id, address or title of a feed"},
    "folder":{"type":"string"},"unread":{"type":"boolean","description":"unread items only"},
    "starred":{"type":"boolean","description":"starred items only"},
    "since":{"type":"string","description":"published since: 3d, 12h or a date"},
    "until":{"type":"string","description":"published before: 3d, 12h or a date"},
    "limit":{"type":"integer","minimum":1,"maximum":100,"description":"20 unless given"},
    "before":{"type":"integer","description":"continue after this item: next_before of the last answer"}
    """
}
