import NewsSearch
import NewsStoresShared

/// newsd's own tokens of an item as a tsvector in the binary format: the number of words, then each word with a NUL,
/// the number of its positions and the positions.
///
/// Title, author and text follow each other with a gap of one position, so that no phrase spans two of them.
/// Words of the title and author are stored a second time with a prefix that marks the field. PostgreSQL's
/// weights could mark them too, but a query with weights reads the vector of every hit.
struct TokenVector {
  /// Prefix of the words of the title. No token begins with it.
  static let titleMark = "\u{1}t"
  static let authorMark = "\u{1}a"

  private static let maximumPosition = 16_383
  private static let maximumPositions = 255
  /// Limit on words and positions, below the 1 MB that a tsvector may have.
  private static let maximumBytes = 900_000
  private static let maximumWord = 2000

  private(set) var bytes: [UInt8] = []
  /// 0: the vector is complete; 1: positions are missing; 2: words are missing, too.
  private(set) var clipped: Int64 = 0
  /// The number of words.
  private(set) var length: Int64 = 0

  private var positions: [[UInt8]: [UInt16]] = [:]
  private var position = 0
  private var size = 0

  init(_ tokens: ItemTokens) {
    add(tokens.title, mark: Self.titleMark)
    add(tokens.author, mark: Self.authorMark)
    add(tokens.text, mark: nil)
    encode()
    positions = [:]
  }

  private mutating func add(_ stream: TokenStream, mark: String?) {
    let prefix = mark.map { Array($0.utf8) }
    var isFirst = true
    stream.replay { token, isColocated in
      if !isColocated || isFirst {
        position += 1
        length += 1
      }
      isFirst = false
      let word = Array(token)
      add(word)
      if let prefix { add(prefix + word) }
      return true
    }
    position += 1
  }

  private mutating func add(_ word: [UInt8]) {
    guard word.count <= Self.maximumWord, size + word.count + 8 <= Self.maximumBytes else {
      clipped = 2
      return
    }
    var places = positions[word] ?? []
    if places.isEmpty, positions[word] == nil { size += word.count + 6 }
    if position > Self.maximumPosition || places.count >= Self.maximumPositions {
      clipped = max(clipped, 1)
    } else if places.last != UInt16(position) {
      places.append(UInt16(position))
      size += 2
    }
    positions[word] = places
  }

  private mutating func encode() {
    bytes.reserveCapacity(size + 16)
    Self.append(UInt32(positions.count).bigEndian, to: &bytes)
    for (word, places) in positions {
      bytes.append(contentsOf: word)
      bytes.append(0)
      Self.append(UInt16(places.count).bigEndian, to: &bytes)
      for place in places { Self.append(place.bigEndian, to: &bytes) }
    }
  }

  private static func append<Number: FixedWidthInteger>(_ number: Number, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
  }
}
