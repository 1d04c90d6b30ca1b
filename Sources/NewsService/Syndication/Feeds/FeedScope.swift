/// The owner of the fields that an element's children fill.
enum FeedScope: UInt8 {
  /// Outside the feed's element, where some programs put the feed's fields.
  case outside
  case feed, item, source, image, textInput, person
}

/// How text is collected.
enum TextCapture: UInt8 {
  case ignore
  /// The text is stored unchanged.
  case raw
  /// The text is stored with `<`, `>` and `&` escaped, because the field contains elements.
  case escaped
}
