/// What is on its way through libxml2, in the order of the document.
///
/// libxml2 tells neither the offset of an event nor, once text no longer goes through it, the true line: whoever feeds
/// the parser notes each tag and each piece of text here, and the parser's callbacks take them off again.
struct MarkupEvents: ~Copyable {
  /// What stands for a piece of text.
  static let placeholder: UInt8 = 0x7F

  enum Kind: UInt8 {
    case startTag
    /// An empty-element tag: start and end in one.
    case emptyTag
    case endTag
    /// Text as it stands in the document, without references.
    case text
    /// Text with references, all of them predefined or numeric.
    case textWithReferences
  }

  struct Event {
    var kind: Kind
    /// In the document's UTF-8.
    var offset: Int
    /// Of text: where it lies and how long it is.
    var text: UnsafeBufferPointer<UInt8>
  }

  private var events: UnsafeMutablePointer<Event>
  private var head = 0
  private var tail = 0
  private var capacity: Int
  /// Where the event stands, or the last one before it, that the parser is at.
  private(set) var offset = 0

  init() {
    capacity = 1024
    events = UnsafeMutablePointer<Event>.allocate(capacity: capacity)
  }

  deinit {
    events.deallocate()
  }

  var count: Int { tail &- head }

  /// The offset of the event to come.
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

  /// A start tag was met.
  @inline(__always)
  mutating func meetStart() {
    guard head < tail else { return }
    offset = events[head].offset
    if events[head].kind == .startTag { pop() }
  }

  /// An end tag was met, or the end that an empty-element tag has in itself.
  @inline(__always)
  mutating func meetEnd() {
    guard head < tail, events[head].kind == .endTag || events[head].kind == .emptyTag else { return }
    offset = events[head].offset
    pop()
  }

  /// The text that comes next; nil when something else does.
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
