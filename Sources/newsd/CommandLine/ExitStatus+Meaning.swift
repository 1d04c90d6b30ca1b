import Modules

extension ExitStatus {
  /// The meaning of the status, for help and manual.
  var meaning: String {
    switch self {
    case .done: "done"
    case .nothingMatched: "nothing matched (search, list); status --health: late polls, or little disk space"
    case .critical: "status --health: no daemon, nothing stored for an hour, or an unusable store"
    case .usage: "the command line could not be understood"
    case .badData: "not a feed, or bad data"
    case .notFound: "no such file, feed or item"
    case .unreachable: "could not be reached (feeds add; fetch, when every feed failed)"
    case .internalError: "an error inside newsd"
    case .cannotCreate: "an output file could not be created"
    case .io: "an input or output error, or a store that cannot be used"
    case .someFailed: "some feeds failed (fetch)"
    case .configuration: "an error in the configuration"
    }
  }
}
