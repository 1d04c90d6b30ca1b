/// The part of the script for lists and the tree: further rows, days, times in the browser's zone, folders.
enum ListScript {
  static let text: StaticString = #"""
    const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
    const days = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });
    const ages = new Intl.RelativeTimeFormat('en', { style: 'short' });
    const units = [['day', 86400], ['hour', 3600], ['minute', 60]];
    const localize = from => {
      for (const place of all('time[datetime]', from)) {
        const date = new Date(place.dateTime), age = (Date.now() - date) / 1000;
        if (isNaN(date)) continue;
        const unit = units.find(u => Math.abs(age) >= u[1]);
        place.title = dates.format(date);
        place.textContent = Math.abs(age) >= 7 * 86400 ? place.title
          : unit ? ages.format(-Math.trunc(age / unit[1]), unit[0]) : 'now';
      }
    };
    // Headings between the rows of different days.
    const divide = () => {
      for (const heading of all('#items .day')) heading.remove();
      if (/[?&]order=relevance/.test(listPath) || (/\/search\?/.test(listPath) && !/[?&]order=/.test(listPath))) return;
      let last = '';
      for (const at of items()) {
        const date = new Date(one('time', at).dateTime), now = new Date();
        const day = date.toDateString();
        if (day === last) continue;
        last = day;
        const before = new Date(now - 86400e3).toDateString();
        const name = day === now.toDateString() ? 'Today' : day === before ? 'Yesterday'
          : days.format(date) + (date.getFullYear() === now.getFullYear() ? '' : ` ${date.getFullYear()}`);
        at.before(make('p', { className: 'day', textContent: name }));
      }
    };

    // Adds the next page of the list below its rows. Returns false if there is none.
    let loading = null;
    const more = () => loading ||= (async () => {
      const link = one('#list a[rel=next]');
      if (!link) return false;
      try {
        const box = make('div', {}, ...nodes(await part(link.href, 'list')));
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
        const ids = [...passed];
        passed.clear();
        mark(ids, 'read').then(marked => remember(marked.map(String), 'read')).catch(fail('Not marked'));
      }, 700);
    });
    // Follows each change of the list's rows.
    const arrange = () => {
      localize(list);
      divide();
      const link = one('#list a[rel=next]');
      ends.disconnect();
      if (link) ends.observe(link);
      if ('scrolled' in data) for (const at of items()) rows.observe(at);
    };

    // The tree: folders fold, read feeds can be hidden, and the current entry is in sight.
    const tree = () => {
      const aside = one('aside');
      if (!aside) return;
      const folded = new Set(get(local, 'folded') || []);
      for (const button of all('button.fold', aside)) {
        const entry = button.closest('li'), name = one('a', entry).getAttribute('href');
        const fold = isFolded => {
          entry.classList.toggle('folded', isFolded);
          button.setAttribute('aria-expanded', String(!isFolded));
        };
        button.hidden = false;
        fold(folded.has(name));
        button.addEventListener('click', () => {
          if (folded.has(name)) folded.delete(name); else folded.add(name);
          fold(folded.has(name));
          set(local, 'folded', [...folded]);
        });
      }
      const only = make('button', { type: 'button', className: 'plain', textContent: 'Unread only' });
      const hide = isOn => {
        aside.classList.toggle('unread-only', isOn);
        only.setAttribute('aria-pressed', String(isOn));
      };
      hide(get(local, 'unread-only') === true);
      only.addEventListener('click', () => {
        hide(!aside.classList.contains('unread-only'));
        set(local, 'unread-only', aside.classList.contains('unread-only'));
      });
      one('nav', aside).prepend(only);
      const here = one('[aria-current]', aside);
      if (here) aside.scrollTop = here.offsetTop - aside.clientHeight / 2;
      const toggle = () => {
        const isOpen = document.body.classList.toggle('tree');
        if (isOpen) only.focus();
      };
      const opener = make('button', { type: 'button', className: 'opener plain', textContent: 'Tree', title: 'Folders and feeds' });
      opener.addEventListener('click', toggle);
      one('.masthead').prepend(opener);
      for (const link of all('a[data-tree]')) {
        link.addEventListener('click', event => { event.preventDefault(); toggle(); });
      }
      document.addEventListener('click', event => {
        if (!event.target.closest('aside, .opener, [data-tree]')) document.body.classList.remove('tree');
      });
    };

    const start = async () => {
      entitle();
      tree();
      localize(document);
      if (!reader) return;
      document.body.classList.add('panes');
      const footer = one('body > footer'), wide = matchMedia('(min-width: 75rem)');
      const place = () => { if (wide.matches) one('aside').append(footer); else one('.columns').after(footer); };
      place();
      wide.addEventListener('change', place);
      if (!list.hidden) {
        listPath = location.pathname + location.search;
        set(session, 'list', listPath);
        arrange();
        return;
      }
      // An item whose address was opened: its list is loaded beside it.
      document.body.classList.add('reads');
      shown();
      const path = get(session, 'list') || base + '/unread';
      try {
        list.replaceChildren(...nodes(await part(path, 'list')));
        list.hidden = false;
        listPath = path;
        arrange();
        const at = article() && one(`#items article[data-id='${article().dataset.id}']`);
        if (at) select(at, false);
      } catch { }
    };
    """#
}
