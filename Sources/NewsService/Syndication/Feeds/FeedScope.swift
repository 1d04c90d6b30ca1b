/// Owner of the fields that the children of an element are.
enum FeedScope: UInt8 {
  /// Around the feed's own element, where some programs put its fields.
  case outside
  case feed, item, source, image, textInput, person
}

/// How text is collected.
enum TextCapture: UInt8 {
  case ignore
  /// Unchanged.
  case raw
  /// With `<`, `>` and `&` escaped, because the field contains elements.
  case escaped
}
