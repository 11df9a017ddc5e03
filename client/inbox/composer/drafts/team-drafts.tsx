import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#client/app/calls/use-api.ts'
import { useEvents, useIsAway } from '#client/shell/live-provider.tsx'
import { useViewer } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { addressOfEvent } from '#shared/inbox/chat-address.ts'
import { listenToQuotes } from './draft-quote.ts'
import { createDraftSync, draftSyncs, savedDrafts } from './draft-sync.ts'
import { listenToDrafts, othersDrafts } from './drafts.ts'
import { useDraftScope, useMayDraft } from './use-draft-scope.ts'

/** Syncs this person's drafts with their other devices, and colleagues' drafts. Renders nothing. */
export default function TeamDrafts() {
  const { t } = useTranslation('inbox')
  const api = useApi()
  const { id: own } = useViewer().user
  const scope = useDraftScope()
  const mayWrite = useMayDraft()
  const isAway = useIsAway()
  const [device] = useState(() => crypto.randomUUID())
  // Another tab of this browser may have saved it.
  savedDrafts.use(scope)
  const [isReady, setReady] = useState(false)

  const load = useEffectEvent(() => {
    const failed = () => undefined // Ignored: the text is stored here.
    api.drafts.listDrafts({}).then(({ own, others }) => {
      const byPhone: Record<string, Record<string, string>> = {}
      for (const { phone, person } of others) byPhone[phone] = { ...byPhone[phone], [person.id]: person.name }
      othersDrafts.write(scope, byPhone)
      draftSyncs.get(scope)?.take(Object.fromEntries(own.map(draft => [draft.phone, draft])))
      setReady(true)
    }, failed)
  })
  const loadOwn = (phone: string) =>
    api.drafts.listChatDrafts({ params: { phone } }).then(
      ({ items }) => draftSyncs.get(scope)?.take({ [phone]: items.find(one => one.own) ?? { text: '' } }, phone),
      () => undefined,
    )
  const save = useEffectEvent((phone: string, text: string, replyToMessageId: string | undefined) =>
    api.drafts.saveDraft(
      { params: { phone }, body: { text, device, ...(replyToMessageId ? { replyToMessageId } : {}) } },
      { keepalive: true },
    ),
  )
  useEffect(() => {
    if (mayWrite)
      draftSyncs.set(
        scope,
        createDraftSync(scope, (phone, text, quotedId) => save(phone, text, quotedId)),
      )
    const sync = draftSyncs.get(scope)
    load()
    const leaving = () => document.visibilityState === 'hidden' && void sync?.flush()
    document.addEventListener('visibilitychange', leaving)
    return () => {
      document.removeEventListener('visibilitychange', leaving)
      sync?.stop()
      draftSyncs.delete(scope)
    }
  }, [scope, mayWrite])
  useEffect(() => {
    if (!isReady || isAway) return
    const look = () => draftSyncs.get(scope)?.look()
    look()
    const unlisten = [listenToDrafts(look), listenToQuotes(look)]
    return () => {
      for (const stop of unlisten) stop()
    }
  }, [scope, isReady, isAway])
  useEvents(
    {
      draft: event => {
        const { person, isGone, takenBy } = event
        const phone = addressOfEvent(event)
        if (person.id !== own) {
          const { [phone]: before, ...rest } = othersDrafts.read(scope)
          const { [person.id]: _, ...others } = before ?? {}
          const now = isGone ? others : { ...others, [person.id]: person.name }
          othersDrafts.write(scope, Object.keys(now).length ? { ...rest, [phone]: now } : rest)
          return
        }
        if (event.device === device) return
        void loadOwn(phone)
        if (takenBy) toast(t('draft.taken', { name: takenBy.name }), { key: `draft ${phone}`, kind: 'info' })
      },
      visibility: () => load(),
      memberLeft: () => load(),
    },
    () => load(),
  )
  return null
}
