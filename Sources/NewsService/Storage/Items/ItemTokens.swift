import NewsCore

/// The tokens of an item's indexed fields.
struct ItemTokens {
  var title: TokenStream
  var author: TokenStream
  var text: TokenStream

  init(title: String, author: String, text: String) {
    self.title = TokenStream(title)
    self.author = TokenStream(author)
    self.text = TokenStream(text)
  }
}
