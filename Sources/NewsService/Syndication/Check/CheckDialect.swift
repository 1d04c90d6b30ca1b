/// The feed formats that the check distinguishes, by their elements.
enum CheckDialect {
  case rss, rdf, atom, atom03, other
}
