public import Modules
public import NewsToolbox

/// Writes completions for the scripts of the shells: the kind of word, then one candidate per line.
public struct CompletionsView: ContentView {
  public init() {}

  public func render(_ content: CompletionsViewModel, isLast: Bool, _ buffer: inout ByteBuffer) {
    // For files, the shell itself completes the text after the kept part.
    let kept = [.files, .directories].contains(content.kind) ? content.prefix : ""
    buffer.append("\(content.kind.rawValue) \(kept)\n")
    for candidate in content.candidates {
      let note = candidate.note.isEmpty ? "" : "\t\(candidate.note)"
      buffer.append("\(content.prefix)\(candidate.text)\(note)\n")
    }
  }
}
