/// Decides when a failed delivery is tried again.
public enum HookBackoff {
  /// Maximum age of an entry in seconds; an older delivery that fails is not tried again.
  public static let lifetime: Int64 = 7 * 86_400
  /// Maximum seconds that an entry or a hook waits, because of a failure or of `Retry-After`.
  public static let longest: Int64 = 86_400
  private static let first: Int64 = 10
  private static let longestWait: Int64 = 3600
  /// Maximum seconds between two attempts of a hook whose target is down, so that deliveries resume soon
  /// after the target does.
  private static let longestPause: Int64 = 300

  /// Seconds until a delivery's next attempt: 10 s, doubled each time up to an hour, with up to 25 % jitter.
  /// `attempts` have failed so far, at least 1. `random` is in 0..<1.
  public static func wait(attempts: Int, random: Double) -> Int64 {
    jittered(attempts, longestWait, random)
  }

  /// Seconds until a hook's next attempt with any delivery. `failures` of the hook in a row, at least 1, came
  /// before. `random` is in 0..<1.
  public static func pause(failures: Int, random: Double) -> Int64 {
    jittered(failures, longestPause, random)
  }

  private static func jittered(_ count: Int, _ longest: Int64, _ random: Double) -> Int64 {
    let doubled = first << Int64(min(max(count - 1, 0), 20))
    let base = Double(min(doubled, longest))
    return max(1, Int64(base * (0.75 + 0.5 * random)))
  }
}
