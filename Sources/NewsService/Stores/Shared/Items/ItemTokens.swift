import NewsCore
package import NewsSearch

/// The tokens of an item's indexed fields.
package struct ItemTokens {
  package var title: TokenStream
  package var author: TokenStream
  package var text: TokenStream

  package init(title: String, author: String, text: String) {
    self.title = TokenStream(title)
    self.author = TokenStream(author)
    self.text = TokenStream(text)
  }
}
