/// The style sheet of the page.
///
/// One column for reading, with the list of feeds beside it in wide windows. Colours are variables, so that
/// dark and light differ in one place; every pair of text and background has a contrast of at least 4.5 (WCAG
/// 2.2, 1.4.3).
enum PageStyle {
  static let text: StaticString = """
    :root {
      color-scheme: light dark;
      --paper: #fcfbf8; --raised: #fff; --ink: #22262a; --quiet: #5d646b; --line: #e4e1d9;
      --accent: #0b6470; --tint: #e7f1f1; --star: #a35a00; --bad: #a3261b; --bad-tint: #fbeeec; --mark: #fdeeb5;
      --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
      --serif: "Iowan Old Style", Charter, "Source Serif 4", "Noto Serif", Georgia, serif;
    }
    @media (prefers-color-scheme: dark) {
      :root:is([data-theme=auto], :not([data-theme])) {
        --paper: #15181b; --raised: #1c2024; --ink: #dfe2e4; --quiet: #9ba3aa; --line: #2b3036;
        --accent: #76c7cf; --tint: #1b2a2d; --star: #eeb65c; --bad: #f2958b; --bad-tint: #331e1c; --mark: #574a14;
      }
    }
    * { box-sizing: border-box; }
    :root { --bar: 0px; --pad: .5rem; --player: 0px; }
    html, body { overscroll-behavior-x: none; }
    html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
    body { background: var(--paper); color: var(--ink); font: 1rem/1.5 var(--sans); margin: 0; overflow-wrap: break-word; }
    a { color: var(--accent); text-underline-offset: .15em; }
    a:not(:hover) { text-decoration-thickness: 1px; }
    h1 { font-size: 1.5rem; font-weight: 650; letter-spacing: -.01em; line-height: 1.25; margin: 0 0 .75rem; }
    h1, .meta a, .meta span, .note p, .check > span, #stories + ul { min-width: 0; overflow-wrap: anywhere; }
    h2 { font-size: 1.1rem; line-height: 1.35; margin: 2rem 0 .5rem; }
    p { margin: .5rem 0; }
    :focus-visible { border-radius: 3px; outline: 2px solid var(--accent); outline-offset: 2px; }
    .skip { inset-block-start: -10rem; inset-inline-start: 1rem; position: absolute; }
    .skip:focus { background: var(--raised); inset-block-start: .5rem; padding: .5rem 1rem; z-index: 3; }
    [hidden] { display: none !important; }
    .hidden { clip-path: inset(50%); height: 1px; overflow: hidden; position: absolute; white-space: nowrap; width: 1px; }

    .masthead { align-items: center; background: var(--paper); border-block-end: 1px solid var(--line); display: flex;
      flex-wrap: wrap; gap: .25rem 1.25rem; inset-block-start: 0; padding: .6rem 1.25rem; position: sticky; z-index: 2; }
    .brand { color: var(--ink); font: 700 1.15rem var(--serif); text-decoration: none; }
    .masthead nav { display: flex; flex-wrap: wrap; gap: .15rem; }
    .masthead nav a { border-radius: 99px; color: var(--quiet); padding: .2rem .7rem; text-decoration: none; }
    .masthead nav a:hover { background: var(--tint); }
    nav a[aria-current] { background: var(--tint); color: var(--accent); font-weight: 600; }
    .count { flex: none; font-size: .8em; font-variant-numeric: tabular-nums; margin-inline-start: .35em; }
    .masthead [role=search] { flex: 1 1 6rem; max-width: 22rem; margin-inline-start: auto; }
    .masthead input { border-radius: 99px; padding-inline: .9rem; width: 100%; }

    @media (max-width: 40rem) {
      .masthead { padding: .6rem 1rem .4rem; position: relative; }
      .masthead nav { margin-inline: -.6rem; order: 3; width: 100%; }
      .masthead nav a { padding: .2rem .6rem; }
    }

    .columns { display: grid; grid-template-columns: minmax(0, 1fr); }
    main { margin: 0 auto; max-width: 48rem; min-width: 0; padding: 1.5rem 1.25rem 4rem; width: 100%; }
    aside { display: none; font-size: .92rem; }
    @media (min-width: 64rem) {
      .columns { grid-template-columns: 16rem minmax(0, 1fr); }
      aside { border-inline-end: 1px solid var(--line); display: block; height: calc(100vh - 3.4rem);
        inset-block-start: 3.4rem; overflow-y: auto; padding: 1.25rem .75rem 2rem 1.25rem; position: sticky; }
    }
    aside .group { color: var(--quiet); font-size: .75rem; letter-spacing: .06em; margin: 1.25rem .6rem .25rem;
      text-transform: uppercase; }
    aside ul { list-style: none; margin: 0; padding: 0; }
    aside li a { border-radius: 6px; color: inherit; display: flex; align-items: center; padding: .18rem .6rem;
      text-decoration: none; }
    aside li a:hover { background: var(--tint); }
    aside li a .icon { flex: none; }
    aside li a .count { margin-inline-start: auto; padding-inline-start: .35em; }
    aside li a span[dir] { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .icon { margin-inline-end: .3em; vertical-align: -2px; }
    aside .count, .quiet, .meta { color: var(--quiet); }
    aside a.off { font-style: italic; }
    aside .failing .count::before { color: var(--bad); content: "! " / ""; font-weight: 700; }
    aside ul ul { padding-inline-start: .8rem; }

    input, select, textarea, button { background: var(--raised); border: 1px solid var(--line); border-radius: 6px;
      color: inherit; font: inherit; max-width: 100%; padding: .38rem .7rem; }
    input:not([type=checkbox]):not([type=radio]):not([type=file]), select, textarea { border-color: var(--quiet); }
    ::placeholder { color: var(--quiet); opacity: 1; }
    button, select, summary { min-block-size: 24px; min-inline-size: 24px; }
    button { cursor: pointer; }
    button:hover { border-color: var(--accent); color: var(--accent); }
    button:disabled, [aria-busy=true] { cursor: progress; opacity: .6; }
    button.main { background: var(--accent); border-color: var(--accent); color: var(--paper); font-weight: 600; }
    button.bad { color: var(--bad); }
    label { display: block; margin: .6rem 0; }
    label > span { color: var(--quiet); display: block; font-size: .9rem; }
    label > small { display: block; }
    .row { align-items: end; display: flex; flex-wrap: wrap; gap: .5rem; }
    .row + .row { margin-block-start: .5rem; }
    .row label { flex: 1 1 12rem; margin: 0; }
    .row label input { width: 100%; }
    .check { align-items: baseline; display: flex; gap: .5rem; }
    .check > span { color: inherit; font-size: 1rem; }
    :is(input, select):disabled { background: none; color: var(--quiet); cursor: not-allowed; }
    .wide > label input { width: min(100%, 28rem); }
    :is(form.sheet, table.data) + form.sheet { margin-block-start: 1rem; }
    form.sheet { background: var(--raised); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.25rem; }

    .note { background: var(--tint); border-radius: 8px; display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0 0 1rem;
      align-items: baseline; padding: .6rem 1rem; }
    .note p { margin: 0; white-space: pre-line; }
    .note.failure { background: var(--bad-tint); color: var(--bad); }
    .note .tools { gap: .5rem; }
    .note.failure code { color: inherit; }
    progress { accent-color: var(--accent); width: 8rem; }

    .heading { align-items: baseline; display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between;
      margin-block-end: .5rem; }
    .heading h1 { margin: 0; }

    .tools, .pages { align-items: center; display: flex; flex-wrap: wrap; font-size: .9rem; gap: .1rem; margin-inline: calc(-1 * var(--pad)); position: relative; }
    :where(.tools, .pages) :is(a, button, summary), :where(.feed-menu) > a, :where(.feed-menu > form > input) + button, :where(.note, #more) :is(a, button), :where(.feed-menu > details) > summary,
      :is(a, button):where(.plain) { align-items: center; background: none; border: 0; border-radius: 6px; color: inherit; cursor: pointer;
      display: inline-flex; font: inherit; gap: .4rem; list-style: none; min-height: 2.1rem; padding: 0 var(--pad); text-decoration: none; }
    :is(.tools, .pages) :is(a, button, summary):hover, .feed-menu > a:hover, .feed-menu > form > input + button:hover, .plain:is(a, button):hover,
      .tools details[open] > summary, button[aria-pressed=true] { background: var(--tint); color: var(--accent); }
    :where(.note) :is(a, button) { background: var(--raised); font-weight: 600; }
    #more :is(a, button):hover, .feed-menu summary:hover { background: var(--tint); color: var(--accent); }
    :is(.tools, .feed-menu) summary:not([title])::after { content: "\\25be" / ""; }
    .tools > :is(span, label) { margin-inline: .5rem; }
    td :is(.tools, .plain) { margin-block: -.35rem; }
    #items article { align-items: start; border-block-start: 1px solid var(--line); column-gap: .4rem; display: grid;
      grid-template: auto auto auto auto 1fr / 1.6rem minmax(0, 1fr) auto; padding: .7rem 0; position: relative;
      scroll-margin: 5rem 2rem; }
    #items article[aria-current] { background: var(--tint); box-shadow: -.75rem 0 var(--tint), .75rem 0 var(--tint); }
    #items h2 { font-size: 1.05rem; overflow-wrap: anywhere; font-weight: 450; grid-column: 2 / -1; grid-row: 1; margin: 0; }
    #items h2 a { color: var(--quiet); text-decoration: none; }
    #items .unread h2 { font-weight: 620; }
    #items .unread h2 a { color: var(--ink); }
    #items h2 a:hover { text-decoration: underline; }
    #items .meta, #items .excerpt { font-size: .87rem; grid-column: 2; margin: .15rem 0 0; }
    #items .excerpt { grid-row: 2; }
    #items .meta { flex-wrap: nowrap; grid-row: 3; padding-inline-end: 1.9rem; white-space: nowrap; }
    #items .meta > * { flex: none; }
    #items .meta .feed { flex: 0 1 auto; }
    #items .meta.tagged { flex-wrap: wrap; grid-row: 4; padding: 0; }
    .meta { display: flex; flex-wrap: wrap; gap: 0 .7rem; }
    .meta a { color: inherit; text-decoration: none; }
    .meta .feed { align-items: baseline; display: inline-flex; }
    .meta .icon { flex: none; transform: translateY(2px); }
    .meta bdi { min-width: 0; overflow: hidden; text-overflow: ellipsis; }
    .meta a:hover { text-decoration: underline; }
    .meta .label { border: 1px solid var(--line); border-radius: 6px; padding: 0 .35rem; }
    #items .toggle { background: none; border: 0; grid-row: 1; line-height: 1; padding: .35rem; width: 1.75rem; }
    .toggle::before { border: 1.5px solid var(--quiet); border-radius: 50%; content: ""; display: block; height: .62rem;
      margin: .1rem auto; opacity: .6; width: .62rem; }
    .unread .toggle.seen::before { background: var(--accent); border-color: var(--accent); opacity: 1; }
    #items .star { grid-column: 2; grid-row: 3; justify-self: end; margin-block: -.1rem -.5rem; }
    .toggle.star::before { border: 0; color: var(--quiet); content: "\\2606" / ""; font-size: 1.15rem; height: auto;
      margin: -.1rem 0 0; opacity: 1; width: auto; }
    .starred .toggle.star::before { color: var(--star); content: "\\2605" / ""; }
    mark { background: var(--mark); border-radius: 2px; color: var(--ink); }
    .pages { border-block-start: 1px solid var(--line); justify-content: space-between; padding-block: .5rem; }
    .empty { color: var(--quiet); padding: 3rem 0; text-align: center; }

    .item { font-family: var(--serif); margin: 0 auto; }
    .item h1 { font-size: clamp(1.5rem, 1.2rem + 1.6vw, 2.1rem); margin: .25rem 0 .6rem; }
    .item h1 a { color: inherit; text-decoration: none; }
    .item .meta, .item .tools, .item dl.facts, .item nav, .item h2.sub { font-family: var(--sans); font-size: .9rem; }
    .item > .tools { border-block: 1px solid var(--line); margin-block: 1rem 1.5rem; padding-block: .3rem; }
    .item > .tools:not(.labels) { white-space: nowrap; }
    .item .actions { display: flex; flex-wrap: wrap; gap: .1rem; }
    .panes .item .actions { flex-wrap: nowrap; }
    .item .tools .menu form { flex-wrap: nowrap; padding: .3rem .5rem; }
    .item .tools .menu form button { width: auto; }
    .labels form { align-items: center; display: flex; flex-wrap: wrap; gap: .1rem; }
    .item .toggle .hidden { clip-path: none; height: auto; position: static; width: auto; }
    .item .toggle::before { margin: 0; }
    .content { contain: paint; line-height: 1.68; overflow-wrap: anywhere; }
    .content p { margin: 0 0 1.05em; }
    .content :is(img, video, svg) { height: auto; max-width: 100%; }
    .content img { border-radius: 4px; }
    .content .awaited { aspect-ratio: 3 / 2; background: var(--line); width: 100%; }
    .content figure { margin: 1.5em 0; }
    .picture { margin: 0 0 1rem; }
    .content figcaption { color: var(--quiet); font-size: .85em; }
    .content blockquote { border-inline-start: 3px solid var(--line); color: var(--quiet); margin: 1.2em 0;
      padding-inline-start: 1.1em; }
    .content pre, pre.code { background: var(--raised); border: 1px solid var(--line); border-radius: 6px; font-size: .85rem;
      line-height: 1.5; overflow-x: auto; padding: .8rem 1rem; }
    code, kbd, pre { font-family: ui-monospace, "Noto Sans Mono", Menlo, monospace; font-size: .9em; }
    .content table { border-collapse: collapse; display: block; max-width: 100%; overflow-x: auto; }
    .content :is(td, th) { border: 1px solid var(--line); padding: .3rem .6rem; }
    .content hr { border: 0; border-block-start: 1px solid var(--line); margin: 2em 0; }
    .plain { white-space: pre-line; }
    dl.facts { display: grid; gap: .2rem 1rem; grid-template-columns: max-content minmax(0, 1fr); margin: 2rem 0; }
    dl.facts dt { color: var(--quiet); }
    dl.facts dd { margin: 0; overflow-wrap: anywhere; }

    .scroll { overflow-x: auto; }
    table.data { border-collapse: collapse; font-size: .93rem; width: 100%; }
    table.data :is(th, td) { border-block-end: 1px solid var(--line); padding: .5rem .6rem .5rem 0; text-align: start;
      vertical-align: top; }
    table.data th { color: var(--quiet); font-size: .8rem; font-weight: 500; white-space: nowrap; }
    table.data :is(td:first-child, code) { overflow-wrap: anywhere; }
    #feed-rows td:first-child { padding-inline-start: 1.7rem; position: relative; }
    #feed-rows td > label { inset-block-start: .75rem; inset-inline-start: 0; line-height: 1; margin: 0; position: absolute; }
    #several > label { align-items: center; display: flex; gap: .5rem; }
    #several > label input { width: 9rem; }
    td > .tools:not(.remedies) { flex-wrap: nowrap; }
    table.data td.number { font-variant-numeric: tabular-nums; text-align: end; white-space: nowrap; }
    @media (max-width: 40rem) {
      table.data thead { clip-path: inset(50%); height: 1px; overflow: hidden; position: absolute; }
      table.data, table.data :is(tbody, tr, td) { display: block; }
      table.data tr { border-block-end: 1px solid var(--line); padding: .6rem 0; }
      table.data td, table.data td.number { border: 0; display: inline-block; padding: 0 .8rem 0 0; text-align: start; }
      table.data td:first-child { display: block; }
      td[data-label]::before { color: var(--quiet); content: attr(data-label) " "; }
    }
    .state { white-space: nowrap; }
    .state::before { background: var(--accent); border-radius: 50%; content: ""; display: inline-block; height: .55rem;
      margin-inline-end: .45rem; width: .55rem; }
    .state.failing::before, .state.gone::before { background: var(--bad); }
    .state.new::before { background: var(--quiet); }
    .state.failing, .state.gone { color: var(--bad); }
    .chart { margin: 2rem 0 1.5rem; }
    .chart :is(figcaption, div) { display: flex; flex-wrap: wrap; font-size: .9rem; gap: 0 1rem; justify-content: space-between; }
    .chart svg { display: block; height: 6rem; margin-block: .3rem; width: 100%; }
    .chart rect { fill: var(--accent); opacity: .8; }
    del { background: var(--bad-tint); color: var(--bad); }
    ins { background: var(--tint); color: var(--accent); text-decoration: none; }
    dialog { background: var(--raised); border: 1px solid var(--line); border-radius: 12px; color: inherit; max-width: 32rem;
      padding: 1.25rem 1.5rem; }
    dialog > h2:first-child { margin-block-start: 0; }
    dialog::backdrop { background: rgb(0 0 0 / .4); }
    kbd { border: 1px solid var(--line); border-radius: 4px; padding: 0 .35em; }
    .keys { display: grid; gap: .3rem 1.25rem; grid-template-columns: max-content 1fr; margin: 1rem 0; }
    .keys dd { margin: 0; }
    body > footer { border-block-start: 1px solid var(--line); color: var(--quiet); display: flex; flex-wrap: wrap;
      font-size: .9rem; gap: .1rem; justify-content: center; padding: 1.25rem; }
    .gate { margin: 12vh auto 4rem; max-width: 22rem; padding: 0 1.25rem; }
    .gate h1 { font: 700 2rem var(--serif); }
    .gate input, .gate button { width: 100%; }
    .gate button { margin-block-start: .75rem; }
    .gate a.button { border: 1px solid var(--line); border-radius: 6px; display: block; margin-block: .75rem; padding: .5rem;
      text-align: center; text-decoration: none; }
    @media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
    @media print { .masthead, aside, footer, .tools { display: none; } }
    """
}
