import type { FlowDraft } from './draft.ts'

/** All that was, what is, and what was taken back; without a limit. */
export interface History {
  readonly past: readonly FlowDraft[]
  readonly present: FlowDraft
  readonly future: readonly FlowDraft[]
  /** What the last change was made to: typing on in one field is one step back. */
  readonly lastKey: string | undefined
  /** Which way it went last; absent: something was changed. */
  readonly went?: 'back' | 'forth'
}

export type HistoryAction =
  /** `key`: changes of the same one in a row are one step. Absent: a step of its own. */
  | { readonly type: 'change'; readonly change: (draft: FlowDraft) => FlowDraft; readonly key?: string | undefined }
  | { readonly type: 'undo' }
  | { readonly type: 'redo' }
  /** Somebody else's draft in its place; what was before can be had by undoing. */
  | { readonly type: 'replace'; readonly draft: FlowDraft }

/** What the steps that stand elsewhere now are one change of. */
export const movedKey = 'moved'

/** A letter in a field, as more of them follow. */
export const isTyped = (action: HistoryAction): boolean =>
  action.type === 'change' && action.key !== undefined && action.key !== movedKey

export const beginHistory = (present: FlowDraft): History => ({ past: [], present, future: [], lastKey: undefined })

const step = (history: History, present: FlowDraft, key?: string): History => {
  const goesOn = key !== undefined && key === history.lastKey
  return { past: goesOn ? history.past : [...history.past, history.present], present, future: [], lastKey: key }
}

export function reduceHistory(history: History, action: HistoryAction): History {
  const { past, present, future } = history
  switch (action.type) {
    case 'change': {
      const next = action.change(present)
      return next === present ? history : step(history, next, action.key)
    }
    case 'replace':
      return step(history, action.draft)
    case 'undo': {
      const before = past.at(-1)
      if (!before) return history
      return {
        past: past.slice(0, -1),
        present: before,
        future: [present, ...future],
        lastKey: undefined,
        went: 'back',
      }
    }
    case 'redo': {
      const [after, ...rest] = future
      if (!after) return history
      return { past: [...past, present], present: after, future: rest, lastKey: undefined, went: 'forth' }
    }
  }
}
