import CCurl
import Glibc

/// The thread of one event loop. Holds no reference to the fetcher, so that dropping that ends this.
final class LoopThread: Sendable {
  private let configuration: NetworkConfiguration
  private let mailbox: Mailbox

  init(configuration: NetworkConfiguration, mailbox: Mailbox) {
    self.configuration = configuration
    self.mailbox = mailbox
  }

  /// False when no thread could be made.
  func detach() -> Bool {
    guard Self.isCurlReady else { return false }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    // Retained for the thread, which takes it over.
    let context = Unmanaged.passRetained(self)
    let code = pthread_create(
      &thread,
      &attributes,
      { context in
        guard let context else { return nil }
        Unmanaged<LoopThread>.fromOpaque(context).takeRetainedValue().main()
        return nil
      },
      context.toOpaque()
    )
    if code != 0 { context.release() }
    return code == 0
  }

  private func main() {
    // Signals are the main thread's business; a closed connection must not raise SIGPIPE here (libcurl leaves that to
    // us with CURLOPT_NOSIGNAL). The threads that resolve names inherit this.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, nil)
    let mailbox = mailbox
    let budget = ByteBudget(capacity: configuration.bodyBudget) { _ = mailbox.post(.roomForBodies) }
    let waiters = CurlLoop(configuration: configuration, mailbox: mailbox, budget: budget)?.run() ?? []
    // The loop and its handles are gone by now; whoever waits for that may go on.
    CurlLoop.refuse(mailbox.close())
    for waiter in waiters { waiter.resume() }
  }

  private static let isCurlReady = {
    newsd_give_large_blocks_back()
    DescriptorLimit.raise()
    return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
  }()
}
