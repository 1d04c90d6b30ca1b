/// What limits per site count by, for whoever plans requests before they are made.
public enum SiteKey {
  /// The registrable domain of the URL's host, or host and port where there is none; the URL itself when it cannot be
  /// read.
  public static func of(_ url: String) -> String {
    (try? RequestURL(url))?.site ?? url
  }
}
