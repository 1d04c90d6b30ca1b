/// The part of the script that shows the page for adding a feed as a dialog. The dialog sends the page's own forms; its
/// answers take the place of its content, so that what was typed stays.
enum AddingScript {
  static let text: StaticString = #"""
    const adding = async () => {
      if (one('dialog[open]')) return;
      const path = base + '/feeds/add';
      let content;
      try { content = nodes(await part(path, 'adding')); } catch { return go('/feeds/add'); }
      const dialog = make('dialog', { id: 'adding', ariaLabel: 'Add a feed' });
      const inside = make('div', {}, ...content);
      const closer = make('button', { type: 'button', textContent: 'Close' });
      closer.addEventListener('click', () => dialog.close());
      dialog.append(inside, closer);
      dialog.addEventListener('close', () => dialog.remove());
      dialog.addEventListener('submit', async event => {
        event.preventDefault();
        const form = event.target, button = one('button', form), words = button.textContent;
        button.disabled = true;
        button.textContent = form.action.endsWith('/find') ? 'Looking…' : 'Adding…';
        try {
          const url = new URL(form.action);
          url.searchParams.set('part', 'adding');
          const answer = await fetch(url, { method: 'POST', headers: { Accept: 'text/html' }, body: new URLSearchParams(new FormData(form)) });
          if (answer.redirected || answer.status === 403) throw new Error('Log in again.');
          if (answer.headers.get('Content-Type').startsWith('application/json')) return go(`/feed/${(await answer.json()).feed}`);
          inside.replaceChildren(...nodes(await answer.text()));
          localize(inside);
          const next = one('.candidate button', inside) || one('input[name=address]', inside);
          if (next) next.focus();
        } catch (error) {
          button.disabled = false;
          button.textContent = words;
          const place = one('.failure', inside) || make('div', { className: 'note failure' });
          place.setAttribute('role', 'alert');
          place.textContent = error instanceof TypeError ? 'newsd does not answer.' : error.message;
          inside.prepend(place);
        }
      });
      document.body.append(dialog);
      dialog.showModal();
      one('input[name=address]', dialog).focus();
    };
    document.addEventListener('click', event => {
      if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.target.closest('a[data-add]')) { event.preventDefault(); adding(); }
    });
    """#
}
