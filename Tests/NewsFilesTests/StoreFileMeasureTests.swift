import NewsCore
import Glibc
import NewsFiles
import NewsToolbox
import Testing

@Suite struct `Measuring a store` {
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
