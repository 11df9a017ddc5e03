/**
 * A page whose own script did not come is there to read and does nothing. Says so, with a way to try again. Stands in
 * the head as text and runs before any other script; it must not use anything outside its own braces.
 */
const watchScripts = (words: { text: string; stillAway: string; retry: string }) => {
  const show = () => {
    if (document.querySelector('.stuck-page')) return
    const bar = document.createElement('div')
    bar.className = 'stuck-page'
    bar.setAttribute('role', 'alert')
    const text = document.createElement('p')
    text.textContent = words.text
    // A link: what buttons are pressed for waits for the scripts that did not come.
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
  // Errors of elements do not bubble.
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

/** The page's script came, but not all that it needs to begin. */
export const tellStuck = (): void => {
  dispatchEvent(new Event('recado:stuck'))
}
