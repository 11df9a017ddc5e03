import { useEffect, useState, useSyncExternalStore } from 'react'
import { useSteady } from '#client/ui/page/steady.ts'
import { createKeptDraft, type KeptDraft, type KeptDraftParts } from './kept-draft.ts'

interface UseFlowDraft extends Pick<KeptDraftParts, 'save'> {
  /** The initial draft of the page. */
  begin(): Pick<KeptDraftParts, 'draft' | 'revision'>
}

/** The draft of a page: leaving the page sends the remaining changes. */
export function useFlowDraft({ begin, save }: UseFlowDraft): KeptDraft {
  const steady = useSteady({ save })
  const [kept] = useState(() => createKeptDraft({ ...begin(), save: steady.save }))
  useEffect(() => {
    const onHide = () => {
      if (document.visibilityState === 'hidden') void kept.flush()
    }
    const onLeave = (event: BeforeUnloadEvent) => {
      if (kept.isSaved()) return
      void kept.flush()
      event.preventDefault()
    }
    const onOnline = () => void kept.flush()
    document.addEventListener('visibilitychange', onHide)
    addEventListener('beforeunload', onLeave)
    addEventListener('online', onOnline)
    return () => {
      document.removeEventListener('visibilitychange', onHide)
      removeEventListener('beforeunload', onLeave)
      removeEventListener('online', onOnline)
      // Navigation within the app: sending continues for a moment.
      void kept.flush()
    }
  }, [kept])
  return kept
}

/** A selected value; renders again only if it changes. `read` must return the same object for the same value. */
export const useKept = <T>(kept: KeptDraft, read: (kept: KeptDraft) => T): T => {
  const look = () => read(kept)
  return useSyncExternalStore(kept.subscribe, look, look)
}
