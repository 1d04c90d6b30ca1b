/// The part of the script for the time without newsd: marks wait in the browser, and are sent with their times once newsd
/// answers again. `WorkerScript` has the pages.
enum OfflineScript {
  static let text: StaticString = #"""
    // Reads or changes the marks that wait. They survive the browser's restart and newsd's.
    const storedMarks = (mode, act) => new Promise((done, failed) => {
      const asked = indexedDB.open(`newsd ${base}/`, 1);
      asked.onupgradeneeded = () => asked.result.createObjectStore('marks', { keyPath: 'key' });
      asked.onerror = () => failed(asked.error);
      asked.onsuccess = () => {
        const work = asked.result.transaction('marks', mode), got = act(work.objectStore('marks'));
        work.oncomplete = () => { asked.result.close(); done(got && got.result); };
        work.onabort = () => { asked.result.close(); failed(work.error); };
      };
    });
    const place = make('div', { id: 'away', className: 'note', hidden: true, role: 'status' });
    const tellAway = () => {
      const number = waiting.size, time = reader && data.kept > 0 && dates.format(new Date(Number(data.kept)));
      const sentences = [isAway ? texts.noAnswer : texts.answersAgain, time && fill(texts.keptItems, { time }),
        number && (number === 1 ? texts.markWaits : fill(texts.marksWait, { number }))];
      place.hidden = !isAway && !number && !data.kept;
      place.replaceChildren(make('p', { textContent: sentences.filter(Boolean).join(' ') }));
      if (!isAway) place.append(make('a', { href: location.href, textContent: texts.loadAgain }));
    };
    const setAway = isNow => {
      if (!keeps || isAway === isNow) return;
      isAway = isNow;
      tellAway();
      if (!isAway) flush();
    };
    // Keeps marks that newsd did not take. Returns the answer that it would have given.
    const wait = async (ids, as) => {
      const kind = as.endsWith('starred') ? 'star' : 'read', time = Date.now();
      const changed = ids.filter(id => {
        const at = one(`article[data-id='${Number(id)}']`);
        return at && at.classList.contains('unread') === (as === 'read');
      });
      const marks = ids.map(id => ({ key: `${id} ${kind}`, id: String(id), as, time, account: data.account }));
      await storedMarks('readwrite', store => { for (const mark of marks) store.put(mark); });
      for (const mark of marks) waiting.set(mark.key, mark);
      tellAway();
      const unread = Number(one('[data-unread]').textContent);
      return { ids, unread: Math.max(0, kind === 'star' ? unread : unread + (as === 'read' ? -1 : 1) * changed.length) };
    };
    const showWaiting = () => {
      for (const { id, as } of waiting.values()) {
        show(as.endsWith('starred') ? { id, starred: as === 'starred' } : { id, read: as === 'read' });
      }
    };
    const tellRefused = refused => {
      const lines = refused.map(mark => make('li', {},
        make('a', { href: itemPath(mark.id), textContent: mark.title }), ' ' + fill(texts.wasNotMarked, { as: texts[mark.as], why: mark.why })));
      const box = make('div', { className: 'note failure refused', role: 'alert' }, make('ul', {}, ...lines),
        makeButton(texts.dismiss, () => { refocus(box); box.remove(); }));
      place.after(box);
    };
    let flushing = false;
    const flush = async () => {
      if (!keeps || flushing) return;
      flushing = true;
      try {
        const all = await storedMarks('readonly', store => store.getAll()), mine = all.filter(mark => mark.account === data.account);
        const remove = marks => storedMarks('readwrite', store => {
          for (const { key, time } of marks) {
            const asked = store.get(key);
            asked.onsuccess = () => { if (asked.result && asked.result.time === time) store.delete(key); };
          }
        });
        // Marks of an account that was logged in before.
        if (mine.length < all.length) await remove(all.filter(mark => mark.account !== data.account));
        // The page does not know of marks from before it was loaded.
        const by = mine.filter(mark => !waiting.has(mark.key)).reduce((sum, { as }) => sum + (as === 'unread') - (as === 'read'), 0);
        for (const mark of mine) waiting.set(mark.key, mark);
        showWaiting();
        if (by) count(Math.max(0, Number(one('[data-unread]').textContent) + by));
        if (mine.length) tellAway();
        while (mine.length) {
          const part = mine.splice(0, 1000);
          const answer = await send(base + '/marks/late', part.map(mark => ['mark', `${mark.id} ${mark.as} ${Math.floor(mark.time / 1000)}`]));
          await remove(part);
          for (const { key, time } of part) if (waiting.has(key) && waiting.get(key).time === time) waiting.delete(key);
          for (const state of answer.items) show(state);
          count(answer.unread);
          if (answer.refused.length) tellRefused(answer.refused);
          say(part.length === 1 ? texts.markSent : fill(texts.marksSent, { number: part.length }));
          tellAway();
        }
      } catch (error) {
        if (!(error instanceof TypeError)) fail(texts.marksNotSent)(error);
      } finally {
        flushing = false;
      }
    };
    const beginKeeping = () => {
      if (!('serviceWorker' in navigator)) return;
      const tellWorker = text => navigator.serviceWorker.getRegistration(base + '/')
        .then(found => { const worker = found && found.active; if (worker) worker.postMessage(text); });
      // Without a session nothing is kept; marks wait for the log-in to the same account.
      if (!data.events) return tellWorker('empty').catch(() => {});
      if (!keeps) return;
      if (!reader && one('#main')) one('#main').prepend(place);
      if (data.kept) { isAway = true; tellAway(); }
      flush();
      addEventListener('online', flush);
      setInterval(() => {
        if (waiting.size) flush();
        else if (isAway) fetch(base + '/health').then(answer => setAway(!answer.ok)).catch(() => {});
      }, 15_000);
      if (data.kept) return;
      setInterval(() => tellWorker('keep').catch(() => {}), 600_000);
      navigator.serviceWorker.register(data.worker, { scope: base + '/' })
        .then(() => navigator.serviceWorker.ready).then(() => tellWorker('keep')).catch(() => {});
    };
    // Forms other than marks do not wait: they would end on the browser's page for errors.
    document.addEventListener('submit', event => {
      if (!isAway || event.defaultPrevented || event.target.getAttribute('method') !== 'post') return;
      event.preventDefault();
      say(texts.onlyMarksWait);
    });
    """#
}
