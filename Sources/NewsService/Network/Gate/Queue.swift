/// A queue with insertion at both ends. All operations take amortised O(1) time.
struct Queue<Element> {
  private var front: [Element] = []
  private var back: [Element?] = []
  private var head = 0

  var count: Int { front.count + back.count - head }
  var isEmpty: Bool { count == 0 }

  mutating func append(_ element: Element, inFront: Bool = false) {
    if inFront {
      front.append(element)
    } else {
      back.append(element)
    }
  }

  mutating func popFirst() -> Element? {
    if let element = front.popLast() { return element }
    guard head < back.count else { return nil }
    let element = back[head]
    back[head] = nil
    head += 1
    if head == back.count {
      back.removeAll(keepingCapacity: back.count < 64)
      head = 0
    } else if head >= 64, head * 2 >= back.count {
      back.removeFirst(head)
      head = 0
    }
    return element
  }
}

/// A queue in which accounts take turns; those without an account are one. The elements of an account keep their order. All
/// operations take amortised O(1) time, and as many steps more as there are accounts to leave out.
struct TurnQueue<Element> {
  private var queues: [String?: Queue<Element>] = [:]
  /// The accounts that have elements, in the order of their turns.
  private var turns = Queue<String?>()

  var isEmpty: Bool { queues.isEmpty }

  /// Adds an element behind, or in front of, those of its account.
  mutating func append(_ element: Element, of account: String?, inFront: Bool = false) {
    if queues[account] == nil { turns.append(account) }
    queues[account, default: Queue()].append(element, inFront: inFront)
  }

  /// True if there is an element of another account than these.
  func hasElement(besides others: [String]) -> Bool {
    queues.count > others.count(where: { queues[$0] != nil })
  }

  /// Removes the first element of the account whose turn it is; these accounts are left out.
  mutating func popFirst(besides others: [String] = []) -> Element? {
    for _ in 0..<turns.count {
      guard let account = turns.popFirst() else { break }
      if let account, others.contains(account) {
        turns.append(account)
        continue
      }
      let element = queues[account]?.popFirst()
      if queues[account]?.isEmpty == false {
        turns.append(account)
      } else {
        queues[account] = nil
      }
      return element
    }
    return nil
  }
}

/// A binary min-heap. Insertion and removal take O(log n) time.
struct Heap<Element: Comparable> {
  private var elements: [Element] = []

  var first: Element? { elements.first }

  mutating func insert(_ element: Element) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard elements[child] < elements[parent] else { break }
      elements.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeFirst() {
    guard elements.count > 1 else {
      elements.removeAll()
      return
    }
    elements.swapAt(0, elements.count - 1)
    elements.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < elements.count && elements[child] < elements[least] {
        least = child
      }
      guard least != parent else { break }
      elements.swapAt(parent, least)
      parent = least
    }
  }
}
