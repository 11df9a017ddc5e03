import type { FlowDraft } from './draft.ts'

/** All past drafts, the current one, and undone ones; unlimited. */
export interface History {
  readonly past: readonly FlowDraft[]
  readonly present: FlowDraft
  readonly future: readonly FlowDraft[]
  /** The key of the last change: typing in one field is undone as a whole. */
  readonly lastKey: string | undefined
  /** The direction of the last step; absent: a change. */
  readonly went?: 'back' | 'forth'
}

export type HistoryAction =
  /** `key`: consecutive changes with the same key are one step. Absent: a step of its own. */
  | { readonly type: 'change'; readonly change: (draft: FlowDraft) => FlowDraft; readonly key?: string | undefined }
  | { readonly type: 'undo' }
  | { readonly type: 'redo' }
  /** Another person's draft replaces this one; undo restores it. */
  | { readonly type: 'replace'; readonly draft: FlowDraft }

/** The key of moving steps. */
export const movedKey = 'moved'

/** Typing in a field, which usually continues. */
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
