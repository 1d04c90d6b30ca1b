import Glibc

/// Settings of the C library's allocator.
public enum Allocator {
  /// Makes glibc return large blocks to the system when they are freed; its dynamic threshold would keep them
  /// (mallopt(3), M_MMAP_THRESHOLD). Looks up `mallopt` at run time, because Swift's Glibc module lacks malloc.h
  /// and other C libraries lack mallopt.
  public static func returnLargeBlocks() {
    typealias Option = @convention(c) (Int32, Int32) -> Int32
    guard let symbol = dlsym(nil, "mallopt") else { return }
    let threshold: Int32 = -3
    _ = unsafeBitCast(symbol, to: Option.self)(threshold, 1 << 17)
  }

  /// Makes glibc return the pages between the blocks in use to the system, which it keeps otherwise (malloc_trim(3)).
  public static func returnUnusedPages() {
    typealias Trim = @convention(c) (Int) -> Int32
    guard let symbol = dlsym(nil, "malloc_trim") else { return }
    _ = unsafeBitCast(symbol, to: Trim.self)(0)
  }
}
