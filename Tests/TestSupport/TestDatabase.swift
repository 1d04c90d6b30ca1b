import Glibc
import Synchronization

/// A PostgreSQL server of this test run: an unprivileged process with its own socket directory, which ends with the run.
public final class TestDatabase: Sendable {
  /// Nil if PostgreSQL's server is not installed. `NEWSD_TEST_POSTGRES` names a running server instead.
  public static let shared: TestDatabase? = start()

  private let address: String
  private let count = Mutex(0)

  private init(address: String) { self.address = address }

  /// The address of a new store: each has a schema of its own.
  public func newStore() -> String {
    let number = count.withLock { count in
      count += 1
      return count
    }
    return address + (address.contains("?") ? "&" : "?") + "schema=test_\(getpid())_\(number)"
  }

  /// The address of a new database, for stores whose schemas have fixed names; nil if psql cannot make it.
  public func newDatabase() -> String? {
    let number = count.withLock { count in
      count += 1
      return count
    }
    let name = "test_\(getpid())_\(number)"
    guard system("psql -q -o /dev/null -c 'CREATE DATABASE \(name)' '\(address)'") == 0 else { return nil }
    return address.replacing("/postgres?", with: "/\(name)?", maxReplacements: 1)
  }

  /// The address of a new store with the content of a dump of the schema `layout1`; nil if psql cannot load it.
  public func newStore(of dump: String) -> String? {
    let store = newStore()
    guard let schema = store.split(separator: "=").last else { return nil }
    let script =
      "sed 's/layout1/\(schema)/g' '\(dump)' | psql -q -o /dev/null -v ON_ERROR_STOP=1 '\(address)'"
    return system(script) == 0 ? store : nil
  }

  private static func start() -> TestDatabase? {
    if let address = getenv("NEWSD_TEST_POSTGRES") { return TestDatabase(address: String(cString: address)) }
    // The shell in the background ends the server after this process, whatever way that ends.
    let script = """
      exec 2>/dev/null
      bin=$(dirname "$(command -v initdb || ls -d /usr/lib/postgresql/*/bin/initdb | sort -V | tail -1)")
      bin=$(dirname "$(readlink -f "$bin/initdb")")
      [ -x "$bin/postgres" ] || exit 1
      dir=$(mktemp -d /tmp/newsd-postgres-XXXXXX) || exit 1
      as=
      if [ "$(id -u)" = 0 ]; then chown nobody "$dir"; as="setpriv --reuid=nobody --regid=nogroup --clear-groups"; fi
      chmod 755 "$dir"; cd "$dir"
      $as "$bin/initdb" -D "$dir/data" -A trust -U newsd --no-sync -E UTF8 --locale=C >/dev/null || exit 1
      $as "$bin/postgres" -D "$dir/data" -k "$dir" -c listen_addresses= -c fsync=off -c max_connections=400 \
        -c shared_buffers=64MB -c full_page_writes=off >"$dir/log" 2>&1 &
      server=$!
      i=0
      while [ $i -lt 100 ] && ! "$bin/pg_isready" -q -h "$dir" -U newsd; do sleep 0.1; i=$((i + 1)); done
      (while kill -0 \(getpid()); do sleep 1; done; kill -INT $server; sleep 1; rm -rf "$dir") >/dev/null </dev/null &
      echo "$dir"
      """
    guard let pipe = popen(script, "r") else { return nil }
    var bytes: [UInt8] = []
    while true {
      let byte = fgetc(pipe)
      guard byte >= 0, byte != 0x0A else { break }
      bytes.append(UInt8(truncatingIfNeeded: byte))
    }
    // Not pclose: it would wait for the server.
    fclose(pipe)
    guard !bytes.isEmpty else { return nil }
    let directory = String(decoding: bytes, as: UTF8.self)
    return TestDatabase(address: "postgresql://newsd@/postgres?host=" + directory)
  }
}
