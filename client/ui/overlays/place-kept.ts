/** The button that opened a dialog may still disappear with its deleted row for this long. */
const mayGoMs = 5000

const focusable = 'a[href], button:not(:disabled), input:not(:disabled)'

/** A row that can have the focus itself, otherwise the first control in it. */
const firstFocusable = (row: Element): HTMLElement | null => {
  if (!row.isConnected) return null
  return row.matches(`${focusable}, [tabindex]`) ? (row as HTMLElement) : row.querySelector<HTMLElement>(focusable)
}

/** The rows after it, then those before it, the nearest first. */
const neighboursOf = (row: Element): Element[] => {
  const all = [...(row.parentElement?.children ?? [])]
  const at = all.indexOf(row)
  return [...all.slice(at + 1), ...all.slice(0, at).reverse()]
}

/**
 * Remembers where the focus is before a dialog takes it, or before its row is deleted. Returns a function to call after
 * the dialog has closed, or the row was deleted: if the
 * focused element disappears as well, such as a deleted row with its button, the next row gets the focus, otherwise the
 * one before, otherwise the page.
 */
export function keepPlace(): () => void {
  const opener = document.activeElement
  const row = opener?.closest('li, tr')
  const neighbours = row ? neighboursOf(row) : []
  const goOn = () => {
    if (opener?.isConnected || document.activeElement !== document.body) return false
    const next = neighbours.map(firstFocusable).find(one => one !== null)
    ;(next ?? document.getElementById('content'))?.focus()
    return true
  }
  return () => {
    const watch = new MutationObserver(() => goOn() && stop())
    const stop = () => {
      watch.disconnect()
      clearTimeout(end)
      for (const sign of ['pointerdown', 'keydown']) document.removeEventListener(sign, stop, true)
    }
    const end = setTimeout(stop, mayGoMs)
    watch.observe(document.body, { childList: true, subtree: true })
    // A person who moves on by pointer or key keeps the focus there.
    for (const sign of ['pointerdown', 'keydown']) document.addEventListener(sign, stop, true)
    requestAnimationFrame(() => goOn() && stop())
  }
}
