import NewsToolbox

/// `/health`: answers as long as newsd serves at all.
public struct HealthProbe: HTTPInstantHandling {
  private let answer: String

  public init(answer: String = "ok") { self.answer = answer }

  public func instantReply(to request: HTTPRequest) -> HTTPReply { .text(200, answer + "\n") }
}

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
    json.key("ready")
    json.value(problems.isEmpty)
    json.key("problems")
    json.beginArray()
    for problem in problems {
      json.beginObject()
      json.key("part")
      json.value(problem.part)
      json.key("reason")
      json.value(problem.reason)
      json.endObject()
    }
    json.endArray()
    json.endObject()
    return HTTPReply(status: problems.isEmpty ? 200 : 503, type: "application/json", json.bytes)
  }
}
