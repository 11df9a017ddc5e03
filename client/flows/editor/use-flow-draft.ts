import { useEffect, useState, useSyncExternalStore } from 'react'
import { useSteady } from '#client/ui/page/steady.ts'
import { createKeptDraft, type KeptDraft, type KeptDraftParts } from './kept-draft.ts'

interface UseFlowDraft extends Pick<KeptDraftParts, 'save'> {
  /** What the page begins with. */
  begin(): Pick<KeptDraftParts, 'draft' | 'revision'>
}

/** The draft of a page: leaving it sends what is left. */
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
      // Another page of the product: this one goes on sending for a moment.
      void kept.flush()
    }
  }, [kept])
  return kept
}

/** One thing of it, drawn anew when that changes and for nothing else. `read` answers the same for the same. */
export const useKept = <T>(kept: KeptDraft, read: (kept: KeptDraft) => T): T => {
  const look = () => read(kept)
  return useSyncExternalStore(kept.subscribe, look, look)
}
