import CCurl
import Glibc
import NewsToolbox

/// The thread of an event loop. Holds no reference to the fetcher, because the fetcher's deinit stops the thread.
final class LoopThread: Sendable {
  private let configuration: NetworkConfiguration
  private let mailbox: LoopInbox

  init(configuration: NetworkConfiguration, mailbox: LoopInbox) {
    self.configuration = configuration
    self.mailbox = mailbox
  }

  /// Starts the thread. Returns false on failure.
  func detach() -> Bool {
    guard Self.isCurlReady else { return false }
    return (try? DetachedThread.start { self.main() }) != nil
  }

  private func main() {
    // Block all signals: the main thread handles them. This includes SIGPIPE for closed connections, which libcurl does
    // not block with CURLOPT_NOSIGNAL. Resolver threads inherit this mask.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, nil)
    let mailbox = mailbox
    let budget = ByteBudget(capacity: configuration.bodyBudget) { _ = mailbox.post(.roomForBodies) }
    let waiters = CurlLoop(configuration: configuration, mailbox: mailbox, budget: budget)?.run() ?? []
    // The loop and its handles are already freed here.
    CurlLoop.refuse(mailbox.close())
    for waiter in waiters { waiter.resume() }
  }

  private static let isCurlReady = {
    newsd_release_large_blocks()
    DescriptorLimit.raise()
    return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
  }()
}
