/// The second part of the style sheet: lists and articles beside each other, densities, the looks of texts, the tree,
/// and the bars of phones.
enum ReadingStyle {
  static let text: StaticString = #"""
    :root[data-theme=light], :root[data-theme=sepia] { color-scheme: light;
      --paper: #fcfbf8; --raised: #fff; --ink: #22262a; --quiet: #5d646b; --line: #e4e1d9;
      --accent: #0b6470; --tint: #e7f1f1; --star: #a35a00; --bad: #a3261b; --bad-tint: #fbeeec; --mark: #fdeeb5; }
    :root[data-theme=sepia] { --paper: #f6efdf; --raised: #fbf6ea; --ink: #3b3125; --quiet: #6a5c48; --line: #e2d6bd;
      --tint: #ece1c8; --accent: #7a4a12; --star: #8c4a00; }
    :root[data-theme=dark], :root[data-theme=black] { color-scheme: dark;
      --paper: #15181b; --raised: #1c2024; --ink: #dfe2e4; --quiet: #9ba3aa; --line: #2b3036;
      --accent: #76c7cf; --tint: #1b2a2d; --star: #eeb65c; --bad: #f2958b; --bad-tint: #331e1c; --mark: #574a14; }
    :root[data-theme=black] { --paper: #000; --raised: #0e1113; --line: #24282d; }
    :root[data-font=sans] { --serif: var(--sans); }
    :root { --text: 1.14rem; --measure: 38rem; }
    :root[data-size=small] { --text: 1rem; }
    :root[data-size=large] { --text: 1.3rem; }
    :root[data-size=huge] { --text: 1.55rem; }
    :root[data-width=narrow] { --measure: 31rem; }
    :root[data-width=wide] { --measure: 50rem; }
    .item { max-width: var(--measure); }
    .content { font-size: var(--text); }

    .chips { display: flex; flex-wrap: wrap; gap: .3rem; margin: 0 0 .6rem; }
    .chips a { border: 1px solid var(--line); border-radius: 99px; color: inherit; font-size: .87rem; max-width: 15rem; overflow: hidden; padding: .1rem .7rem; position: relative; text-decoration: none; text-overflow: ellipsis; white-space: nowrap; }
    .options { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; box-shadow: 0 6px 20px rgb(0 0 0 / .18);
      margin-block-start: .25rem; max-height: 70vh; overflow-y: auto; padding: .3rem; }
    .masthead [role=search] { position: relative; }
    .masthead form .add { background: none; border: 0; color: var(--accent); margin-inline-start: -1rem; }
    .add:hover { background: var(--tint); }
    .masthead .options { inset-inline: 0; position: absolute; z-index: 3; }
    .options a { border-radius: 6px; color: inherit; display: flex; gap: 1rem; justify-content: space-between; padding: .3rem .6rem; text-decoration: none; }
    .options a[aria-selected=true] { background: var(--tint); }
    .options a span:first-child { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .options .quiet { flex: none; font-size: .85rem; }
    #palette { margin-block-start: 10vh; width: min(34rem, 94vw); }
    #palette input { width: 100%; }
    #palette .options { border: 0; box-shadow: none; padding-inline: 0; }
    .add { border-radius: 99px; font-size: 1.35rem; line-height: 1; min-width: 2rem; padding: .25rem .5rem; text-align: center; text-decoration: none; }
    #adding { max-width: 42rem; width: min(42rem, 94vw); }
    .candidate { border-block-start: 1px solid var(--line); margin-block-start: 1rem; padding-block-start: .5rem; }
    .candidate h2 { margin: .25rem 0; }
    .candidate p { overflow-wrap: anywhere; }
    .candidate .bad { color: var(--bad); }

    .remedies { align-items: start; }
    .remedies form { margin: 0; }
    .remedies input { width: min(28rem, 80vw); }
    .sheet [name=url] { width: min(36rem, 100%); }
    .row label:has(> :is([name=address], [name=url])) { flex: 3 1 18rem; }
    .row label.check { flex: 0 0 auto; }
    .row .check input { width: auto; }
    .settings select { display: block; min-width: 16rem; }
    .settings h2:first-of-type { margin-block-start: 0; }

    .menu > div { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; box-shadow: 0 6px 20px rgb(0 0 0 / .18);
      inset-block-start: 100%; inset-inline-end: 0; max-width: 100%; padding: .3rem; position: absolute; width: max-content; z-index: 2; }
    #list .heading { position: relative; }
    #list .heading .tools { position: static; }
    #list .menu > div { min-width: 11rem; }
    #list h1 { -webkit-box-orient: vertical; display: -webkit-box; -webkit-line-clamp: 2; overflow: hidden; }
    .item h1 { overflow: clip; overflow-clip-margin: .2em; }
    .menu > div :is(a, button) { width: 100%; }

    .panes #items article { cursor: pointer; }
    #items .excerpt { color: var(--quiet); display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
    #items .thumb { background: var(--line); border-radius: 6px; grid-column: 3; grid-row: 3 / -1; height: 4rem; margin: .25rem 0 0 .3rem; overflow: hidden; width: 5.4rem; }
    #items article:where(:has(.excerpt)) .thumb { grid-row: 2 / span 2; }
    #items .thumb img { display: block; height: 100%; object-fit: cover; width: 100%; }
    #items h2 { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
    #items h2 a:focus-visible { outline: none; }
    #items article:has(h2 a:focus-visible) { border-radius: 3px; outline: 2px solid var(--accent); outline-offset: -2px; }
    #items .meta a { max-width: 100%; overflow: hidden; text-overflow: ellipsis; }
    #items .day { color: var(--quiet); font-size: .8rem; font-weight: 600; letter-spacing: .04em; margin: 1.1rem 0 .3rem; }
    @media (hover: hover) {
      #items article:not(:hover, :focus-within, [aria-current]) [data-original] { opacity: 0; }
    }
    [data-density=compact] #items article { align-items: center; grid-template: auto / 1.5rem minmax(0, 1fr) auto auto 1.7rem; min-height: 25px; padding: 0; }
    [data-density=compact] #items h2 { -webkit-line-clamp: 1; font-size: .93rem; grid-column: 2; }
    [data-density=compact] #items :is(.excerpt, .thumb, [data-original]) { display: none; }
    [data-density=compact] #items .meta { flex-wrap: nowrap; font-size: .8rem; grid-column: 4; grid-row: 1; margin: 0; padding-inline: .6rem 0; }
    [data-density=compact] #items .tagged { grid-column: 3; }
    [data-density=compact] #items .meta a { max-width: 9rem; }
    @media (min-width: 47.5rem) {
      [data-density=compact] .panes:not(.reads) #items .feed { flex: none; max-width: none; width: 10rem; }
      [data-density=compact] .panes:not(.reads) #items time { min-width: 3.6rem; text-align: end; }
    }
    [data-density=compact] .panes.reads #items .meta a:first-child:has(img) { max-width: 16px; text-overflow: clip; }
    [data-density=compact] #items .toggle { margin-block: 0; padding-block: .2rem; }
    [data-density=compact] #items .star { grid-column: 5; grid-row: 1; }
    [data-density=compact] #items .day { margin-block: .3rem 0; }
    [data-density=cards] #items:not(.empty) { display: grid; gap: .8rem; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); }
    [data-density=cards] #items article { background: var(--raised); border: 1px solid var(--line); border-radius: 10px; padding: .7rem; }
    [data-density=cards] #items article[aria-current] { box-shadow: 0 0 0 2px var(--accent); }
    [data-density=cards] #items .thumb { align-self: end; aspect-ratio: 16 / 9; grid-column: 1 / -1; grid-row: 5; height: auto; margin: .5rem 0 0; width: 100%; }
    [data-density=cards] #items .excerpt { -webkit-line-clamp: 4; }
    [data-density=cards] #items .day { grid-column: 1 / -1; margin-block: .3rem 0; }

    .content :is(h1, h2, h3, h4, h5, h6) { line-height: 1.3; margin: 1.5em 0 .5em; }
    .content h1 { font-size: 1.5em; }
    .content h2 { font-size: 1.35em; }
    .content h3 { font-size: 1.18em; }
    .content :is(h4, h5, h6) { font-size: 1.04em; }
    .content :is(td, th) { font-variant-numeric: tabular-nums; overflow-wrap: normal; word-break: normal; }
    .content table { font-size: .9em; }
    .content .scroll { margin: 1.2em 0; }
    .content .scroll > table { display: table; max-width: none; overflow: visible; }
    .content :is(pre, code, kbd, samp) { direction: ltr; text-align: start; unicode-bidi: isolate; }
    .content audio { height: 3.4rem; width: 100%; }
    .content .alone { display: block; margin-inline: auto; }
    .content dl dd { margin: 0 0 .6em 1.4em; }
    .content dl dt { font-weight: 600; }
    .content img { cursor: zoom-in; }
    .content a img { cursor: pointer; }
    .broken { border: 1px dashed var(--line); border-radius: 4px; color: var(--quiet); display: inline-block; font: .85rem var(--sans); margin-block-end: .8rem; padding: .3rem .6rem; }
    .content .frame { display: inline-block; font: .87rem var(--sans); margin-block: .3em; }
    .video { margin: 1.2em 0; }
    .video :is(button, iframe) { aspect-ratio: 16 / 9; border-radius: 8px; display: block; overflow: hidden; padding: 0; position: relative; width: 100%; }
    .video iframe { border: 0; }
    .video button { font: .9rem var(--sans); }
    .video button:not(:has(img)) { aspect-ratio: auto; height: 5rem; }
    .video img { cursor: pointer; height: 100%; inset: 0; object-fit: cover; position: absolute; width: 100%; }
    .video span { background: var(--raised); border-radius: 6px; inset-block-end: .6rem; inset-inline-start: .6rem; max-width: 90%; padding: .2rem .6rem; position: absolute; text-align: start; }
    .content math { max-width: 100%; overflow-x: auto; overflow-y: hidden; }
    .code-box { direction: ltr; position: relative; }
    .code-box button { font: .78rem var(--sans); inset-block-start: .35rem; inset-inline-end: .35rem; opacity: 0; padding: .15rem .5rem; position: absolute; }
    .code-box:is(:hover, :focus-within) button { opacity: 1; }
    @media (hover: none) { .code-box button { opacity: 1; } }
    .tags { margin-block-start: 1.5rem; }
    .tags a { background: var(--tint); border-radius: 99px; color: var(--accent); margin-block: .15rem; padding: .1rem .7rem; }
    dialog.view { background: none; border: 0; max-height: 98vh; max-width: 98vw; padding: 0; }
    dialog.view img { display: block; height: auto; max-height: 96vh; max-width: 96vw; object-fit: contain; width: auto; }
    dialog.view button { inset-block-start: .5rem; inset-inline-end: .5rem; position: absolute; }
    .narrow, .masthead .folder { display: none; }
    #foot { inset-block-end: calc(var(--bar) + var(--player) + 1rem); inset-inline: 0; margin: 0 auto; max-width: min(44rem, 94vw); position: fixed;
      width: fit-content; z-index: 4; }
    #foot .note { align-items: center; box-shadow: 0 6px 20px rgb(0 0 0 / .22); margin: .3rem 0 0; }
    #sheet:modal { inset-block: auto 0; margin-block-end: 0; max-width: none; width: 100%; }
    #sheet { border-end-end-radius: 0; border-end-start-radius: 0; }
    #sheet > *, #sheet form button { display: block; min-height: 44px; padding: .6rem 0; width: 100%; }
    #sheet > a, #sheet form button { color: inherit; text-align: start; text-decoration: none; }
    #sheet > form { padding: 0; }
    #sheet > button { margin-block-start: .5rem; text-align: center; }
    :is(#list, #reading, #help-title):focus { outline: none; }

    aside li { position: relative; }
    aside .leaf { content-visibility: auto; contain-intrinsic-block-size: auto 1.74rem; overflow-clip-margin: 5px; }
    aside .shown { box-shadow: inset 3px 0 var(--accent); }
    aside .target { background: var(--tint); border-radius: 6px; outline: 2px solid var(--accent); }
    aside .before > a:first-of-type { box-shadow: 0 -2px var(--accent); }
    aside .after > a:first-of-type { box-shadow: 0 2px var(--accent); }
    aside li > a:first-of-type { padding-inline-end: 1.7rem; }
    aside :is(.more, .done) { inset-block-start: 0; inset-inline-end: 0; opacity: 0; padding: .18rem .4rem; position: absolute; }
    aside .more::before { content: "\22ef" / ""; }
    aside .done::before { content: "\2713" / ""; }
    aside .done { background: var(--tint); border: 0; inset-inline-end: 1.6rem; line-height: 1.3; pointer-events: none; }
    aside a:has(> .count:empty) ~ .done { display: none; }
    aside :is(li:hover > .more, .more:focus, a:hover ~ .done, .done:is(:hover, :focus-visible)) { opacity: 1; pointer-events: auto; }
    @media (hover: none) { aside .more { opacity: 1; } }
    @media (hover: none) and (min-width: 47.5rem) { aside .done { display: none; } }
    .feed-menu { display: flex; flex-direction: column; }
    .feed-menu form { margin: 0; }
    .feed-menu label input { width: 100%; }
    .feed-menu > a, .feed-menu > form > input + button, .feed-menu > details > summary { margin-inline: -.5rem; max-width: none; width: calc(100% + 1rem); }
    fieldset { border: 0; margin: 0 0 .8rem; min-width: 0; padding: 0; }
    legend { color: var(--quiet); font-size: .9rem; padding: 0; }
    .less fieldset:first-of-type { display: flex; flex-wrap: wrap; gap: 0 .9rem; }
    .less fieldset:first-of-type legend { float: inline-start; width: 100%; }
    .less .check { margin: .25rem 0; }
    #menu:has(.less) { max-width: 34rem; }
    #menu { max-width: 24rem; width: 94vw; }
    #menu > button { margin-block-start: .8rem; }
    aside .fold { background: none; border: 0; inset-block-start: 0; block-size: 24px; inline-size: 24px; inset-inline-start: calc(.6rem - 24px);
      line-height: 1; margin-block-start: 2px; padding: 0; position: absolute; }
    aside .fold::before { color: var(--quiet); content: "\25be" / ""; font-size: .8rem; }
    aside .folded > .fold::before { content: "\25b8" / ""; }
    aside .folded > ul { display: none; }
    aside.unread-only li:has(> a .count:empty):not(:has([aria-current])) { display: none; }
    aside > nav > button { font-size: .85rem; padding-inline: .6rem; }
    aside footer { border: 0; color: var(--quiet); display: flex; flex-wrap: wrap; font-size: .87rem; gap: 0 .1rem; justify-content: start; padding: 1.5rem .1rem 0; }
    .opener { font-size: .95rem; }
    @media (min-width: 64rem) { body:not(.panes) .opener { display: none; } }
    @media (min-width: 75rem) { .opener { display: none; } }

    .reads #list:not([hidden]) { display: none; }
    body:not(.reads) .bar.item-bar { display: none; }
    main.reader { max-width: none; }
    main.reader > * { margin-inline: auto; max-width: 48rem; }
    @media (min-width: 47.5rem) {
      body.panes { display: flex; flex-direction: column; height: 100vh; height: 100dvh; }
      .panes .masthead { flex: none; position: static; }
      .panes .columns { flex: 1; grid-template-columns: minmax(0, 1fr); grid-template-rows: minmax(0, 1fr); margin: 0; max-width: none; min-height: 0; width: 100%; }
      .panes aside { display: none; height: auto; position: static; }
      .panes main.reader { display: grid; grid-template: auto minmax(0, 1fr) / minmax(0, 1fr); min-height: 0; padding: 0; }
      .panes .messages { grid-column: 1 / -1; margin: 0; max-width: none; padding: 0 1.25rem; }
      .panes .messages > .note { margin-block: .6rem 0; }
      .panes :is(#list, #reading) { margin: 0; max-width: none; min-width: 0; overflow-y: auto; overscroll-behavior: contain; padding: 1rem 1.25rem 5rem; position: relative; }
      .panes #list { overflow-x: hidden; }
      .panes #list h1 { font-size: 1.2rem; }
      .panes #list > * { margin-inline: auto; max-width: 52rem; }
      .panes #items article { scroll-margin: 2.5rem 1.5rem; }
      [data-density=compact] .panes :is(.masthead, #list) { padding-block-start: .3rem; }
      [data-density=compact] .panes .masthead { padding-block-end: .3rem; }
      [data-density=compact] #list .heading { margin-block-end: .2rem; }
      .panes > footer { flex: none; padding: .35rem 1.25rem; }
      .panes.reads main.reader { grid-template-columns: minmax(17rem, 23rem) minmax(0, 1fr); }
      .panes.reads #list:not([hidden]) { border-inline-end: 1px solid var(--line); display: block; grid-column: 1; grid-row: 2; }
      .panes.reads #reading { grid-column: 2; grid-row: 2; }
      .tree aside { background: var(--paper); box-shadow: 0 0 30px rgb(0 0 0 / .3); display: block; inset-block: 0; inset-inline-start: 0; overflow-y: auto;
        padding: 1rem 1rem 2rem 1.5rem; position: fixed; width: 18rem; z-index: 5; }
    }
    @media (min-width: 75rem) {
      .columns, .panes .columns { grid-template-columns: 17rem minmax(0, 1fr); }
      aside, .panes aside { display: block; overflow-y: auto; padding-inline-start: 1.5rem; }
      .panes main.reader { grid-template-columns: minmax(20rem, 27rem) minmax(0, 1fr); }
      .panes #list:not([hidden]) { border-inline-end: 1px solid var(--line); grid-column: 1; grid-row: 2; }
      .panes.reads main.reader { grid-template-columns: minmax(20rem, 27rem) minmax(0, 1fr); }
      .panes[class] #list .heading { align-items: center; }
      :root:not([data-density=compact], [data-density=cards]) .panes:not(.reads) main.reader::after { align-self: center; color: var(--quiet); content: attr(data-empty) / ""; grid-column: 2; grid-row: 2; justify-self: center; }
      :root:is([data-density=compact], [data-density=cards]) .panes:not(.reads) :is(main.reader, #list) { border: 0; grid-template-columns: minmax(0, 1fr); }
      :root:is([data-density=compact], [data-density=cards]) .panes:not(.reads) #list > * { max-width: 70rem; }
    }
    #items article { touch-action: pan-y pinch-zoom; }
    #items article:is([data-swipe=seen], [data-swipe=star])::after { align-content: center; background: var(--tint); color: var(--quiet); content: "\25cf" / ""; font-size: 1.4rem; inset-block: 0;
      inset-inline: -110px auto; position: absolute; text-align: center; width: 110px; }
    #items article[data-swipe=star]::after { content: "\2605" / ""; inset-inline: auto -110px; }
    #items article.ready::after { background: var(--accent); color: var(--paper); }
    .bar { display: none; }
    @media (max-width: 47.49rem) {
      :root { --bar: calc(49px + env(safe-area-inset-bottom)); --pad: .25rem; }
      body { padding-block-end: var(--bar); }
      .bar, .panes .item .actions { height: var(--bar); align-items: stretch; background: var(--raised); border-block-start: 1px solid var(--line); display: flex; inset-block-end: 0; inset-inline: 0;
        justify-content: space-around; padding-block-end: env(safe-area-inset-bottom); position: fixed; z-index: 3; }
      .bar a { align-items: center; color: var(--quiet); display: flex; flex: 1 0 auto; font-size: .85rem; justify-content: center; min-height: 48px; padding-inline: .35rem; text-decoration: none; }
      .panes.reads .bar { display: none; }
      .panes .item .actions { gap: 0; }
      .panes .item .actions > * { align-items: center; background: none; border: 0; display: flex; flex: 1 0 auto; font-size: .82rem; justify-content: center;
        min-height: 48px; min-width: 44px; padding: 0 .25rem; text-decoration: none; white-space: nowrap; }
      .panes .item .actions > [hidden] { display: none; }
      #items .toggle { margin: -10px -.5rem; min-height: 44px; min-width: 44px; }
      #items .star { margin: -9px 0 -12px; }
      #items article { grid-template-columns: 2rem minmax(0, 1fr) auto; }
      #items .meta { padding-inline-end: 2.8rem; }
      [data-density=compact] #items .feed:has(img) { max-width: 16px; }
      #items .thumb { height: 2.9rem; width: 4.2rem; }
      #items article:where(:has(.excerpt)) .thumb { grid-row: 2; }
      #items article:where(:has(.excerpt)) :is(.meta, .star) { grid-column: 2 / -1; }
      html:has(.panes:not(.reads)) { overscroll-behavior-y: contain; }
      #items, main.reader:has(#reading [style*=translate]) { overflow-x: clip; }
      #pull { background: var(--raised); border: 1px solid var(--line); border-radius: 50%; font-size: 1.3rem; height: 2.6rem; inset-block-start: 0; inset-inline: calc(50% - 1.3rem) auto;
        line-height: 2.5rem; position: fixed; text-align: center; width: 2.6rem; z-index: 4; }
      #pull.ready { background: var(--accent); color: var(--paper); }
      #list h1 { font-size: 1.2rem; }
      main:has(> #list) { padding-block-start: .6rem; }
      #list .menu > div { inset-inline: 0; width: auto; }
      #list .failure[role=status] p { -webkit-box-orient: vertical; display: -webkit-box; -webkit-line-clamp: 3; overflow: hidden; }
      #items .meta [data-original] { display: none; }
      .tree aside { background: var(--paper); display: block; inset: 0 0 calc(var(--bar) + var(--player)); overflow-y: auto; padding: 1rem 1.5rem; position: fixed; z-index: 4; }
      .tree aside li a { min-height: 44px; align-items: center; }
      .tree aside .leaf { contain-intrinsic-block-size: auto 44px; }
      .opener, .masthead nav .barred, .masthead form:not([role]), .adding > p:has([data-bookmark]) { display: none; }
      .masthead nav, .chips { flex-wrap: nowrap; overflow-x: auto; }
      .masthead nav a, .chips a { flex: none; }
      .chips a { line-height: 42px; padding-block: 0; }
      .masthead nav .folder { display: inline-flex; }
      .masthead nav a, .brand, .add, .tools :is(a, button, summary), .note :is(a, button), .pages a, main .plain:is(a, button), aside > nav > button, .feed-menu > a, .feed-menu > form > input + button, footer :is(a, button), table.data a, .tags a, main li > a {
        align-items: center; display: inline-flex; min-height: 44px; }
      input, select, textarea, button { min-height: 44px; min-width: 44px; }
      #list .heading .tools { font-size: .84rem; }
      .add, .tools summary { justify-content: center; min-width: 44px; }
      :root :is([type=checkbox], [type=radio]) { flex: none; height: 1.4rem; min-height: 0; min-width: 0; width: 1.4rem; }
      label:has(> :is([type=checkbox], [type=radio])) { align-items: center; display: flex; min-height: 44px; min-width: 44px; }
      #feed-rows td > label { inset-block-start: 0; }
      #feed-rows td:first-child { padding-inline-start: 44px; }
      main summary:not(.tools *) { padding-block: .65rem; }
      .masthead [role=search] { position: static; }
      .masthead .options { inset-inline: .5rem; }
      aside :is(.more, .done, .fold) { block-size: 44px; inline-size: 44px; justify-content: center; margin: 0; opacity: 1; padding: 0; pointer-events: auto; }
      aside .done { inset-inline-end: 44px; }
      aside .fold { inset-inline-start: -1.6rem; }
      .tree aside li > a:first-of-type { padding-inline-end: 92px; }
    }
    @media print { .bar, #foot, .panes #list { display: none; } }
    """#
}
