import Modules
import NewsCore
import NewsSync
import NewsText

// MARK: - Tools for language models

extension Configurator {
  /// Answers messages on standard input until its end.
  func runMCP(writes: Bool) async throws -> ExitStatus {
    let server = try services.makeMCPServer(writes: writes)
    let output = presentation.output
    try await MCPLines(server: server, input: presentation.input) { bytes in try output.write(bytes) }.run()
    await services.shutdown()
    return .done
  }
}
