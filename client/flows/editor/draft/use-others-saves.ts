import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useEvents } from '#client/shell/live-provider.tsx'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import type { Flow } from '#shared/flows/api.ts'
import { flowQuery, refreshFlows } from '../../queries.ts'
import { readDraft } from './draft.ts'
import type { KeptDraft } from './kept-draft.ts'
import { useKept } from './use-flow-draft.ts'

/** Loads another person's save if there are no unsaved changes. Otherwise the conflict appears at the next save. */
export function useOthersSaves(flow: Flow, kept: KeptDraft): void {
  const { t } = useTranslation('flows')
  const { slug } = useOrg()
  const client = useQueryClient()
  /** The newest revision from events; own saves are known from their responses. */
  const heard = useRef(flow.revision)
  const takeOver = async () => {
    if (!kept.isSaved()) return
    const theirs = await client.fetchQuery({ ...flowQuery(slug, flow.id), staleTime: 0 }).catch(() => undefined)
    if (!theirs || theirs.revision <= kept.revision() || !kept.isSaved()) return
    kept.settle(theirs.revision, readDraft(theirs))
    toast(t('takenOver', { name: theirs.editedBy }))
  }
  const catchUp = () => {
    if (heard.current > kept.revision()) void takeOver()
  }
  const refresh = () => {
    void refreshFlows(client, slug)
    void takeOver()
  }
  useEvents(
    {
      flow({ id, change, revision }) {
        if (id !== flow.id) return void refreshFlows(client, slug)
        if (change !== 'saved' || revision === undefined) return refresh()
        heard.current = Math.max(heard.current, revision)
        catchUp()
      },
    },
    refresh,
  )
  const isSaved = useKept(kept, one => one.saveState().kind === 'saved')
  const onSaved = useEffectEvent(catchUp)
  useEffect(() => {
    if (isSaved) onSaved()
  }, [isSaved])
  // The page may start with a cached flow, and get a newer one a moment later.
  const onAnswer = useEffectEvent((known: Flow) => {
    if (known.revision > kept.revision() && kept.isSaved()) kept.settle(known.revision, readDraft(known))
  })
  useEffect(() => onAnswer(flow), [flow])
}
