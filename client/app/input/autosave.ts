import { isApiError } from '../calls/api-error.ts'

export type SaveState =
  | { readonly kind: 'saved' }
  /** A change is waiting or being saved. */
  | { readonly kind: 'saving' }
  /** Saving failed. It is retried with the next change or by hand. */
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Another person has changed the flow. Nothing is saved until the user resolves the conflict. */
  | { readonly kind: 'stale'; readonly error: unknown }

interface AutosaveParts<T> {
  /** Returns the new revision. Error 409 means that `revision` is not the latest. */
  save(value: T, revision: number): Promise<number>
  onState(state: SaveState): void
  /** Pause after the last change before it is saved. */
  readonly delayMs?: number
}

interface Autosave<T> {
  /** Saves after a pause without further changes. */
  change(value: T): void
  /** Saves now. Returns whether everything is saved then. */
  flush(): Promise<boolean>
  /** Continues from the server's revision. `mine` overwrites it. */
  settle(revision: number, mine?: T): void
  /** True while leaving the page would lose changes. */
  readonly isPending: boolean
  readonly revision: number
}

/** Sends one save at a time, each based on the previous one. Changes made during a save go into the next one. */
export function createAutosave<T>(
  { save, onState, delayMs = 700 }: AutosaveParts<T>,
  firstRevision: number,
): Autosave<T> {
  let revision = firstRevision
  let waiting: { readonly value: T } | undefined
  let running: Promise<void> | undefined
  let isStale = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const send = async (): Promise<void> => {
    while (waiting && !isStale) {
      clearTimeout(timer)
      const { value } = waiting
      const sent = waiting
      try {
        onState({ kind: 'saving' })
        revision = await save(value, revision)
        if (waiting === sent) waiting = undefined
      } catch (error) {
        isStale = isApiError(error) && error.status === 409
        return onState(isStale ? { kind: 'stale', error } : { kind: 'failed', error })
      }
    }
    if (!isStale) onState({ kind: 'saved' })
  }
  const start = (): Promise<void> => {
    running ??= send().finally(() => {
      running = undefined
    })
    return running
  }
  return {
    change(value) {
      waiting = { value }
      if (isStale) return
      onState({ kind: 'saving' })
      clearTimeout(timer)
      timer = setTimeout(start, delayMs)
    },
    async flush() {
      clearTimeout(timer)
      if (running) await running
      if (waiting && !isStale) await start()
      return waiting === undefined
    },
    settle(next, mine) {
      clearTimeout(timer)
      isStale = false
      revision = next
      waiting = mine === undefined ? undefined : { value: mine }
      if (waiting) void start()
      else onState({ kind: 'saved' })
    },
    get isPending() {
      return waiting !== undefined
    },
    get revision() {
      return revision
    },
  }
}
