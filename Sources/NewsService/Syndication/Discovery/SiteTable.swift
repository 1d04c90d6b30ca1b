/// The feed addresses of common sites.
enum SiteTable {
  /// Hosts to which patterns for any host (`*`) do not apply, because their similar paths mean something else.
  static let genericPatternExclusions: Set<String> = [
    "medium.com", "youtube.com", "tiktok.com", "threads.net", "threads.com", "substack.com", "x.com",
    "twitter.com", "facebook.com", "instagram.com", "odysee.com", "vimeo.com", "reddit.com", "github.com",
    "dev.to", "soundcloud.com", "linkedin.com", "telegram.me", "t.me", "news.ycombinator.com",
    "discord.com", "steamcommunity.com",
  ]

  /// One pattern per line: host, path, feed, title (see `SitePattern`). Specific patterns precede general ones.
  static let lines = """
    youtube.com /channel/{id}/** https://www.youtube.com/feeds/videos.xml?channel_id={id} Videos
    youtube.com /playlist?list https://www.youtube.com/feeds/videos.xml?playlist_id={list} Playlist
    youtube.com /watch?list https://www.youtube.com/feeds/videos.xml?playlist_id={list} Playlist
    youtube.com /user/{name}/** https://www.youtube.com/feeds/videos.xml?user={name} Videos
    reddit.com /r/{name}/comments/{id}/** https://www.reddit.com/r/{name}/comments/{id}/.rss Comments
    reddit.com /r/{name}/{order} https://www.reddit.com/r/{name}/{order}/.rss
    reddit.com /r/{name} https://www.reddit.com/r/{name}/.rss
    reddit.com /user/{name}/** https://www.reddit.com/user/{name}{rest}/.rss
    reddit.com /u/{name} https://www.reddit.com/user/{name}/.rss
    reddit.com /domain/{name} https://www.reddit.com/domain/{name}/.rss
    reddit.com / https://www.reddit.com/.rss
    old.reddit.com /r/{name}/** https://www.reddit.com/r/{name}{rest}/.rss
    old.reddit.com /user/{name}/** https://www.reddit.com/user/{name}{rest}/.rss
    github.com /{owner}/{name}/commits/{branch} https://github.com/{owner}/{name}/commits/{branch}.atom Commits
    github.com /{owner}/{name}/commits/{branch}/** https://github.com/{owner}/{name}/commits/{branch}{rest}.atom Commits
    github.com /{owner}/{name}/commits https://github.com/{owner}/{name}/commits.atom Commits
    github.com /{owner}/{name}/tree/{branch}/** https://github.com/{owner}/{name}/commits/{branch}{rest}.atom Commits
    github.com /{owner}/{name}/tags https://github.com/{owner}/{name}/tags.atom Tags
    github.com /{owner}/{name}/wiki/** https://github.com/{owner}/{name}/wiki.atom Wiki
    github.com /{owner}/{name}/discussions/** https://github.com/{owner}/{name}/discussions.atom Discussions
    github.com /{owner}/{name}/** https://github.com/{owner}/{name}/releases.atom Releases
    github.com /{owner}/{name}/** https://github.com/{owner}/{name}/commits.atom Commits
    github.com /{owner}/{name}/** https://github.com/{owner}/{name}/tags.atom Tags
    github.com /{owner} https://github.com/{owner}.atom Activity
    gist.github.com /{owner} https://gist.github.com/{owner}.atom Gists
    youtu.be /{id}?list https://www.youtube.com/feeds/videos.xml?playlist_id={list} Playlist
    music.youtube.com /channel/{id}/** https://www.youtube.com/feeds/videos.xml?channel_id={id} Videos
    music.youtube.com /playlist?list https://www.youtube.com/feeds/videos.xml?playlist_id={list} Playlist
    music.youtube.com /watch?list https://www.youtube.com/feeds/videos.xml?playlist_id={list} Playlist
    gitlab.com /{group}/{subgroup}/{name} https://gitlab.com/{group}/{subgroup}/{name}/-/releases.atom Releases
    gitlab.com /{group}/{subgroup}/{name} https://gitlab.com/{group}/{subgroup}/{name}/-/tags?format=atom Tags
    gitlab.com /{group}/{subgroup}/{name} https://gitlab.com/{group}/{subgroup}/{name}.atom Activity
    gitlab.com /{group}/{name}/-/commits/{branch} https://gitlab.com/{group}/{name}/-/commits/{branch}?format=atom Commits
    gitlab.com /{group}/{name} https://gitlab.com/{group}/{name}/-/releases.atom Releases
    gitlab.com /{group}/{name} https://gitlab.com/{group}/{name}/-/tags?format=atom Tags
    gitlab.com /{group}/{name}/-/** https://gitlab.com/{group}/{name}/-/tags?format=atom Tags
    gitlab.com /{group}/{name} https://gitlab.com/{group}/{name}.atom Activity
    gitlab.com /{name} https://gitlab.com/{name}.atom Activity
    codeberg.org /{owner}/{name}/** https://codeberg.org/{owner}/{name}/releases.rss Releases
    codeberg.org /{owner}/{name}/** https://codeberg.org/{owner}/{name}.rss Activity
    codeberg.org /{owner} https://codeberg.org/{owner}.rss Activity
    gitea.com /{owner}/{name}/** https://gitea.com/{owner}/{name}/releases.rss Releases
    gitea.com /{owner}/{name}/** https://gitea.com/{owner}/{name}.rss Activity
    git.sr.ht /~{owner}/{name}/** https://git.sr.ht/~{owner}/{name}/refs/rss.xml Releases
    git.sr.ht /~{owner}/{name}/** https://git.sr.ht/~{owner}/{name}/log/rss.xml Commits
    sourceforge.net /projects/{name}/** https://sourceforge.net/projects/{name}/rss Files
    sourceforge.net /projects/{name}/** https://sourceforge.net/p/{name}/activity/feed.rss Activity
    launchpad.net /{name} http://feeds.launchpad.net/{name}/announcements.atom Announcements
    medium.com /@{name}/** https://medium.com/feed/@{name}
    medium.com /tag/{name}/** https://medium.com/feed/tag/{name}
    medium.com /{name}/** https://medium.com/feed/{name}
    *.medium.com /** https://{sub}.medium.com/feed
    substack.com /@{name}/** https://{name}.substack.com/feed
    *.substack.com /** https://{sub}.substack.com/feed
    tumblr.com /{name} https://{name}.tumblr.com/rss
    tumblr.com /blog/view/{name}/** https://{name}.tumblr.com/rss
    *.tumblr.com /tagged/{tag}/** https://{sub}.tumblr.com/tagged/{tag}/rss
    *.tumblr.com /** https://{sub}.tumblr.com/rss
    *.wordpress.com /category/{name}/** https://{sub}.wordpress.com/category/{name}/feed/
    *.wordpress.com /tag/{name}/** https://{sub}.wordpress.com/tag/{name}/feed/
    *.wordpress.com /author/{name}/** https://{sub}.wordpress.com/author/{name}/feed/
    *.wordpress.com /** https://{sub}.wordpress.com/feed/
    *.blogspot.com /search/label/{name} https://{sub}.blogspot.com/feeds/posts/default/-/{name}
    *.blogspot.com /** https://{sub}.blogspot.com/feeds/posts/default
    bsky.app /profile/{name}/** https://bsky.app/profile/{name}/rss
    vimeo.com /channels/{name}/** https://vimeo.com/channels/{name}/videos/rss
    vimeo.com /groups/{name}/** https://vimeo.com/groups/{name}/videos/rss
    vimeo.com /{name} https://vimeo.com/{name}/videos/rss
    vimeo.com /{name}/videos https://vimeo.com/{name}/videos/rss
    dailymotion.com /user/{name}/** https://www.dailymotion.com/rss/user/{name}
    dailymotion.com /playlist/{id} https://www.dailymotion.com/rss/playlist/{id}
    dailymotion.com /{name} https://www.dailymotion.com/rss/user/{name}
    odysee.com /@{name} https://odysee.com/$/rss/@{name}
    news.ycombinator.com /user?id https://hnrss.org/submitted?id={id} Submissions
    news.ycombinator.com /submitted?id https://hnrss.org/submitted?id={id} Submissions
    news.ycombinator.com /threads?id https://hnrss.org/threads?id={id} Comments
    news.ycombinator.com /item?id https://hnrss.org/item?id={id} Comments
    news.ycombinator.com /newest https://hnrss.org/newest
    news.ycombinator.com /ask https://hnrss.org/ask
    news.ycombinator.com /show https://hnrss.org/show
    news.ycombinator.com /jobs https://hnrss.org/jobs
    news.ycombinator.com / https://news.ycombinator.com/rss
    lobste.rs /t/{tag} https://lobste.rs/t/{tag}.rss
    lobste.rs /newest https://lobste.rs/newest.rss
    lobste.rs / https://lobste.rs/rss
    stackoverflow.com /questions/tagged/{tag} https://stackoverflow.com/feeds/tag/{tag}
    stackoverflow.com /questions/{id}/** https://stackoverflow.com/feeds/question/{id}
    stackoverflow.com /users/{id}/** https://stackoverflow.com/feeds/user/{id}
    stackoverflow.com / https://stackoverflow.com/feeds
    *.stackoverflow.com /questions/tagged/{tag} https://{sub}.stackoverflow.com/feeds/tag/{tag}
    *.stackoverflow.com /questions/{id}/** https://{sub}.stackoverflow.com/feeds/question/{id}
    *.stackoverflow.com /users/{id}/** https://{sub}.stackoverflow.com/feeds/user/{id}
    *.stackoverflow.com / https://{sub}.stackoverflow.com/feeds
    *.stackexchange.com /questions/tagged/{tag} https://{sub}.stackexchange.com/feeds/tag/{tag}
    *.stackexchange.com /questions/{id}/** https://{sub}.stackexchange.com/feeds/question/{id}
    *.stackexchange.com /users/{id}/** https://{sub}.stackexchange.com/feeds/user/{id}
    *.stackexchange.com / https://{sub}.stackexchange.com/feeds
    superuser.com /questions/tagged/{tag} https://superuser.com/feeds/tag/{tag}
    superuser.com /questions/{id}/** https://superuser.com/feeds/question/{id}
    superuser.com /users/{id}/** https://superuser.com/feeds/user/{id}
    superuser.com / https://superuser.com/feeds
    serverfault.com /questions/tagged/{tag} https://serverfault.com/feeds/tag/{tag}
    serverfault.com /questions/{id}/** https://serverfault.com/feeds/question/{id}
    serverfault.com /users/{id}/** https://serverfault.com/feeds/user/{id}
    serverfault.com / https://serverfault.com/feeds
    askubuntu.com /questions/tagged/{tag} https://askubuntu.com/feeds/tag/{tag}
    askubuntu.com /questions/{id}/** https://askubuntu.com/feeds/question/{id}
    askubuntu.com /users/{id}/** https://askubuntu.com/feeds/user/{id}
    askubuntu.com / https://askubuntu.com/feeds
    mathoverflow.net /questions/tagged/{tag} https://mathoverflow.net/feeds/tag/{tag}
    mathoverflow.net /questions/{id}/** https://mathoverflow.net/feeds/question/{id}
    mathoverflow.net /users/{id}/** https://mathoverflow.net/feeds/user/{id}
    mathoverflow.net / https://mathoverflow.net/feeds
    pypi.org /project/{name}/** https://pypi.org/rss/project/{name}/releases.xml Releases
    pypi.org / https://pypi.org/rss/updates.xml Updates
    crates.io /crates/{name}/** https://static.crates.io/rss/crates/{name}.xml Releases
    crates.io / https://static.crates.io/rss/updates.xml Updates
    lib.rs /crates/{name} https://static.crates.io/rss/crates/{name}.xml Releases
    rubygems.org /gems/{name}/** https://rubygems.org/gems/{name}/versions.atom Releases
    packagist.org /packages/{vendor}/{name} https://packagist.org/feeds/package.{vendor}/{name}.rss Releases
    hackage.haskell.org /package/{name}/** https://hackage.haskell.org/package/{name}.rss Releases
    nuget.org /packages/{name}/** https://www.nuget.org/packages/{name}/atom.xml Releases
    metacpan.org /dist/{name} https://metacpan.org/feed/distribution/{name} Releases
    metacpan.org /author/{name} https://metacpan.org/feed/author/{name} Releases
    tracker.debian.org /pkg/{name} https://tracker.debian.org/pkg/{name}/rss News
    archlinux.org /packages/** https://archlinux.org/feeds/packages/ Packages
    arxiv.org /list/{subject}/** https://rss.arxiv.org/rss/{subject}
    dev.to /t/{tag} https://dev.to/feed/tag/{tag}
    dev.to /{name}/** https://dev.to/feed/{name}
    *.hashnode.dev /** https://{sub}.hashnode.dev/rss.xml
    *.bearblog.dev /** https://{sub}.bearblog.dev/feed/
    *.micro.blog /** https://{sub}.micro.blog/feed.xml
    *.livejournal.com /** https://{sub}.livejournal.com/data/rss
    *.dreamwidth.org /** https://{sub}.dreamwidth.org/data/rss
    *.ghost.io /** https://{sub}.ghost.io/rss/
    *.itch.io /{game}/** https://{sub}.itch.io/{game}/devlog.rss Devlog
    write.as /{name}/** https://write.as/{name}/feed/
    letterboxd.com /{name}/** https://letterboxd.com/{name}/rss/
    goodreads.com /user/show/{id} https://www.goodreads.com/user/updates_rss/{id}
    deviantart.com /{name}/** https://backend.deviantart.com/rss.xml?q=gallery:{name}
    flickr.com /photos/{id}/** https://www.flickr.com/services/feeds/photos_public.gne?id={id}
    kickstarter.com /projects/{owner}/{name}/** https://www.kickstarter.com/projects/{owner}/{name}/posts.atom Updates
    store.steampowered.com /app/{id}/** https://store.steampowered.com/feeds/news/app/{id} News
    archive.org /details/{name} https://archive.org/services/collection-rss.php?collection={name}
    *.wikipedia.org /wiki/{page} https://{sub}.wikipedia.org/w/index.php?title={page}&action=history&feed=atom Changes
    * /@{name} {origin}/@{name}.rss
    * /@{name}/tagged/{tag} {origin}/@{name}/tagged/{tag}.rss
    * /users/{name} {origin}/users/{name}.rss
    * /tags/{name} {origin}/tags/{name}.rss
    * /c/{name} {origin}/feeds/c/{name}.xml
    * /u/{name} {origin}/feeds/u/{name}.xml
    * /c/{name}/videos {origin}/feeds/videos.xml?videoChannelName={name}
    * /a/{name}/** {origin}/feeds/videos.xml?accountName={name}
    * /t/{slug}/{id} {origin}/t/{slug}/{id}.rss
    * /c/{slug}/{id} {origin}/c/{slug}/{id}.rss
    """
}
