/// Queue of the tags and texts that libxml2 has not reported yet, in document order.
///
/// libxml2 does not report the offset of an event. Therefore, the tokenizer appends each tag and text here
/// before pushing it, the repairer each tag, and the parser's callbacks remove them.
struct MarkupEvents: ~Copyable {
  /// The byte that libxml2 gets in place of each text. The callback takes the text itself from this queue.
  static let placeholder: UInt8 = 0x7F

  enum Kind: UInt8 {
    case startTag
    /// An empty-element tag, which libxml2 reports as a start and an end.
    case emptyTag
    case endTag
    /// Text of the document without references.
    case text
    /// Text with references, all predefined or numeric.
    case textWithReferences
  }

  struct Event {
    var kind: Kind
    /// Offset of the event in the document's UTF-8.
    var offset: Int
    /// The text of a text event, as bytes of the document.
    var text: UnsafeBufferPointer<UInt8>
  }

  private var events: UnsafeMutablePointer<Event>
  private var head = 0
  private var tail = 0
  private var capacity: Int
  /// Offset of the event that the parser reported last.
  private(set) var offset = 0

  init() {
    capacity = 1024
    events = UnsafeMutablePointer<Event>.allocate(capacity: capacity)
  }

  deinit {
    events.deallocate()
  }

  var count: Int { tail &- head }

  /// Offset of the next event.
  var nextOffset: Int { head < tail ? events[head].offset : offset }

  @inline(__always)
  mutating func append(
    _ kind: Kind,
    at offset: Int,
    text: UnsafeBufferPointer<UInt8> = .init(start: nil, count: 0)
  ) {
    if tail == capacity { makeRoom() }
    events[tail] = Event(kind: kind, offset: offset, text: text)
    tail &+= 1
  }

  @inline(never)
  private mutating func makeRoom() {
    if head > capacity / 2 {
      (events).update(from: events + head, count: count)
    } else {
      let larger = UnsafeMutablePointer<Event>.allocate(capacity: capacity * 2)
      larger.update(from: events + head, count: count)
      events.deallocate()
      events = larger
      capacity *= 2
    }
    tail = count
    head = 0
  }

  @inline(__always)
  private mutating func pop() {
    head &+= 1
    if head == tail {
      head = 0
      tail = 0
    }
  }

  /// Removes the event of a start tag that the parser reported.
  @inline(__always)
  mutating func meetStart() {
    guard head < tail else { return }
    offset = events[head].offset
    if events[head].kind == .startTag { pop() }
  }

  /// Removes the event of an end tag that the parser reported, or that ends an empty-element tag.
  @inline(__always)
  mutating func meetEnd() {
    guard head < tail, events[head].kind == .endTag || events[head].kind == .emptyTag else { return }
    offset = events[head].offset
    pop()
  }

  /// Removes and returns the next event if it is text.
  @inline(__always)
  mutating func nextText() -> Event? {
    guard head < tail, events[head].kind == .text || events[head].kind == .textWithReferences else {
      return nil
    }
    let event = events[head]
    offset = event.offset
    pop()
    return event
  }
}
