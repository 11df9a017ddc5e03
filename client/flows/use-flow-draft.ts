import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { type Autosave, createAutosave, type SaveState } from './autosave.ts'
import type { FlowDraft } from './draft.ts'
import { beginHistory, type HistoryAction, reduceHistory } from './history.ts'

export interface KeptDraft {
  readonly draft: FlowDraft
  readonly saveState: SaveState
  readonly canUndo: boolean
  readonly canRedo: boolean
  dispatch(action: HistoryAction): void
  /** Sends what waits; false: something could not be sent. */
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

interface UseFlowDraft {
  readonly first: { readonly draft: FlowDraft; readonly revision: number }
  /** Answers the new revision. */
  save(draft: FlowDraft, revision: number): Promise<number>
}

/** A draft with its history, saved by itself a moment after each change; leaving the page sends what is left. */
export function useFlowDraft({ first, save }: UseFlowDraft): KeptDraft {
  const [history, dispatch] = useReducer(reduceHistory, first.draft, beginHistory)
  const [saveState, setSaveState] = useState<SaveState>({ kind: 'saved' })
  const latestSave = useRef(save)
  useEffect(() => {
    latestSave.current = save
  }, [save])
  const kept = useRef<Autosave<FlowDraft>>(undefined)
  kept.current ??= createAutosave<FlowDraft>(
    {
      save: (draft, revision) => latestSave.current(draft, revision),
      // With each letter it is being saved still: nothing is drawn anew for that.
      onState: next => setSaveState(before => (before.kind === next.kind && !('error' in next) ? before : next)),
    },
    first.revision,
  )
  const autosave = kept.current
  const draft = history.present
  /** What the server has, or is being sent. */
  const known = useRef(first.draft)
  useEffect(() => {
    if (known.current === draft) return
    known.current = draft
    autosave.change(draft)
  }, [draft, autosave])
  useEffect(() => {
    const onHide = () => {
      if (document.visibilityState === 'hidden') void autosave.flush()
    }
    const onLeave = (event: BeforeUnloadEvent) => {
      if (!autosave.isPending) return
      void autosave.flush()
      event.preventDefault()
    }
    const onOnline = () => void autosave.flush()
    document.addEventListener('visibilitychange', onHide)
    addEventListener('beforeunload', onLeave)
    addEventListener('online', onOnline)
    return () => {
      document.removeEventListener('visibilitychange', onHide)
      removeEventListener('beforeunload', onLeave)
      removeEventListener('online', onOnline)
      // Another page of the product: this one goes on sending for a moment.
      void autosave.flush()
    }
  }, [autosave])
  const settle = useCallback(
    (revision: number, theirs?: FlowDraft) => {
      if (!theirs) return autosave.settle(revision, known.current)
      known.current = theirs
      dispatch({ type: 'replace', draft: theirs })
      autosave.settle(revision)
    },
    [autosave],
  )
  return {
    draft,
    saveState,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    dispatch,
    flush: useCallback(() => autosave.flush(), [autosave]),
    settle,
    accept: useCallback((revision: number) => autosave.settle(revision), [autosave]),
    isSaved: useCallback(() => !autosave.isPending, [autosave]),
    revision: useCallback(() => autosave.revision, [autosave]),
  }
}
