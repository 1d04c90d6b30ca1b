/// What a search found, in the format asked for.
public typealias NewsSearchView = HeadlineListView<NewsSearchViewModel>
