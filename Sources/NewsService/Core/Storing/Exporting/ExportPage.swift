package import NewsToolbox

/// Items of an export, in the order of ids, with their versions.
package struct ExportPage: Sendable {
  package var lines: [JSONValue] = []
  /// The last id read; nil at the end.
  package var last: Int64?

  package init() {}
}
