/// Reports changes of the login password.
struct WebPasswordPresenter: Presenting {
  typealias ViewModel = WebPasswordViewModel

  func set() -> Container<WebPasswordViewModel> {
    .ready(WebPasswordViewModel(notes: [DisplayText("The login password is set. All sessions have ended.")]))
  }

  func removed() -> Container<WebPasswordViewModel> {
    .ready(
      WebPasswordViewModel(notes: [DisplayText("The login password is removed. All sessions have ended.")])
    )
  }

  func unfit() -> Container<WebPasswordViewModel> {
    present(UserMessage(code: .badData, text: "a login password must have 1 to 511 bytes and no NUL"))
  }

  func missing() -> Container<WebPasswordViewModel> {
    present(UserMessage(code: .notFound, text: "there is no login password"))
  }
}
