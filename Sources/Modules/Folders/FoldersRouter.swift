/// Makes the routes from the list of folders to their items.
public struct FoldersRouter: Sendable {
  public init() {}

  /// The route to the items of a folder and its subfolders; nil for the feeds without a folder.
  public func list(_ folder: FolderSummary) -> Route? {
    folder.name.map { Route.list(ListRoute(filter: ItemFilter(folders: [$0]))) }
  }
}
