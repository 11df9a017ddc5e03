import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '#client/app/calls/use-api.ts'
import { createAutosave, type SaveState } from '#client/app/input/autosave.ts'
import { keyFor } from '#client/app/queries/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { useSteady } from '#client/ui/page/steady.ts'
import type { BulkDraft, BulkDraftSteps } from '#shared/bulk-sends/drafts.ts'
import { paths } from '#shared/kernel/paths.ts'
import { draftQuery } from '../../queries.ts'
import { withStep } from '../use-step.ts'
import { areSameSteps, isWorthKeeping } from './draft-steps.ts'

export interface DraftOfPage {
  /** Undefined: unchanged. */
  readonly state: SaveState | undefined
  /** Undefined: not saved yet. */
  id(): string | undefined
  /** Saves now. */
  flush(): Promise<boolean>
  /** Overwrites what another person has saved. */
  keepMine(): Promise<void>
  /** Stops saving, because the draft was sent or deleted. */
  end(): void
}

/**
 * Saves the page's steps on the server shortly after each change. The draft is created by the first change that
 * `isWorthKeeping`.
 */
export function useDraft(opened: Pick<BulkDraft, 'id' | 'revision'> | undefined, steps: BulkDraftSteps): DraftOfPage {
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const [state, setState] = useState<SaveState>()
  const id = useRef(opened?.id)
  const isOpen = useRef(true)
  const remember = (draft: BulkDraft, saved: BulkDraftSteps) => {
    client.setQueryData(draftQuery(slug, draft.id).queryKey, { ...draft, steps: saved })
    void client.invalidateQueries({ queryKey: keyFor(slug, 'bulkDrafts.listDrafts') })
    return draft.revision
  }
  const steady = useSteady({
    async save(saved: BulkDraftSteps, revision: number): Promise<number> {
      if (id.current !== undefined)
        return remember(
          await api.bulkDrafts.saveDraft({ params: { id: id.current }, body: { revision, steps: saved } }),
          saved,
        )
      const made = await api.bulkDrafts.createDraft({ body: { steps: saved } })
      id.current = made.id
      // Only the address changes, so that typing continues and a reload finds the draft.
      const step = new URLSearchParams(window.location.search).get('step')
      if (isOpen.current)
        window.history.replaceState(window.history.state, '', withStep(paths.bulkDraft(slug, made.id), step))
      return remember(made, saved)
    },
  })
  const [autosave] = useState(() =>
    createAutosave<BulkDraftSteps>({ save: steady.save, onState: setState }, opened?.revision ?? 0),
  )
  const [first] = useState(steps)
  const isChanged = useRef(false)
  useEffect(() => {
    isChanged.current ||= id.current === undefined ? isWorthKeeping(first, steps) : !areSameSteps(first, steps)
    if (isChanged.current) autosave.change(steps)
  }, [autosave, first, steps])
  useEffect(() => {
    isOpen.current = true
    const onHide = () => {
      if (document.visibilityState === 'hidden') void autosave.flush()
    }
    const onOnline = () => void autosave.flush()
    document.addEventListener('visibilitychange', onHide)
    addEventListener('online', onOnline)
    return () => {
      isOpen.current = false
      document.removeEventListener('visibilitychange', onHide)
      removeEventListener('online', onOnline)
      void autosave.flush()
    }
  }, [autosave])
  return {
    state,
    id: () => id.current,
    flush: () => autosave.flush(),
    async keepMine() {
      if (id.current === undefined) return
      const { revision } = await api.bulkDrafts.getDraft({ params: { id: id.current } })
      autosave.settle(revision, steps)
    },
    end: () => autosave.settle(autosave.revision),
  }
}
