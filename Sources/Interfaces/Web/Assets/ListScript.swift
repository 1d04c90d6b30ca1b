/// The part of the script for lists and the tree: further rows, days, times in the browser's zone, folders.
enum ListScript {
  static let text: StaticString = #"""
    // The zone of the settings, unless the browser does not know it.
    const timeZone = safely(() => data.zone, name => new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone) || undefined;
    // Dates are in the language of the page's texts, not of the browser.
    const language = 'en-GB';
    const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone });
    const days = new Intl.DateTimeFormat(language, { weekday: 'long', day: 'numeric', month: 'long', timeZone });
    const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone });
    const ages = new Intl.RelativeTimeFormat(language, { style: 'short' });
    const units = [['day', 86400], ['hour', 3600], ['minute', 60]];
    const isCompact = document.documentElement.dataset.density === 'compact';
    const dayNames = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone });
    const localize = from => {
      for (const place of all('time[datetime]', from)) {
        const date = new Date(place.dateTime), age = (Date.now() - date) / 1000;
        if (isNaN(date)) continue;
        const unit = units.find(u => Math.abs(age) >= u[1]);
        place.title = dates.format(date);
        place.textContent = Math.abs(age) >= 7 * 86400 ? place.title
          : unit ? ages.format(-Math.floor(age / unit[1]), unit[0]) : texts.now;
        if (!isCompact || !place.closest('#items')) continue;
        place.textContent = Math.abs(age) >= 7 * 86400 ? dayNames.format(date) : unit ? Math.trunc(age / unit[1]) + unit[0][0] : texts.now;
      }
    };
    // Headings between the rows of different days.
    const divide = () => {
      for (const heading of all('#items .day')) heading.remove();
      if (/[?&]order=relevance/.test(listPath) || (/\/search\?/.test(listPath) && !/[?&]order=/.test(listPath))) return;
      let last = '';
      // Where most days have one item, its time tells the day.
      const rows = items(), distinct = new Set(rows.map(at => dayOf.format(new Date(one('time', at).dateTime))));
      if (rows.length > 3 && distinct.size * 1.5 > rows.length) return;
      for (const at of rows) {
        if (at.hidden) continue;
        const date = new Date(one('time', at).dateTime), now = new Date();
        const day = dayOf.format(date);
        if (day === last) continue;
        last = day;
        const before = dayOf.format(now - 86400e3), today = dayOf.format(now);
        const name = day === today ? texts.today : day === before ? texts.yesterday
          : days.format(date) + (day.slice(0, 4) === today.slice(0, 4) ? '' : ` ${day.slice(0, 4)}`);
        at.before(make('p', { className: 'day', textContent: name }));
      }
    };

    // Adds the next page of the list below its rows. Returns false if there is none.
    let loading = null;
    const more = () => loading ||= (async () => {
      const link = one('#list a[rel=next]');
      if (!link) return false;
      const path = listPath;
      try {
        const box = make('div', {}, ...nodes(await part(link.href, 'list')));
        if (listPath !== path) return false;
        const known = new Set(items().map(at => at.dataset.id));
        const rows = all('#items article[data-id]', box).filter(at => !known.has(at.dataset.id));
        one('#items').append(...rows);
        const pages = one('.pages', box);
        if (pages) one('#list .pages').replaceWith(pages); else link.remove();
        arrange();
        return rows.length > 0;
      } catch {
        return false;
      } finally {
        loading = null;
      }
    })();
    const ends = new IntersectionObserver(entries => { if (entries.some(e => e.isIntersecting)) more(); });

    // Rows that have scrolled past are marked together.
    const passed = new Set();
    let passing;
    const rows = new IntersectionObserver(entries => {
      for (const entry of entries) {
        const at = entry.target, top = hasPanes.matches ? list.getBoundingClientRect().top : 0;
        if (entry.isIntersecting || entry.boundingClientRect.bottom > top + 4) continue;
        if (at.classList.contains('unread') && entry.boundingClientRect.height) passed.add(at.dataset.id);
      }
      if (!passed.size) return;
      clearTimeout(passing);
      passing = setTimeout(() => {
        markAs([...passed], 'read');
        passed.clear();
      }, 700);
    });
    // Follows each change of the list's rows.
    const arrange = () => {
      localize(list);
      showWaiting();
      if (removal) removal.hide(); else divide();
      const link = one('#list a[rel=next]');
      ends.disconnect();
      if (link) ends.observe(link);
      if ('scrolled' in data) for (const at of items()) rows.observe(at);
    };

    // Marks the feed of the article that is read, and scrolls the current entry of the tree into sight, unless it `stays`.
    const sight = stays => {
      const aside = one('aside'), at = isReading() && article();
      if (!aside) return;
      for (const link of all('a.shown', aside)) link.classList.remove('shown');
      const feed = at && one(`a[data-feed='${Number(at.dataset.feed)}']`, aside), here = feed || one('[aria-current]', aside);
      if (feed) feed.classList.add('shown');
      if (!here || stays) return;
      for (let entry = here.closest('li').parentElement.closest('aside li'); !feed && entry; entry = entry.parentElement.closest('aside li')) {
        if (entry.classList.contains('folded')) one('.fold', entry).click();
      }
      const box = here.getBoundingClientRect(), frame = aside.getBoundingClientRect();
      if (box.height && (box.top < frame.top || box.bottom > Math.min(frame.bottom, innerHeight))) {
        aside.scrollTop += box.top - frame.top - aside.clientHeight / 2;
      }
    };
    // Folders of the tree fold.
    const foldable = aside => {
      const folded = new Set(get(local, 'folded') || []);
      for (const button of all('button.fold', aside)) {
        const entry = button.closest('li'), name = one('a', entry).getAttribute('href');
        const fold = isFolded => {
          entry.classList.toggle('folded', isFolded);
          button.setAttribute('aria-expanded', String(!isFolded));
        };
        button.hidden = false;
        fold(folded.has(name));
        onClick(button, () => {
          if (folded.has(name)) folded.delete(name); else folded.add(name);
          fold(folded.has(name));
          set(local, 'folded', [...folded]);
        });
      }
      for (const link of all('arranged' in data ? 'a:is([data-feed], [data-folder])' : 'a[data-feed]', aside)) link.draggable = true;
    };
    // The tree beside the list, which may become another one meanwhile.
    const freshTree = async () => {
      const path = listPath, [fresh] = nodes(await part(path || location.href, 'tree'));
      return listPath === path ? fresh : freshTree();
    };
    // Shows the tree as it is now: feeds were added, renamed, moved or removed elsewhere.
    const growTree = fresh => {
      const nav = one('aside nav'), { scrollTop } = one('aside'), active = document.activeElement, focused = nav.contains(active) && active.getAttribute('href'), only = one(':scope > button', nav);
      nav.replaceChildren(...(only ? [only] : []), ...one('nav', fresh).childNodes);
      for (const link of all('a', nav)) {
        if (link.getAttribute('href') === focused) link.focus({ preventScroll: true });
      }
      if (only && only === active) only.focus({ preventScroll: true });
      foldable(nav);
      countMatches();
      one('aside').scrollTop = scrollTop;
      sight(true);
    };
    // Shows a move in the tree.
    const regrow = async () => {
      try {
        const fresh = await freshTree();
        if (dragged) return;
        growTree(fresh);
        if (removal) removal.hide();
      } catch { }
    };
    // The tree: read feeds can be hidden, and the current entry is in sight.
    const tree = () => {
      const aside = one('aside');
      if (!aside) return;
      foldable(aside);
      const only = makeButton(texts.unreadOnly, () => {
        hide(!aside.classList.contains('unread-only'));
        set(local, 'unread-only', aside.classList.contains('unread-only'));
      });
      only.className = 'plain';
      const hide = isOn => {
        aside.classList.toggle('unread-only', isOn);
        only.setAttribute('aria-pressed', String(isOn));
      };
      hide(get(local, 'unread-only') === true);
      one('nav', aside).prepend(only);
      aside.scrollTop = get(session, 'tree') || 0;
      sight();
      addEventListener('pagehide', () => set(session, 'tree', aside.scrollTop));
      const toggle = () => {
        const isOpen = document.body.classList.toggle('tree');
        if (isOpen) only.focus({ preventScroll: true });
        sight();
      };
      one('.masthead').prepend(Object.assign(makeButton(texts.tree, toggle), { className: 'opener plain', title: texts.foldersAndFeeds }));
      for (const link of all('a[data-tree]')) onClick(link, event => { event.preventDefault(); toggle(); });
      document.addEventListener('click', event => {
        if (!event.target.closest('aside, .opener, [data-tree]')) document.body.classList.remove('tree');
      });
    };

    // The menu of a feed or folder, and feeds that are dragged to a folder.
    const menu = async link => {
      let content;
      const url = new URL(link.href);
      url.searchParams.set('from', location.pathname.slice(base.length) + location.search);
      try { content = nodes(await part(url, 'menu')); } catch { location.href = link.href; return; }
      // Two presses of a key open one.
      if (one('#menu')) return;
      const dialog = make('dialog', { id: 'menu', ariaLabel: texts.more }, ...content, makeButton(texts.close, () => dialog.close()));
      dialog.addEventListener('close', () => link.focus());
      // The number of items that a rule would hit follows the choice of its words.
      const counter = one('[data-count]', dialog);
      if (counter) {
        // Enter adds the rule.
        counter.hidden = counter.disabled = true;
        let asked = 0;
        dialog.addEventListener('change', async () => {
          const mine = ++asked, form = one('[data-count]', dialog).form, to = new URL(form.getAttribute('action'), location.href), fields = new FormData(form);
          to.searchParams.set('part', 'menu');
          fields.set('do', 'count');
          try {
            const answer = await fetch(to, { method: 'POST', headers: { Accept: 'text/html' }, body: new URLSearchParams(fields) });
            const hits = one('.hits', make('div', {}, ...nodes(await answer.text())));
            if (mine === asked && hits) one('.hits', dialog).textContent = hits.textContent;
          } catch { }
        });
      }
      popUp(dialog, true);
    };
    document.addEventListener('click', event => {
      const link = event.target.closest('a[data-menu]');
      if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      menu(link);
    });
    // The entry of the tree that is dragged; the tree stays as it is meanwhile.
    let dragged = null;
    const carry = () => {
      const entries = 'aside :is(a[data-feed], a[data-folder])', isArranged = 'arranged' in data;
      const linkOf = entry => one(':scope > a', entry), pathOf = entry => linkOf(entry).getAttribute('href').slice(base.length);
      const above = entry => entry.parentElement.closest('aside li');
      const folderOf = entry => entry ? decodeURIComponent(pathOf(entry).slice('/folder/'.length)) : '';
      // Sends the form of a move. `back` is the form that undoes it: a path and its fields.
      const shift = (entry, [path, fields], back, stays) => {
        const name = one('span[dir]', linkOf(entry)).firstChild.textContent;
        underway = underway.then(() => send(base + path, fields)).then(() => {
          keepUndo({ ids: [], form: back });
          tell(false, note(fill(texts.moved, { name }), undoButton()));
          if (!stays) regrow();
        }).catch(fail(texts.notMoved));
      };
      const toFolder = (entry, folder) => [pathOf(entry) + '/name', { folder }];
      const beside = (entry, other, to) => ['/tree', { entry: pathOf(entry), other: pathOf(other), to }];
      // Moves an entry before or after another one, and a feed also to the folder of that one.
      const arrange = (entry, other, to) => {
        const stays = above(entry) === above(other), { nextElementSibling: next, previousElementSibling: last } = entry;
        const back = next ? beside(entry, next, 'before') : last ? beside(entry, last, 'after') : toFolder(entry, folderOf(above(entry)));
        if (stays) other[to](entry);
        shift(entry, beside(entry, other, to), back, stays);
      };
      const light = (at, name) => {
        for (const other of all('aside :is(.target, .before, .after)')) other.classList.remove('target', 'before', 'after');
        if (at) at.classList.add(name);
      };
      const target = event => {
        if (!dragged || !event.target.closest) return null;
        const isFeed = 'feed' in linkOf(dragged).dataset, top = one('aside .group:last-of-type');
        if (isFeed && event.target.closest('aside .group')) return { at: top, folder: '' };
        const at = event.target.closest('aside li'), link = at && linkOf(at);
        if (!link || !link.matches(entries) || dragged.contains(at)) return null;
        const box = link.getBoundingClientRect(), place = (event.clientY - box.top) / box.height, isFolder = 'folder' in link.dataset;
        if (isFeed && isFolder && !(isArranged && place < .25)) return { at, folder: folderOf(at) };
        if (isFeed && !isArranged) return { at: above(at) || top, folder: folderOf(above(at)) };
        if (!isArranged || !isFeed && above(at) !== above(dragged)) return null;
        return { at, to: place < .5 ? 'before' : 'after' };
      };
      document.addEventListener('dragstart', event => {
        const link = event.target.closest && event.target.closest(entries);
        dragged = link && link.closest('li');
      });
      document.addEventListener('dragend', () => { dragged = null; light(null); });
      document.addEventListener('dragover', event => {
        const place = target(event);
        if (place) event.preventDefault();
        light(place && place.at, place && place.to || 'target');
      });
      document.addEventListener('drop', event => {
        const place = target(event), entry = dragged;
        if (!place) return;
        event.preventDefault();
        light(null);
        dragged = null;
        if (place.to) return arrange(entry, place.at, place.to);
        const former = folderOf(above(entry));
        if (former !== place.folder) shift(entry, toFolder(entry, place.folder), toFolder(entry, former));
      });
      // Alt and an arrow move an entry past its neighbour.
      document.addEventListener('keydown', event => {
        const to = event.altKey && { ArrowUp: 'before', ArrowDown: 'after' }[event.key], link = to && isArranged && event.target.closest(entries);
        if (!link) return;
        event.preventDefault();
        const entry = link.closest('li'), next = at => to === 'before' ? at.previousElementSibling : at.nextElementSibling;
        let other = next(entry);
        while (other && !other.getClientRects().length) other = next(other);
        if (!other) return;
        arrange(entry, other, to);
        link.focus();
      });
    };

    const start = async () => {
      entitle();
      tree();
      carry();
      localize(document);
      const zones = one('#zones');
      if (zones && Intl.supportedValuesOf) zones.append(...Intl.supportedValuesOf('timeZone').map(value => make('option', { value })));
      // How this browser shows pages takes effect at once.
      const look = one('#browser');
      if (look) look.addEventListener('change', async () => {
        const choices = all('select', look).map(at => [at.name, at.value]);
        if (await sendAway(base + '/settings', new URLSearchParams(new FormData(look)))) Object.assign(document.documentElement.dataset, Object.fromEntries(choices));
      });
      const footer = one('body > footer'), wide = matchMedia('(min-width: 75rem)');
      const settle = () => { if (wide.matches) one('aside').append(footer); else one('.columns').after(footer); };
      if (footer && one('aside')) settle();
      if (footer && one('aside')) wide.addEventListener('change', settle);
      if (location.pathname === base + '/search' && !location.search) one('#q').focus();
      if (!reader) return;
      document.body.classList.add('panes');
      const seat = () => (hasPanes.matches ? foot : one('.messages')).prepend(place, one('#refreshing'));
      seat();
      hasPanes.addEventListener('change', seat);
      if (!list.hidden) {
        // The page that is kept in the browser is the list, also at the address of an item.
        const id = data.kept && itemHere();
        listPath = id ? base + '/unread' : location.pathname + location.search;
        set(session, 'list', listPath);
        arrange();
        // Arrows, Page Down, Home and End scroll what has the focus.
        if (document.activeElement === document.body) list.focus({ preventScroll: true });
        if (id) open(id, null);
        return;
      }
      // An item whose address was opened: its list is loaded beside it.
      document.body.classList.add('reads');
      prepare(article());
      shown();
      const path = get(session, 'list') || base + '/unread';
      try {
        const rows = nodes(await part(path, 'list'));
        if (listPath) return;
        list.replaceChildren(...rows);
        list.hidden = false;
        listPath = path;
        arrange();
        const at = article() && one(`#items article[data-id='${article().dataset.id}']`);
        if (at) return select(at, false);
        const next = article() && items()[following(article())];
        if (next) next.scrollIntoView({ block: 'center', behavior: 'instant' });
      } catch { }
    };
    """#
}
