import DIContainer
import Synchronization

/// The services of the active configuration; a reload replaces them.
final class ServicesSlot: Sendable {
  private let services: Mutex<ServiceContainer>

  init(_ services: ServiceContainer) { self.services = Mutex(services) }

  var current: ServiceContainer {
    get { services.withLock { $0 } }
    set { services.withLock { $0 = newValue } }
  }
}
