import Modules

extension ExitStatus {
  /// The meaning of the status, for help and manual.
  var meaning: String {
    switch self {
    case .done: "done"
    case .nothingMatched:
      "nothing matched (search, list, next); status --health: late polls, or little disk space"
    case .critical: "status --health: no daemon, no poll stored for an hour, or an unusable store"
    case .usage: "wrong usage, such as an unknown option or a faulty query"
    case .badData: "not a feed, or bad data"
    case .notFound: "no such store, file, feed, item or the like"
    case .unreachable:
      "could not be reached (feeds add; hooks test; fetch, when every feed failed) or started (open; read)"
    case .internalError: "an error inside newsd"
    case .system: "the system created no thread"
    case .cannotCreate:
      "an output file or a socket could not be created; a name is taken; 'newsd run' is already active (run)"
    case .io: "an input or output error, or a store that cannot be used"
    case .someFailed: "some feeds failed (fetch)"
    case .configuration: "an error in the configuration"
    }
  }
}
