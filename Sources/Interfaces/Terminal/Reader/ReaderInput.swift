/// Input from the terminal.
public enum ReaderInput: Hashable, Sendable {
  case key(Key)
  case mouse(MouseEvent)
  case resized
  /// A signal asks the process to suspend itself (Ctrl-Z).
  case suspended
}

/// An action of the mouse.
public enum MouseEvent: Hashable, Sendable {
  /// The wheel was turned; a negative number scrolls up.
  case wheel(lines: Int)
  case press(row: Int, column: Int)
  /// A second press on the same line, soon after the first.
  case doublePress(row: Int, column: Int)
}
