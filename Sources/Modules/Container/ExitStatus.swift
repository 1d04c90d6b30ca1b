/// Exit statuses of the command line: 0 and 1 as grep has them, then those of sysexits.h where one fits.
public enum ExitStatus: Int32, Hashable, Sendable, CaseIterable {
  case done = 0
  /// Nothing was found, or `health` reports warnings.
  case nothingMatched = 1
  /// `health` reports critical problems.
  case critical = 2
  case usage = 64
  /// The input is not a feed, or data are bad in another way.
  case badData = 65
  /// The store, file, feed, item or other named thing does not exist, or the file cannot be read.
  case notFound = 66
  case unreachable = 69
  case internalError = 70
  case cannotCreate = 73
  /// Reading or writing failed, or the store is unusable.
  case io = 74
  /// Some feeds failed, others succeeded.
  case someFailed = 75
  case configuration = 78
}
