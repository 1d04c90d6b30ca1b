/// A list in the format asked for.
public typealias NewsListView = HeadlineListView<NewsListViewModel>
