const heldMs = 30_000
/** What a tab that somebody looks at has to say, it says first. */
const headStartMs = 250

const wait = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

/**
 * Of all tabs of this browser one speaks for an event: true for that one. By a lock of the event's name, so that no
 * tab has to lead, and none that is frozen keeps the others silent. Where there are no locks every tab speaks; the
 * system then shows one notification of a name.
 */
export async function claim(name: string): Promise<boolean> {
  if (!('locks' in navigator)) return true
  if (document.visibilityState !== 'visible') await wait(headStartMs)
  return new Promise(resolve => {
    navigator.locks
      .request(`recado:${name}`, { ifAvailable: true }, async lock => {
        resolve(lock !== null)
        if (lock) await wait(heldMs)
      })
      // A page that is being left has no locks to give.
      .catch(() => resolve(false))
  })
}
