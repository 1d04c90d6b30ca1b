import NewsToolbox

/// `/ready`: 200 when newsd can do its work, otherwise 503 with the reasons.
public struct ReadinessProbe: HTTPHandling {
  /// A part of newsd that does not work.
  public struct Problem: Hashable, Sendable {
    public var part: String
    public var reason: String

    public init(part: String, reason: String) {
      self.part = part
      self.reason = reason
    }
  }

  private let problems: @Sendable () -> [Problem]

  public init(problems: @escaping @Sendable () -> [Problem]) {
    self.problems = problems
  }

  public func reply(to request: HTTPRequest) async -> HTTPReply {
    let problems = problems()
    var json = JSONWriter()
    json.beginObject()
    json.field("ready", problems.isEmpty)
    json.objects("problems", problems, writesEmpty: true) { json, problem in
      json.field("part", problem.part)
      json.field("reason", problem.reason)
    }
    json.endObject()
    return HTTPReply(status: problems.isEmpty ? 200 : 503, type: "application/json", json.bytes)
  }
}
