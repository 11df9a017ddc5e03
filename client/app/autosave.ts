import { isApiError } from '#client/app/api-error.ts'

export type SaveState =
  | { readonly kind: 'saved' }
  /** Something is not on the server yet; it is on its way, or about to be. */
  | { readonly kind: 'saving' }
  /** It could not be sent; tried again with the next change and by hand. */
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Somebody else has changed the flow since: nothing is sent until that is decided. */
  | { readonly kind: 'stale'; readonly error: unknown }

export interface AutosaveParts<T> {
  /** Answers the revision the flow has then; a refusal with 409 means that `revision` is not its last. */
  save(value: T, revision: number): Promise<number>
  onState(state: SaveState): void
  /** Of stillness before a change is sent. */
  readonly delayMs?: number
}

export interface Autosave<T> {
  /** Sends it after a moment without further changes. */
  change(value: T): void
  /** Sends what waits now, and answers whether everything is on the server then. */
  flush(): Promise<boolean>
  /** Goes on from what the server has now; `mine` is sent over it. */
  settle(revision: number, mine?: T): void
  /** True while leaving the page would lose something. */
  readonly isPending: boolean
  readonly revision: number
}

/** One save at a time, each on top of the one before; what came meanwhile goes with the next. */
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
