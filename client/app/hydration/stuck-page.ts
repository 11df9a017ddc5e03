/**
 * Shows a notice with a retry link on a page whose main script did not load. It is printed into the head, runs before
 * other scripts, and must not use anything outside its own braces.
 */
const watchScripts = (words: { text: string; stillAway: string; retry: string }) => {
  const show = () => {
    if (document.querySelector('.stuck-page')) return
    const bar = document.createElement('div')
    bar.className = 'stuck-page'
    bar.setAttribute('role', 'alert')
    const text = document.createElement('p')
    text.textContent = words.text
    // A link, because buttons wait for the scripts that did not load.
    const again = document.createElement('a')
    again.href = location.href
    again.className = 'button'
    again.textContent = words.retry
    again.addEventListener('click', event => {
      event.preventDefault()
      fetch('/healthz', { cache: 'no-store' }).then(
        () => location.reload(),
        () => {
          text.textContent = words.stillAway
        },
      )
    })
    bar.append(text, again)
    document.body.append(bar)
  }
  // Error events of elements do not bubble.
  addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLScriptElement && target.type === 'module') show()
    },
    true,
  )
  addEventListener('recado:stuck', show)
}

export const stuckPageScript = (words: Parameters<typeof watchScripts>[0]): string =>
  `(${watchScripts.toString()})(${JSON.stringify(words)})`

/** The main script loaded, but not everything it needs. */
export const tellStuck = (): void => {
  dispatchEvent(new Event('recado:stuck'))
}
