import NewsCore
import NewsToolbox

/// The numbers by which Fever and Miniflux identify folders. newsd derives them from the names, so that they are the same
/// in every answer.
enum FolderNumbers {
  static func number(of folder: String) -> Int64 {
    var hash = FNV1a<UInt64>()
    folder.withBytes { hash.add($0) }
    return Int64(hash.value % 0x7FFF_FFFE) + 1
  }

  /// The number of the group of feeds without a folder, which no folder has.
  static let none = Int64(Int32.max)

  /// The numbers of folders. A folder that a client has renamed keeps its number; another folder cannot have that one.
  static func numbers(of folders: [String], _ made: [MadeFolder]) -> [String: Int64] {
    var numbers: [String: Int64] = [:]
    for folder in made { numbers[folder.name] = folder.number }
    var taken = Set(numbers.values)
    for folder in folders where numbers[folder] == nil {
      var number = Self.number(of: folder)
      while !taken.insert(number).inserted { number = number % 0x7FFF_FFFE + 1 }
      numbers[folder] = number
    }
    return numbers
  }
}
