import NewsCore
import Glibc
import NewsFiles
import NewsToolbox
import Testing

@Suite struct `Measuring a store` {
  @Test func `Free pages that would be larger than the file are not reported`() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/news.db"
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(file) }
    // 4096 bytes for each page, and two free ones.
    var bytes = [UInt8](repeating: 0, count: 3 * 4096)
    (bytes[16], bytes[39]) = (0x10, 2)
    try FileBytes.write(bytes, to: file)
    let measure = StoreFileMeasure(path: path)
    #expect(measure.figures()?.unusedBytes == 8192)
    lseek(file, 36, SEEK_SET)
    try FileBytes.write([0x7F, 1, 2, 3], to: file)
    let damaged = try #require(measure.figures())
    #expect(damaged.storeBytes == 3 * 4096 && damaged.unusedBytes == nil)
  }

  @Test func `Measuring a file does not release the process's POSIX lock on it`() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/news.db"
    let own = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(own) }
    try FileBytes.write([UInt8](repeating: 1, count: 100), to: own)
    // A lock of the process, as SQLite takes them.
    var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 1, l_pid: 0)
    #expect(fcntl(own, F_SETLK, &lock) == 0)
    let measure = StoreFileMeasure(path: path)
    for _ in 0..<2 { #expect(measure.figures()?.storeBytes == 100) }
    // F_OFD_GETLK (36) tests for locks as another process would.
    let other = open(path, O_RDWR | O_CLOEXEC)
    defer { close(other) }
    var found = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 1, l_pid: 0)
    #expect(fcntl(other, 36, &found) == 0)
    #expect(found.l_type == Int16(F_WRLCK))
  }
}
