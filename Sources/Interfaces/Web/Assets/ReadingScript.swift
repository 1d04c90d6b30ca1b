/// The part of the script that shows articles beside their list or instead of it, without loading a page.
enum ReadingScript {
  static let text: StaticString = #"""
    const hasPanes = matchMedia('(min-width: 47.5rem)');
    // Articles by id, as text, so that their pictures are loaded only when they are shown.
    const fetched = new Map();
    // `opening`: the id of the item that is shown as soon as its text has come.
    let listPath = null, listTop = 0, turn = 0, opening = null, later;

    // `takesFaults`: a page that says what is wrong with the address is an answer, too.
    const part = async (address, name, takesFaults = false) => {
      const url = new URL(address, location.href);
      url.searchParams.set('part', name);
      url.hash = '';
      const answer = await fetch(url, { headers: { Accept: 'text/html' } });
      if (answer.redirected || !(answer.ok || (takesFaults && answer.status === 400))) throw answered(answer, await answer.text());
      return answer.text();
    };
    const nodes = text => [...new DOMParser().parseFromString(text, 'text/html').body.childNodes];
    const itemPath = id => `${base}/item/${id}`;
    // The item whose address the page has.
    const itemHere = () => {
      const path = location.pathname, id = path.startsWith(base + '/item/') && path.slice(base.length + 6);
      return id && /^\d+$/.test(id) ? id : null;
    };
    const itemText = id => {
      if (!fetched.has(id)) {
        fetched.set(id, part(itemPath(id), 'article'));
        fetched.get(id).catch(() => fetched.delete(id));
        if (fetched.size > 30) fetched.delete(fetched.keys().next().value);
      }
      return fetched.get(id);
    };
    const scroller = () => isReading() && hasPanes.matches ? reading : document.scrollingElement;

    const select = (at, focuses = true) => {
      for (const other of items()) other.removeAttribute('aria-current');
      at.setAttribute('aria-current', 'true');
      if (focuses) one('h2 a', at).focus({ preventScroll: true });
      at.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    };

    const rowOf = id => one(`#items article[data-id='${Number(id)}']`);

    // Shows the article of an item. Its row is the current one at once, so that further steps count from it; the text of an
    // item that is passed over meanwhile is not shown. `entry`: null leaves the browser's history as it is.
    const open = async (id, entry = 'new') => {
      const mine = ++turn, isPassing = opening && !fetched.has(id);
      let text;
      opening = id;
      if (rowOf(id)) select(rowOf(id), false);
      try {
        // Of items that are passed over fast, only the last one is asked for.
        if (isPassing) await new Promise(done => setTimeout(done, 100));
        if (mine !== turn) return;
        text = await itemText(id);
      } catch (error) {
        if (mine !== turn) return;
        opening = null;
        if (!keeps || !(error instanceof TypeError)) { location.href = itemPath(id); return; }
        setAway(true);
        return say(texts.notKept);
      }
      if (mine !== turn) return;
      opening = null;
      fetched.delete(id);
      if (!isReading()) listTop = scrollY;
      reading.replaceChildren(...nodes(text));
      reading.hidden = false;
      document.body.classList.add('reads');
      if (entry) {
        const place = [{ item: id }, '', itemPath(id)];
        if (history.state && history.state.item) {
          history.replaceState(...place);
        } else {
          // "Back" leads to the row of the last item, not to the place that the browser remembers of the list.
          history.scrollRestoration = 'manual';
          history.pushState(...place);
          history.scrollRestoration = 'auto';
        }
      }
      const at = rowOf(id);
      if (at) show({ id, read: !at.classList.contains('unread'), starred: at.classList.contains('starred') });
      // All changes come before what needs the layout, which is then computed once.
      prepare(article());
      scroller().scrollTop = 0;
      reading.focus({ preventScroll: true });
      if (at) select(at, false);
      shown();
    };
    // Follows each showing of an article.
    const shown = () => {
      const at = article();
      if (!at) return;
      document.title = `${one('h1', at).textContent} · newsd`;
      entitle();
      sight();
      clearTimeout(later);
      if (data.mark === 'now') markRead(at);
      if (data.mark === 'later') later = setTimeout(() => { if (article() === at) markRead(at); }, 2000);
      const next = neighbour(1, true);
      if (next) itemText(next.dataset.id);
    };
    const prepare = at => {
      if (!at) return;
      dress(at);
      showWaiting();
      for (const button of all('button[data-share]', at)) button.hidden = false;
    };
    const stay = () => { turn += 1; opening = null; };
    const close = (focuses = true) => {
      stay();
      clearTimeout(later);
      document.body.classList.remove('reads');
      reading.hidden = true;
      reading.replaceChildren();
      sight();
      const heading = one('#list h1');
      document.title = `${heading ? heading.textContent.trim() : 'newsd'} · newsd`;
      entitle();
      if (!hasPanes.matches) scrollTo({ top: listTop, behavior: 'instant' });
      if (row()) select(row(), focuses);
    };
    // Leads back to the row of the item in its list.
    const back = () => {
      stay();
      if (!isReading()) return;
      if (!listPath) return go('/unread');
      if (history.state && history.state.item) return history.back();
      history.pushState(null, '', listPath);
      close();
    };
    // A list that is loaded again keeps its place.
    addEventListener('pagehide', () => { history.scrollRestoration = 'auto'; });
    addEventListener('popstate', () => {
      if (!reader) return;
      const id = itemHere();
      if (id) {
        if (!article() || article().dataset.id !== id) open(id, null);
      } else if (location.pathname + location.search === listPath) {
        if (isReading()) close();
      } else {
        location.reload();
      }
    });

    // The place in the list after an item that is not in it.
    const following = at => {
      const rows = items(), time = e => Date.parse(one('time', e).dateTime), mine = time(at);
      const isOldestFirst = rows.length > 1 && time(rows[0]) < time(rows.at(-1));
      return rows.findIndex(other => isOldestFirst ? time(other) > mine : time(other) < mine);
    };
    const neighbour = (by, isUnread) => {
      const rows = items(), at = article(), after = row() || !at ? -1 : following(at);
      let index = row() ? rows.indexOf(row()) : after < 0 ? at ? rows.length : -1 : by > 0 ? after - 1 : after;
      if (index < 0 && by < 0) return null;
      for (index += by; index >= 0 && index < rows.length; index += by) {
        if (!rows[index].hidden && (!isUnread || rows[index].classList.contains('unread'))) return rows[index];
      }
      return null;
    };
    // Shows another list in place of the present one. `entry`: the method that tells the browser's history, if any.
    const turnTo = (path, text, entry) => {
      if (entry) history[entry](null, '', path);
      list.replaceChildren(...nodes(text));
      list.hidden = false;
      listPath = path;
      listTop = list.scrollTop = 0;
      set(session, 'list', path);
      for (const link of all('.masthead nav a, aside a')) {
        if (link.pathname === path.split('?')[0]) link.setAttribute('aria-current', 'page'); else link.removeAttribute('aria-current');
      }
      if (!isReading()) document.title = `${one('h1', list).textContent.trim()} · newsd`;
      entitle();
      sight();
      arrange();
    };
    // Puts the rows of new items among the others, which stay, as does the article.
    const renewRows = async link => {
      const path = link.pathname + link.search, before = listPath;
      try {
        const text = await part(path, 'list'), box = make('div', {}, ...nodes(text));
        if (listPath !== before) return;
        refocus(link, list);
        if (path !== before || one('#items.empty')) {
          const isOther = path !== before, id = isOther && itemHere();
          turnTo(path, text, isOther && 'replaceState');
          // "Back" leads from the article to this list.
          if (id) history.pushState({ item: id }, '', itemPath(id));
          return;
        }
        let last;
        for (const at of all('#items article', box)) {
          const known = rowOf(at.dataset.id);
          if (!known) { if (last) last.after(at); else one('#items').prepend(at); }
          last = known || at;
        }
        for (const name of ['#arrived', '.heading']) one(`#list ${name}`).replaceWith(one(name, box));
        list.scrollTop = 0;
        arrange();
      } catch (error) {
        fail(texts.notDone)(error);
      }
    };
    // The feed or folder with unread items that follows the list in the tree; after the last one, the first one follows.
    const nextEntry = () => {
      const path = (listPath || '').split('?')[0], isFolder = path.startsWith(base + '/folder/');
      const links = all(`aside a[data-${isFolder ? 'folder' : 'feed'}]`), at = links.findIndex(link => link.pathname === path);
      const here = at >= 0 && links[at].closest('li');
      return [...links.slice(at + 1), ...links.slice(0, Math.max(at, 0))].find(link => one('.count', link).textContent && !link.closest('[hidden]') && !(here && here.contains(link)));
    };
    // Goes to the first unread item of the next feed or folder. Returns false if none has unread items.
    let moving = null;
    const move = () => moving ||= (async () => {
      const link = nextEntry();
      if (!link) return false;
      if (!reader) { link.click(); return true; }
      try {
        const to = new URL(link.href), now = new URL(listPath || '', location.href).searchParams;
        for (const name of ['show', 'stories', 'order']) if (now.has(name)) to.searchParams.set(name, now.get(name));
        const path = to.pathname + to.search, text = await part(path, 'list');
        turnTo(path, text, history.state && history.state.item ? 'replaceState' : 'pushState');
        say(fill(texts.nextIs, { name: one('span', link).textContent.trim() }));
        let at;
        do at = items().find(other => other.classList.contains('unread')); while (!at && await more());
        if (at) goTo(at);
      } catch (error) {
        fail(texts.notDone)(error);
      }
      return true;
    })().finally(() => { moving = null; });
    const goTo = at => { if (isReading() || opening) open(at.dataset.id); else select(at); };
    const step = async (by, isUnread) => {
      await moving;
      if (!items().length && article()) return follow(by > 0 ? '#reading nav a[data-next]' : '#reading a[data-previous]');
      let at = neighbour(by, isUnread);
      while (!at && by > 0 && await more()) at = neighbour(by, isUnread);
      if (at) return goTo(at);
      if (by < 0) return say(texts.firstItem);
      const [, kind] = (listPath || '').slice(base.length).match(/^\/(feed|folder)\//) || [];
      if (one('#list a[rel=next]')) return say(texts.noAnswer);
      if (!isUnread) return say(texts.lastItem);
      if (!kind || !await move()) say(kind === 'feed' ? texts.noFeedLeft : kind ? texts.noFolderLeft : texts.noneLeft);
    };
    // Scrolls by a page, and at the end goes to the next unread item.
    const page = isUp => {
      if (opening) return;
      if (!isReading()) return isUp || row() ? step(isUp ? -1 : 1, true) : actions.o();
      const box = scroller();
      if (isUp || box.scrollTop + box.clientHeight < box.scrollHeight - 4) {
        box.scrollBy({ top: (isUp ? -.85 : .85) * box.clientHeight, behavior: 'instant' });
      } else {
        step(1, true);
      }
    };
    const share = async at => {
      const link = one('a[data-original]', at), title = one('h1', at).textContent;
      const url = link ? link.href : location.href;
      try {
        if (navigator.share) return await navigator.share({ title, url });
        await navigator.clipboard.writeText(url);
        say(texts.linkCopied);
        one('button[data-share]', at).textContent = texts.copiedLink;
      } catch (error) {
        if (error.name !== 'AbortError') say(texts.linkNotCopied);
      }
    };

    // The row at which a click opens its item: not at a control or at another link, and not where a text is selected.
    const rowAt = at => {
      const control = at.closest('a, button, input, summary, .menu');
      return reader && (control ? control.matches('h2 a, .thumb') : !String(getSelection())) && at.closest('#items article');
    };
    // Clicks beside the links of a row that open another tab at a link.
    for (const kind of ['click', 'auxclick']) {
      document.addEventListener(kind, event => {
        const at = event.target, isElsewhere = kind === 'auxclick' ? event.button === 1 : event.ctrlKey || event.metaKey || event.shiftKey;
        if (event.defaultPrevented || !isElsewhere || at.closest('a')) return;
        const opened = rowAt(at);
        if (opened) window.open(itemPath(opened.dataset.id), '_blank', 'noopener');
      });
    }
    document.addEventListener('click', event => {
      const at = event.target;
      if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      const act = action => { event.preventDefault(); action(); };
      const opened = rowAt(at);
      if (opened) return act(() => open(opened.dataset.id));
      if (at.closest('#arrived a') && hasPanes.matches) return act(() => renewRows(at));
      if (at.closest('#reading a[data-back]')) return act(back);
      if (at.closest('#reading a[data-next]') && items().length) return act(() => step(1, true));
      if (at.closest('#reading a[data-previous]') && items().length) return act(() => step(-1, true));
      if (at.closest('button[data-share]')) return act(() => share(article()));
      const menu = at.closest('details.menu');
      for (const other of all('details.menu[open]')) if (other !== menu) other.open = false;
    });

    // Swipes: on a row right marks it and left stars it; on an article left leads to the next unread one, and right back. What
    // moves with the finger shows what lifting it would do.
    let touch = null;
    const trail = [], pull = make('div', { id: 'pull', textContent: '\u21bb', hidden: true });
    pull.ariaHidden = 'true';
    document.body.append(pull);
    const drag = (x, y) => {
      const { swiped, page, canPull } = touch, isSwipe = Math.abs(x) > 12 && Math.abs(y) <= 45;
      if (swiped) {
        swiped.dataset.swipe = !isSwipe ? '' : x > 0 ? 'seen' : 'star';
        swiped.style.translate = isSwipe ? `${Math.max(-110, Math.min(110, x))}px` : '';
        swiped.classList.toggle('ready', isSwipe && Math.abs(x) >= 70);
      }
      // The bar of phones stays.
      for (const at of page ? page.children : []) if (!at.matches(':has(.actions)')) at.style.translate = isSwipe ? `${x / 3}px` : '';
      pull.hidden = !canPull || y < 30 || Math.abs(x) >= 60;
      pull.style.translate = `0 ${Math.min(y, 130) / 2}px`;
      pull.classList.toggle('ready', y > 130);
    };
    const release = () => {
      if (touch) drag(0, 0);
      touch = null;
    };
    const offset = ({ clientX, clientY }) => [clientX - touch.x, clientY - touch.y];
    document.addEventListener('touchstart', event => {
      const at = event.target, first = event.touches[0];
      release();
      if (event.touches.length !== 1 || at.closest('pre, table, .scroll, input, nav')) return;
      touch = {
        x: first.clientX, y: first.clientY, swiped: at.closest('#items article'), page: at.closest('#reading') && article(),
        canPull: !hasPanes.matches && !isReading() && scroller().scrollTop <= 0 && at.closest('#list')
      };
    }, { passive: true });
    document.addEventListener('touchmove', event => { if (touch) drag(...offset(event.touches[0])); }, { passive: true });
    document.addEventListener('touchcancel', release);
    document.addEventListener('touchend', event => {
      if (!touch) return;
      const [x, y] = offset(event.changedTouches[0]), { swiped, page, canPull } = touch;
      release();
      if (canPull && y > 130 && Math.abs(x) < 60) return refresh(true).then(() => follow('#arrived:not([hidden]) a'));
      if (Math.abs(x) < 70 || Math.abs(y) > 45) return;
      if (swiped) {
        const button = one(x > 0 ? 'button.seen' : 'button.star', swiped);
        return button.form.requestSubmit(button);
      }
      if (!page) return;
      const { id } = page.dataset;
      while (trail.at(-1) === id) trail.pop();
      if (x < 0) {
        trail.push(id);
        return step(1, true);
      }
      const from = trail.pop();
      if (from && rowOf(from)) open(from); else step(-1, false);
    }, { passive: true });
    """#
}
