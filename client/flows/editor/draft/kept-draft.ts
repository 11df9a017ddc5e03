import { createAutosave, type SaveState } from '#client/app/input/autosave.ts'
import { whenIdle } from '../when-idle.ts'
import type { FlowDraft } from './draft.ts'
import { beginHistory, type History, type HistoryAction, isTyped, reduceHistory } from './history.ts'

/** A draft with its history, saved automatically a moment after each change. */
export interface KeptDraft {
  /** Includes the letter just typed: text fields render from it. */
  now(): History
  /** The draft from which the steps are rendered. It follows typing after a short pause, and other changes at once. */
  shown(): FlowDraft
  saveState(): SaveState
  subscribe(onChange: () => void): () => void
  dispatch(action: HistoryAction): void
  /**
   * Applies changes while a person types in a field that shows the letter itself: subscribers are notified after the
   * letter is painted, or with the next other change. `after` is called then.
   */
  quietly(work: () => void, after: () => void): void
  /** Notifies subscribers now of changes dispatched quietly. */
  catchUp(): void
  /** Shows typed text and sends waiting changes; false: something could not be sent. */
  flush(): Promise<boolean>
  /** Continues with the server's draft, or overwrites it with this one. */
  settle(revision: number, theirs?: FlowDraft): void
  /** The server made a revision from a draft it got from here. */
  accept(revision: number): void
  /** The revision of the last save. */
  revision(): number
  /** True if the server has every change of this page. */
  isSaved(): boolean
}

export interface KeptDraftParts {
  readonly draft: FlowDraft
  readonly revision: number
  /** Returns the new revision. */
  save(draft: FlowDraft, revision: number): Promise<number>
  /** The pause after which typed text is shown, and the longest delay. */
  readonly stillMs?: number
  readonly atMostMs?: number
  /** Calls something once the current rendering is painted. */
  afterPaint?(work: () => void): void
}

/** The longest time typing can delay a letter's rendering. */
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
        // During typing the state stays "saving", so nothing is rendered for it.
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
