/// A format of feeds, as far as its elements differ.
enum CheckDialect {
  case rss, rdf, atom, atom03, other
}
