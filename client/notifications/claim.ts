const heldMs = 30_000
/** A visible tab announces first. */
const headStartMs = 250

const wait = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

/**
 * True for one tab of this browser, which announces the event. Uses a lock named after the event, so that no tab leads
 * and a frozen tab does not block the others. Without locks every tab announces; the system shows one notification per
 * name.
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
      // A page that is being closed cannot take locks.
      .catch(() => resolve(false))
  })
}
