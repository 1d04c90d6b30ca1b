/// The part of the script that shows the page for adding a feed as a dialog. The dialog sends the page's own forms; its
/// answers take the place of its content, except for the field with the address.
enum AddingScript {
  static let text: StaticString = #"""
    const adding = async () => {
      if (one('dialog[open]')) return;
      let content;
      try { content = nodes(await part(base + '/feeds/add', 'adding')); } catch { return go('/feeds/add'); }
      const inside = make('div', {}, ...content);
      const dialog = make('dialog', { id: 'adding', ariaLabel: texts.addAFeed }, inside, makeButton(texts.close, () => dialog.close()));
      const field = () => one('input[name=address]', inside);
      let asked = 0;
      // Sends a form. Returns true if the answer is shown, and false if the address was changed meanwhile.
      const ask = async form => {
        const mine = ++asked, finder = field().form, button = one('button', form);
        const words = button.dataset.words ||= button.textContent;
        button.textContent = form === finder ? texts.looking : texts.adding;
        try {
          const url = new URL(form.action);
          url.searchParams.set('part', 'adding');
          const answer = await fetch(url, { method: 'POST', headers: { Accept: 'text/html' }, body: new URLSearchParams(new FormData(form)) });
          if (answer.redirected || answer.status === 403) throw new Error(texts.logInAgain);
          if (answer.headers.get('Content-Type').startsWith('application/json')) {
            const path = `/feed/${(await answer.json()).feed}`, place = form.closest('.candidate');
            if (!place || all('.candidate', inside).length < 2) return go(path);
            // The other feeds of the address can be added, too.
            const link = make('a', { href: base + path, textContent: one('h2', place).textContent.trim() });
            form.replaceWith(make('p', {}, texts.subscribed, link));
            link.focus();
            return recount();
          }
          const fresh = make('div', {}, ...nodes(await answer.text()));
          if (mine !== asked) return false;
          one('form', fresh).replaceWith(finder);
          inside.replaceChildren(...fresh.childNodes);
          localize(inside);
          return true;
        } catch (error) {
          for (const old of form === finder ? all('.candidate', inside) : []) old.remove();
          const place = one('.failure', inside) || make('div', { className: 'note failure', role: 'alert' });
          place.textContent = error instanceof TypeError ? texts.noAnswer : error.message;
          inside.prepend(place);
          return true;
        } finally {
          button.textContent = words;
        }
      };
      // Shows the feeds at the address. `adds`: if there is one without a problem, it is added.
      const look = async adds => {
        if (!field().form.reportValidity() || !await ask(field().form)) return;
        const found = all('.candidate', inside), button = one('.candidate button', inside);
        if (adds && button && found.length === 1 && !one('.bad', found[0])) return add(button.form);
        (one('.candidate :is(button, a)', inside) || field()).focus();
      };
      const add = async form => {
        const button = one('button', form);
        if (button.disabled) return;
        button.disabled = true;
        const isShown = await ask(form);
        if (isShown !== undefined) button.disabled = false;
        if (isShown) field().focus();
      };
      dialog.addEventListener('submit', event => {
        event.preventDefault();
        if (event.target === field().form) look(false); else add(event.target);
      });
      dialog.addEventListener('keydown', event => {
        if (event.key !== 'Enter' || event.isComposing || event.target !== field()) return;
        event.preventDefault();
        look(true);
      });
      // A pasted address is looked up at once. A question about what was there before is outdated.
      dialog.addEventListener('input', event => {
        if (event.target !== field()) return;
        asked += 1;
        if (/^insertFrom(Paste|Drop)/.test(event.inputType)) look(false);
      });
      popUp(dialog);
      field().focus();
    };
    document.addEventListener('click', event => {
      if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.target.closest('a[data-add]')) { event.preventDefault(); adding(); }
      if (event.target.closest('a[data-bookmark]')) { event.preventDefault(); say(texts.dragBookmark); }
    });
    """#
}
