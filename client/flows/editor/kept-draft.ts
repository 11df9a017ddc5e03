import { createAutosave, type SaveState } from '#client/app/autosave.ts'
import type { FlowDraft } from './draft.ts'
import { beginHistory, type History, type HistoryAction, isTyped, reduceHistory } from './history.ts'
import { whenIdle } from './when-idle.ts'

/** A draft with its history, saved by itself a moment after each change. */
export interface KeptDraft {
  /** With the letter that was typed just now: what is written in is drawn from it. */
  now(): History
  /** What hundreds of steps are drawn from: it follows what is typed after a moment without letters, all else at once. */
  shown(): FlowDraft
  saveState(): SaveState
  subscribe(onChange: () => void): () => void
  dispatch(action: HistoryAction): void
  /**
   * A letter whose field shows it by itself: what is dispatched in `work` counts at once, and who listens hears of it
   * when the letter is painted, or with the next that is no letter. `after` is called then.
   */
  quietly(work: () => void, after: () => void): void
  /** Who listens hears now of what was dispatched quietly. */
  catchUp(): void
  /** Shows what was typed and sends what waits; false: something could not be sent. */
  flush(): Promise<boolean>
  /** Goes on with the server's draft, or sends one's own over it. */
  settle(revision: number, theirs?: FlowDraft): void
  /** The server made a revision of what it has from here. */
  accept(revision: number): void
  /** Of the last save. */
  revision(): number
  /** Whether nothing of this page is missing on the server. */
  isSaved(): boolean
}

export interface KeptDraftParts {
  readonly draft: FlowDraft
  readonly revision: number
  /** Answers the new revision. */
  save(draft: FlowDraft, revision: number): Promise<number>
  /** Without a letter until what was typed is shown, and how long that waits at most. */
  readonly stillMs?: number
  readonly atMostMs?: number
  /** Runs something once what is there now is painted. */
  afterPaint?(work: () => void): void
}

/** What is drawn from a letter waits no longer for the letters after it. */
const caughtUpWithinMs = 100

const afterFrame = (work: () => void): void => {
  if (typeof document === 'undefined' || document.hidden) setTimeout(work)
  else requestAnimationFrame(() => void whenIdle(work, caughtUpWithinMs))
}

export function createKeptDraft(parts: KeptDraftParts): KeptDraft {
  const { draft, revision, save, stillMs = 200, atMostMs = 3000, afterPaint = afterFrame } = parts
  let history = beginHistory(draft)
  let shown = draft
  let saveState: SaveState = { kind: 'saved' }
  let still: ReturnType<typeof setTimeout> | undefined
  let atMost: ReturnType<typeof setTimeout> | undefined
  const listeners = new Set<() => void>()
  let isQuiet = false
  let waiting: (() => void)[] = []
  const tell = () => {
    for (const onChange of [...listeners]) onChange()
    const ended = waiting
    waiting = []
    for (const one of ended) one()
  }
  const catchUp = () => {
    if (waiting.length) tell()
  }
  const autosave = createAutosave<FlowDraft>(
    {
      save,
      onState(next) {
        // With each letter it is being saved still: nothing is drawn anew for that.
        if (saveState.kind === next.kind && !('error' in next)) return
        saveState = next
        if (!isQuiet) tell()
      },
    },
    revision,
  )
  const show = () => {
    clearTimeout(still)
    clearTimeout(atMost)
    atMost = undefined
    if (shown === history.present) return
    shown = history.present
    tell()
  }
  const showLater = () => {
    clearTimeout(still)
    still = setTimeout(show, stillMs)
    atMost ??= setTimeout(show, atMostMs)
  }
  const step = (action: HistoryAction): boolean => {
    const before = history
    history = reduceHistory(history, action)
    return history !== before
  }
  const draw = (action: HistoryAction) => {
    if (isTyped(action)) {
      showLater()
      if (!isQuiet) tell()
    } else if (shown === history.present) tell()
    else show()
  }
  return {
    now: () => history,
    shown: () => shown,
    saveState: () => saveState,
    subscribe(onChange) {
      listeners.add(onChange)
      return () => void listeners.delete(onChange)
    },
    dispatch(action) {
      if (!step(action)) return
      autosave.change(history.present)
      draw(action)
    },
    quietly(work, after) {
      isQuiet = true
      try {
        work()
      } finally {
        isQuiet = false
      }
      waiting.push(after)
      if (waiting.length === 1) afterPaint(catchUp)
    },
    catchUp,
    flush() {
      show()
      return autosave.flush()
    },
    settle(next, theirs) {
      if (!theirs) return autosave.settle(next, history.present)
      const action: HistoryAction = { type: 'replace', draft: theirs }
      step(action)
      autosave.settle(next)
      draw(action)
    },
    accept: next => autosave.settle(next),
    revision: () => autosave.revision,
    isSaved: () => !autosave.isPending,
  }
}
