/// Exit statuses: 0 and 1 like grep, then those of sysexits.h.
enum ExitStatus: Int32, Sendable {
  case done = 0
  case nothingMatched = 1
  case critical = 2
  case usage = 64
  case badData = 65
  case noInput = 66
  case unavailable = 69
  case internalError = 70
  case cannotCreate = 73
  case inputOutput = 74
  case someFailed = 75
  case configuration = 78

  var meaning: String {
    switch self {
    case .done: "done"
    case .nothingMatched: "nothing matched (search, list); status --health: late polls, or little disk"
    case .critical: "status --health: no daemon, nothing stored for an hour, or an unusable store"
    case .usage: "the command line could not be understood"
    case .badData: "not a feed, or bad data"
    case .noInput: "no such file, feed or item"
    case .unavailable: "could not be reached (feeds add; fetch, when every feed failed)"
    case .internalError: "an error inside newsd"
    case .cannotCreate: "an output file could not be created"
    case .inputOutput: "an input or output error, or a store that cannot be used"
    case .someFailed: "some feeds failed (fetch)"
    case .configuration: "an error in the configuration"
    }
  }

  static let all: [ExitStatus] = [
    .done, .nothingMatched, .critical, .usage, .badData, .noInput, .unavailable, .internalError,
    .cannotCreate,
    .inputOutput,
    .someFailed, .configuration,
  ]
}
