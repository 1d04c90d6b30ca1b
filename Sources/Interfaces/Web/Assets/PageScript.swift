/// The script of the page. Every page works without it; it adds keys, marks without a reload, articles beside their
/// list, and live counts.
///
/// It sends the page's own forms and follows its links, and makes markup only from parts of the page's own documents,
/// never from the text of feeds. All parts are one function: names of one part are known to the others.
enum PageScript {
  /// Helpers, marks and what undoes them.
  static let marks: StaticString = #"""
    const one = (s, from = document) => from.querySelector(s);
    const all = (s, from = document) => [...from.querySelectorAll(s)];
    const data = document.body.dataset, base = data.base, usesKeys = data.keys !== 'off';
    const reader = one('main.reader'), list = one('#list'), reading = one('#reading');
    const items = () => all('#items article[data-id]:is(:not([hidden]), [aria-current])');
    const row = () => one('#items article[aria-current]');
    const article = () => one('#reading article.item[data-id]');
    const isReading = () => document.body.classList.contains('reads');
    const current = () => opening ? rowOf(opening) : isReading() ? article() : row();
    const safely = (store, act) => { try { return act(store()); } catch { return null; } };
    const session = () => sessionStorage, local = () => localStorage;
    const get = (store, name) => safely(store, s => JSON.parse(s.getItem(name)));
    const set = (store, name, value) => safely(store, s => s.setItem(name, JSON.stringify(value)));
    const make = (name, values = {}, ...content) => {
      const element = Object.assign(document.createElement(name), values);
      element.append(...content);
      return element;
    };
    // A text of the page with its values.
    const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
    const onClick = (element, act) => { element.addEventListener('click', act); return element; };
    // Shows a dialog, which leaves when it is closed. A click beside it closes it if it `yields`.
    const popUp = (dialog, yields) => {
      dialog.addEventListener('close', () => dialog.remove());
      if (yields) onClick(dialog, event => { if (event.target === dialog) dialog.close(); });
      document.body.append(dialog);
      dialog.showModal();
    };
    const makeButton = (textContent, act) => onClick(make('button', { type: 'button', textContent }), act);

    // What the page says, at the foot of the window. Failures and questions stay until they are answered. With panes the
    // progress of a refresh is there, too: above them it would move what one reads.
    const toast = make('div', { id: 'toast', role: 'status' });
    const foot = make('div', { id: 'foot' }, toast);
    document.body.append(foot);
    let toastTimer, refreshTimer;
    // A note that leaves gives the focus back to what had it before, or to the list.
    let former;
    document.addEventListener('focusin', ({ target, relatedTarget: last }) => { if (target.closest('.note') && !(last && last.closest('.note'))) former = last; });
    const refocus = (from, to = former && former.isConnected ? former : isReading() ? reading : list) => {
      if (to && from.contains(document.activeElement)) to.focus({ preventScroll: true });
    };
    const hush = () => { clearTimeout(toastTimer); refocus(toast); toast.replaceChildren(); };
    const tell = (stays, ...notes) => {
      hush();
      toast.append(...notes);
      if (!stays) toastTimer = setTimeout(hush, 6000);
    };
    const note = (text, ...more) => make('div', { className: 'note' }, make('p', { textContent: text }), ...more);
    const say = text => tell(false, note(text));
    document.addEventListener('newsd-undo', event => {
      const { text, undo } = event.detail;
      tell(false, note(text, makeButton(texts.undo, () => { hush(); undo(); })));
    });
    const fail = what => error => {
      const isOut = error.message === texts.logInAgain, to = encodeURIComponent(location.pathname.slice(base.length) + location.search);
      const more = isOut ? [make('a', { href: `${base}/login?to=${to}`, textContent: texts.logIn })] : [];
      const at = note(`${what}: ${error instanceof TypeError ? texts.noAnswer : error.message}`, ...more, makeButton(texts.dismiss, hush));
      at.classList.add('failure');
      tell(true, at);
    };
    const go = async path => { if (!removal || await removal.finish()) location.href = base + path; };
    const follow = selector => { const link = one(selector); if (link) link.click(); };

    // `keeps`: marks wait while newsd does not answer. `isAway`: newsd did not answer last.
    const keeps = 'serviceWorker' in navigator && data.account, waiting = new Map();
    let isAway = false;
    // Sends a form. An error that a proxy answers in place of newsd means that newsd does not answer, as does a minute without
    // an answer, unless newsd fetches an article meanwhile.
    const postForm = async (address, kind, body) => {
      // A kept article has the token of the session in which it was kept.
      body.set('csrf', data.csrf);
      let answer;
      try {
        const signal = String(address).endsWith('/article') ? null : AbortSignal.timeout(60_000);
        answer = await fetch(address, { method: 'POST', headers: { Accept: kind }, body, signal, keepalive: String(address).endsWith('/remove') });
        if ([502, 503, 504].includes(answer.status) && !answer.headers.has('Newsd-Account')) throw new TypeError();
      } catch {
        setAway(true);
        throw new TypeError();
      }
      setAway(false);
      if (answer.status === 403 || new URL(answer.url).pathname === base + '/login') throw new Error(texts.logInAgain);
      return answer;
    };
    // newsd says in plain text why it refuses something.
    const answered = ({ status, headers }, text) => new Error(/^text\/plain/.test(headers.get('Content-Type')) ? text : fill(texts.answered, { status }));
    const send = async (address, fields) => {
      const answer = await postForm(address, 'application/json', new URLSearchParams(fields));
      if (!answer.ok) throw answered(answer, await answer.text());
      return answer.json();
    };
    const label = (button, value, text) => {
      button.value = value;
      button.title = text;
      one('span', button).textContent = text;
    };
    const show = state => {
      for (const at of all(`article[data-id='${Number(state.id)}']`)) {
        const wasUnread = at.classList.contains('unread');
        const seen = one('button.seen', at), star = one('button.star', at), page = one('input[name=id]', at);
        if ('read' in state) {
          at.classList.toggle('unread', !state.read);
          if (seen) label(seen, state.read ? 'unread' : 'read', state.read ? texts.markUnread : texts.markRead);
          if (page) page.disabled = state.read;
          if (wasUnread === state.read && (at.closest('#items') || !one(`#items article[data-id='${Number(state.id)}']`))) {
            countFeed(at.dataset.feed, state.read ? -1 : 1);
          }
        }
        if ('starred' in state) {
          at.classList.toggle('starred', state.starred);
          if (star) label(star, state.starred ? 'unstarred' : 'starred', state.starred ? texts.unstar : texts.star);
        }
      }
    };
    // Counts of the feed and of the folders above it.
    const countFeed = (feed, by) => {
      const link = one(`aside a[data-feed='${Number(feed)}']`);
      for (let entry = link && link.closest('li'); entry; entry = entry.parentElement.closest('aside li')) {
        const place = one(':scope > a .count, :scope > .entry > a .count', entry);
        if (place) place.textContent = Math.max(0, Number(place.textContent) + by) || '';
      }
      // A tree of many feeds lacks read ones.
      if (!link && by > 0) recount();
    };
    // The unread matches of saved searches, which newsd has counted last. The tree may have come before.
    let matches = null;
    const savedSearches = () => all(`aside a[href^="${base}/saved/"]`);
    const countMatches = () => {
      for (const link of matches ? savedSearches() : []) one('.count', link).textContent = matches[link.getAttribute('href').slice(base.length)] || '';
    };
    const count = number => {
      for (const place of all('[data-unread]')) place.textContent = number > 0 ? String(number) : '';
      entitle();
    };
    const entitle = () => {
      const unread = one('[data-unread]'), number = unread && unread.textContent;
      const plain = document.title.replace(/^\(\d+\) /, '');
      document.title = number ? `(${number}) ${plain}` : plain;
    };

    // What the browser keeps of one account is not for the next one.
    for (const [store, key] of data.account ? [[session, 'undos'], [local, 'newsd-queue']] : [])
      if (get(store, key + '-of') !== data.account) {
        safely(store, s => s.removeItem(key));
        set(store, key + '-of', data.account);
      }

    // Marks that can be undone, the last one at the end: the ids and the mark that restores them, or the form that does (`form`).
    const undos = get(session, 'undos') || [];
    const opposite = { read: 'unread', unread: 'read', starred: 'unstarred', unstarred: 'starred' };
    const marked = (ids, as) => fill(ids.length === 1 ? texts.itemMarked : texts.itemsMarked, { number: ids.length, as: texts[as] });
    const keepUndo = entry => {
      undos.push(entry);
      while (undos.length > 100 || (undos.length > 1 && undos.reduce((sum, { ids }) => sum + ids.length, 0) > 200_000)) undos.shift();
      set(session, 'undos', undos);
    };
    const remember = (ids, mark) => {
      if (!ids.length) return;
      if (one('.undo', toast)) hush();
      keepUndo({ ids, mark: opposite[mark] });
    };
    // Shows what an answer says of marks, and returns the ids.
    const take = (answer, as) => {
      const here = new Set(all('article[data-id]').map(at => at.dataset.id));
      for (const id of answer.ids) {
        if (here.has(String(id))) show(as.endsWith('starred') ? { id, starred: as === 'starred' } : { id, read: as === 'read' });
      }
      count(answer.unread);
      // Without events, only the tree has the matches of saved searches.
      if ((!matches && savedSearches().length) || answer.ids.some(id => !here.has(String(id)))) recount();
      return answer.ids;
    };
    const mark = async (ids, as) => {
      let answer;
      try {
        answer = await send(base + '/marks', [['as', as], ...ids.map(id => ['id', id])]);
      } catch (error) {
        if (!keeps || !(error instanceof TypeError)) throw error;
        answer = await wait(ids, as);
      }
      for (const id of ids) show(as.endsWith('starred') ? { id, starred: as === 'starred' } : { id, read: as === 'read' });
      return take(answer, as);
    };
    // What can be undone as soon as newsd has done it.
    let underway = Promise.resolve();
    const markAs = (ids, as) => {
      underway = Promise.all([underway, mark(ids, as).then(marked => remember(marked, as)).catch(fail(texts.notMarked))]);
    };
    // Marks of many items take seconds: they follow each other, their buttons wait, and after a moment the page says so.
    let marking = Promise.resolve();
    const working = (button, act) => {
      const others = button ? all('form[action$="/marks"] button:enabled').filter(other => other !== button) : [];
      for (const other of others) other.disabled = true;
      if (button) button.ariaBusy = 'true';
      return marking = marking.catch(() => {}).then(async () => {
        let busy;
        const timer = setTimeout(() => tell(true, busy = note(texts.marking)), 400);
        try {
          await act();
        } finally {
          clearTimeout(timer);
          if (busy) busy.remove();
          for (const other of others) other.disabled = false;
          if (button) button.ariaBusy = null;
        }
      });
    };
    const undo = () => working(null, async () => {
      await underway;
      if (removal && removal.last === undos.at(-1)) { removal.undo(); return; }
      const last = undos.pop();
      if (!last) return say(texts.nothingToUndo);
      set(session, 'undos', undos);
      // What newsd itself takes back.
      if (last.posted) {
        if (!await sendAway(base + '/undo', new URLSearchParams())) keepUndo(last);
        return;
      }
      try {
        if (last.form) {
          await send(base + last.form[0], last.form[1]);
          say(texts.movedBack);
          return regrow();
        }
        let ids = [];
        for (let from = 0; from < last.ids.length; from += 5000) ids = ids.concat(await mark(last.ids.slice(from, from + 5000), last.mark));
        say(marked(ids, last.mark));
      } catch (error) {
        // What newsd refuses, because an item or feed is gone, must not hold up what was done before it.
        if (error instanceof TypeError || error.message === texts.logInAgain) keepUndo(last);
        fail(texts.notUndone)(error);
      }
    });
    const undoButton = () => Object.assign(makeButton(texts.undo, () => undo()), { className: 'undo' });
    const markRead = at => {
      if (at && at.classList.contains('unread')) markAs([at.dataset.id], 'read');
    };
    // The forms that mark a page or a list.
    const markList = async (form, button) => {
      // The key names none.
      button ||= form.querySelector('button:not([name])');
      if (button && button.ariaBusy) return;
      const fields = new FormData(form, button), as = fields.get('as'), menu = form.closest('details'), dialog = form.closest('dialog');
      if (menu) menu.open = false;
      // An open dialog would hide the notice.
      if (dialog) dialog.close();
      await working(button, async () => {
        try {
          const ids = form.getAttribute('id') === 'mark-page' ? await mark(fields.getAll('id'), as)
            : take(await send(form.getAttribute('action'), fields), as);
          remember(ids, as);
          tell(ids.length > 0, note(marked(ids, as), ...(ids.length ? [undoButton()] : [])));
        } catch (error) {
          fail(texts.notMarked)(error);
        }
      });
    };

    // Unsubscribing takes effect when it can no longer be taken back: after ten seconds, or when the page is left.
    let removal = null;
    const unsubscribe = async (path, name) => {
      if (removal) await removal.finish();
      const list = path.slice(0, -'/remove'.length), feed = list.split('/').pop();
      const rows = () => all(`#items article[data-feed='${feed}']`);
      // Its entries in the tree, and its rows in any list.
      const hide = isHidden => {
        const entries = all('aside a').filter(link => link.pathname === base + list).map(link => link.closest('li'));
        for (const at of [...entries, ...rows()]) at.hidden = isHidden;
        divide();
      };
      const box = note(fill(texts.unsubscribed, { name }), makeButton(texts.undo, () => restore()));
      // The list of the feed, if another one is shown in its place.
      let left;
      const end = isShown => {
        clearTimeout(timer);
        removal = null;
        refocus(box);
        box.remove();
        if (isShown) hide(false);
      };
      const restore = async () => {
        end(true);
        say(fill(texts.stillSubscribed, { name }));
        if (!left || isReading() || listPath !== base + '/unread') return;
        try { turnTo(left, await part(left, 'list'), 'replaceState'); } catch { }
      };
      const timer = setTimeout(async () => {
        if (!await removal.finish()) return;
        if (one('#feed-rows') || location.pathname.startsWith(`${base}${list}/`)) go('/feeds');
      }, 10_000);
      // `last`: later marks are taken back first.
      const mine = removal = {
        last: undos.at(-1), hide: () => hide(true), undo: restore,
        finish: async () => {
          end(false);
          const isDone = await sendAway(base + path, new URLSearchParams());
          if (!isDone) hide(false);
          for (const at of isDone ? rows() : []) at.remove();
          recount();
          return isDone;
        },
        leave: () => {
          end(false);
          fetch(base + path, { method: 'POST', keepalive: true, body: new URLSearchParams({ csrf: data.csrf, from: '/keys' }) });
        }
      };
      removal.hide();
      tell(true, box);
      if (!reader || !listPath) return;
      const isOwn = listPath.split('?')[0] === base + list;
      if (!isOwn && article() && article().dataset.feed === feed) back();
      if (!isOwn) return;
      try {
        const text = await part(base + '/unread', 'list');
        if (removal !== mine) return;
        left = listPath;
        if (isReading()) close(false);
        turnTo(base + '/unread', text, 'pushState');
      } catch { }
    };
    // What loads another page waits for it, so that that page is without the feed.
    for (const kind of ['click', 'submit']) {
      addEventListener(kind, async event => {
        const at = kind === 'submit' ? event.target : event.target.closest('a[href]:not([href^="#"])'), button = event.submitter;
        if (!removal || event.defaultPrevented || !at || at.matches('[target], [method=dialog]') || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        if (!await removal.finish()) return;
        if (kind === 'submit') at.requestSubmit(button); else at.click();
      });
    }
    addEventListener('pagehide', () => { if (removal) removal.leave(); });

    // Rows lose pictures that cannot be loaded.
    document.addEventListener('error', event => {
      const link = event.target.closest && event.target.closest('.thumb');
      if (link) link.remove();
    }, true);

    // The forms of rows, lists and articles are sent in the background. Fields may have the names of a form's properties.
    document.addEventListener('submit', event => {
      const form = event.target, button = event.submitter, to = (button && button.getAttribute('formaction')) || form.getAttribute('action') || '';
      if (event.defaultPrevented || form.getAttribute('method') !== 'post' || !to.startsWith(base)) return;
      const path = to.slice(base.length), isRule = path.endsWith('/less') && form.closest('dialog');
      if (button && button.classList.contains('toggle')) {
        event.preventDefault();
        markAs([button.closest('article').dataset.id], button.value);
      } else if (path === '/marks') {
        event.preventDefault();
        markList(form, button);
      } else if (path === '/dismiss') {
        event.preventDefault();
        refocus(form);
        form.closest('.note').hidden = true;
        sendAway(to, new URLSearchParams(new FormData(form)));
      } else if (path === '/refresh' && form.closest('.masthead')) {
        event.preventDefault();
        refresh(false);
      } else if (form.closest('#menu') && /^\/feed\/\d+\/remove$/.test(path)) {
        event.preventDefault();
        const dialog = form.closest('dialog');
        dialog.close();
        unsubscribe(path, one('h1', dialog).textContent);
      } else if (isRule || /^\/(undo|items\/\d+\/(article|labels|save)|feed\/\d+\/article)$/.test(path)) {
        event.preventDefault();
        const posted = path === '/undo' ? undos.findLastIndex(entry => entry.posted) : -1, taken = posted >= 0 ? undos.splice(posted, 1) : [];
        const busy = note(texts.fetchingWhole);
        if (/^\/items\/\d+\/article$/.test(path)) tell(true, busy);
        sendAway(to, new URLSearchParams(new FormData(form, button)), button, isRule)
          .then(isDone => { busy.remove(); if (!isDone) taken.forEach(keepUndo); });
      }
    });

    // Sends a form. newsd answers with a page: the article as it is now, and what there is to say. Returns false if newsd
    // did not take it.
    const sendAway = async (to, body, button, dialog) => {
      // Forms that are not about items leave the article as it is.
      const at = /\/(items?\/|undo$)/.test(to) ? article() : null, id = at && at.dataset.id, url = new URL(to, location.href), box = button && button.closest('.note');
      body.set('from', id ? `/item/${id}` : '/keys');
      if (dialog) url.searchParams.set('part', 'menu');
      if (box) refocus(box);
      if (button) button.disabled = true;
      try {
        const answer = await postForm(url, 'text/html', body), text = await answer.text(), page = new DOMParser().parseFromString(text, 'text/html');
        const menu = dialog && !answer.redirected && one('.less', page);
        if (menu) { one('.less', dialog).replaceWith(menu); return true; }
        // A page after a form can fail, too: the form was taken.
        if (!answer.ok && !answer.redirected) throw answered(answer, text);
        if (dialog) dialog.close();
        if (box) box.remove();
        const fresh = one('#reading', page);
        if (id) fetched.delete(id);
        if (id && fresh && one('article', fresh) && article() && article().dataset.id === id) {
          reading.replaceChildren(...fresh.childNodes);
          prepare(article());
        }
        if (dialog || to.endsWith('/undo')) recount();
        if (!takeNotes(page) && !answer.ok) throw answered(answer, text);
        return true;
      } catch (error) {
        fail(texts.notDone)(error);
        return false;
      } finally {
        if (button) button.disabled = false;
      }
    };
    // Says what a page has to say. Returns false if that is nothing.
    const takeNotes = page => {
      const notes = all('#main > .note, .messages > .note', page).filter(at => !at.id);
      for (const at of notes) {
        if (one('form[action$="/undo"]', at)) keepUndo({ ids: [], posted: true });
        if (at.matches('.failure, :has(form)')) at.append(makeButton(texts.dismiss, hush));
      }
      if (notes.length) tell(notes.some(at => at.matches(':has(button)')), ...notes);
      return notes.length > 0;
    };
    // The counts of the tree, or the tree if its entries have changed. Asks for them at most every two seconds.
    let recounting = null, recounted = 0;
    const recount = () => {
      recounting ||= setTimeout(async () => {
        recounting = null;
        recounted = Date.now();
        try {
          const fresh = await freshTree(), links = from => all('nav ul a:not(.more)', from);
          const entries = from => links(from).map(link => link.getAttribute('href') + link.className.replace('shown', '').trim() + one('span', link).textContent).join();
          const isBusy = removal || dragged || one('aside nav ul :focus');
          if (!isBusy && entries(fresh) !== entries(one('aside'))) return growTree(fresh);
          const counts = new Map(links(fresh).map(link => [link.getAttribute('href'), one('.count', link)]));
          for (const link of links(one('aside'))) {
            const place = one('.count', link), now = counts.get(link.getAttribute('href'));
            if (place && now) place.textContent = now.textContent;
          }
          countMatches();
        } catch { }
      }, Math.max(300, recounted + 2000 - Date.now()));
    };
    """#

  /// Keys, and updates from the server.
  static let keys: StaticString = #"""
    const press = selector => {
      const at = current(), button = at && one(selector, at);
      if (button) button.form.requestSubmit(button);
    };
    const help = () => {
      const box = one('#help');
      if (!box || box.open) return;
      box.showModal();
      // The browser scrolls to the button at the end, and gives it the focus.
      one('h2', box).focus({ preventScroll: true });
      box.scrollTop = 0;
    };
    // Refreshes all feeds, or those of the list. newsd's events tell how far that is.
    const refresh = async isList => {
      const path = isList && listPath ? listPath.split('?')[0].slice(base.length) : '', [, kind, ...name] = path.split('/');
      const fields = new URLSearchParams(kind === 'folder' ? { name: name.map(decodeURIComponent).join('/'), do: 'refresh' } : {});
      const to = kind === 'feed' ? `${path}/refresh` : kind === 'folder' ? '/folders' : '/refresh';
      hush();
      if (await sendAway(base + to, fields) && !toast.hasChildNodes()) say(kind === 'feed' || kind === 'folder' ? texts.refreshingList : texts.refreshingAll);
    };
    // The feed of the current item, or of the list.
    const feedHere = () => {
      const at = current(), [, id] = (listPath || '').slice(base.length).match(/^\/feed\/(\d+)/) || [];
      return at ? at.dataset.feed : id;
    };
    const feedMenu = async choose => {
      const feed = feedHere();
      if (feed) await menu(make('a', { href: `${base}/feed/${Number(feed)}/menu` }));
      if (feed && one('#menu')) choose(one('#menu'));
    };
    const submit = selector => { const button = one(selector); if (button) button.form.requestSubmit(button); };
    const inItem = act => article() ? act(article()) : say(texts.noItemOpen);
    const actions = {
      j: () => step(1), k: () => step(-1), n: () => step(1, true), ' ': event => page(event.shiftKey),
      o: () => { const at = row() || items()[0]; if (at && !isReading()) open(at.dataset.id); },
      Enter: event => event.target.closest('a, button, summary') ? true : actions.o(),
      v: () => { const at = current(), link = at && one('a[data-original]', at); if (link) link.click(); },
      m: () => press('button.seen'), s: () => press('button.star'), f: () => press('button.star'),
      w: () => inItem(at => one('button[data-whole]', at) ? submit('#reading button[data-whole]') : say(texts.noOriginal)), z: () => { undo(); },
      L: () => inItem(at => {
        const box = one('input[name=add]', at);
        box.closest('details').open = true;
        box.focus();
      }),
      N: async () => { if (!await move()) say(texts.noneLeft); },
      p: () => { const at = one('#player .play') || one('#reading .recording .play'); if (at) at.click(); else say(texts.noRecording); },
      D: () => feedMenu(at => {
        const box = one('details', at);
        box.open = true;
        one('button', box).focus();
      }),
      l: () => { const at = current(); if (at) menu(make('a', { href: itemPath(at.dataset.id) + '/less' })); },
      W: () => inItem(() => submit('#reading button[data-save]')),
      A: () => { const form = one('#mark-page'); if (form) form.requestSubmit(); }, M: () => submit('button[data-all]'),
      a: () => adding(), u: () => back(),
      r: () => refresh(true),
      '/': () => { const box = one('#q'); if (box) { box.focus(); box.select(); } },
      '?': help,
      Escape: () => {
        const menus = all('details.menu[open]'), isCovered = menus.length || document.body.classList.contains('tree');
        document.body.classList.remove('tree');
        for (const menu of menus) menu.open = false;
        if (!isCovered) back();
        return true;
      }
    };
    const places = { u: '/unread', s: '/starred', a: '/all', f: '/feeds' };
    let waitsForPlace = 0;
    document.addEventListener('keydown', event => {
      const at = event.target;
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key === 'k' && data.events) {
        event.preventDefault();
        return palette();
      }
      if (!usesKeys || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (at.closest('input, select, textarea, dialog, [contenteditable]')) {
        if (event.key === 'Escape' && at.closest('#reading')) {
          at.blur();
          for (const menu of all('details.menu[open]')) menu.open = false;
        }
        return;
      }
      if (event.key === ' ' && at.closest('button, summary')) return;
      if (waitsForPlace > Date.now() && places[event.key]) {
        event.preventDefault();
        return go(places[event.key]);
      }
      waitsForPlace = event.key === 'g' ? Date.now() + 1500 : 0;
      const action = actions[event.key];
      if (action && action(event) !== true) event.preventDefault();
    });
    document.addEventListener('click', event => {
      if (event.target.closest('a[data-help]') && one('#help')) { event.preventDefault(); help(); }
    });
    // The rest of the pages, as a sheet: in a long list the footer is out of reach.
    for (const link of all('.bar a[href="#more"]')) onClick(link, event => {
      event.preventDefault();
      const sheet = make('dialog', { id: 'sheet', ariaLabel: texts.more });
      sheet.append(...[...one('#more').children].map(at => at.cloneNode(true)), makeButton(texts.close, () => sheet.close()));
      onClick(sheet, event => { if (event.target.closest('a')) sheet.close(); });
      popUp(sheet, true);
    });

    if (data.events && window.EventSource) {
      const events = new EventSource(base + '/events');
      events.addEventListener('open', () => setAway(false));
      events.addEventListener('error', () => { matches = null; });
      events.addEventListener('marks', event => {
        const states = JSON.parse(event.data);
        for (const state of states) show(state);
        if (states.some(({ id }) => !one(`article[data-id='${Number(id)}']`))) recount();
      });
      // The number of this page's own marks is known from their answers.
      events.addEventListener('unread', event => {
        if (Number(event.data) !== Number(one('[data-unread]').textContent)) recount();
        count(Number(event.data));
      });
      events.addEventListener('searches', event => {
        matches = JSON.parse(event.data);
        countMatches();
      });
      // The table of feeds is fetched anew, unless something is chosen or opened in it.
      let renewal;
      const renew = () => {
        if (!one('#feed-rows') || renewal) return;
        renewal = setTimeout(async () => {
          renewal = null;
          if (one('#feed-rows input:checked, #feed-rows details[open]')) return;
          try {
            const rows = nodes(await part(location.href, 'rows')).find(node => node.id === 'feed-rows');
            if (rows) { one('#feed-rows').replaceWith(rows); localize(rows); }
          } catch { /* The next event tries again. */ }
        }, 1000);
      };
      events.addEventListener('arrived', event => {
        renew();
        // The feeds of the new items. Those of another feed or folder are not in this list.
        const place = one('#arrived'), path = (listPath || '').split('?')[0].slice(base.length), [, kind, name] = path.split('/');
        const folder = kind === 'folder' && all('aside a').find(link => link.pathname === base + path);
        const fitting = JSON.parse(event.data).filter(feed => kind === 'feed' ? feed === Number(name)
          : folder ? one(`a[data-feed='${feed}']`, folder.closest('li')) : kind !== 'starred');
        recount();
        if (!place || !fitting.length) return;
        const number = Number(place.dataset.count || 0) + fitting.length;
        place.dataset.count = number;
        one('a', place).textContent = number === 1 ? texts.showNewItem : fill(texts.showNewItems, { number });
        place.hidden = false;
      });
      events.addEventListener('refresh', event => {
        const state = JSON.parse(event.data), place = one('#refreshing');
        if (!place) return;
        place.hidden = !state.text;
        place.classList.toggle('failure', !!state.failed);
        one('p', place).textContent = state.text;
        one('[data-failed]', place).hidden = !state.failed;
        if (!state.running) renew();
        clearTimeout(refreshTimer);
        if (!state.running && !state.failed) refreshTimer = setTimeout(() => { place.hidden = true; }, 6000);
        const meter = one('progress', place);
        meter.hidden = !state.running;
        meter.max = state.total || 1;
        meter.value = state.done || 0;
      });
      events.addEventListener('import', event => {
        const state = JSON.parse(event.data), place = one('#importing'), meter = place && one('progress[data-live]', place);
        // The end has other buttons, which the page knows.
        if (meter && !state.running) return location.replace(base + '/import');
        if (meter) one('p', place).textContent = state.text;
      });
      addEventListener('pagehide', () => events.close());
    }
    search();
    start();
    beginKeeping();
    """#
}
