import './draft-line.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { queryFor } from '#client/app/queries/queries.ts'
import { useEvents } from '#client/shell/live-provider.tsx'
import { useOrg, useViewer } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { addressOfConversation, addressOfEvent } from '#shared/inbox/chat-address.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { messagePreview } from '../../words.ts'
import { adoptDraft, draftSyncs } from './draft-sync.ts'
import { useDraftScope, useMayDraft } from './use-draft-scope.ts'

/** Above the composer: answers that colleagues have begun here, to take over. Nothing if there are none. */
export default function DraftLine({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation('inbox')
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const { slug } = useOrg()
  const { id: own } = useViewer().user
  const scope = useDraftScope()
  const mayWrite = useMayDraft()
  const [isTaking, work] = useTransition()
  const phone = addressOfConversation(conversation)
  const query = queryFor(slug, 'drafts.listChatDrafts', { params: { phone } })
  const { data } = useQuery(query)
  const refresh = () => void client.invalidateQueries({ queryKey: query.queryKey })
  useEvents({ draft: event => addressOfEvent(event) === phone && event.person.id !== own && refresh() }, refresh)
  const take = (personId: string) =>
    work(async () => {
      try {
        // Text typed here is saved before.
        await draftSyncs.get(scope)?.flush(phone)
        adoptDraft(scope, phone, await api.drafts.takeDraft({ params: { phone }, body: { personId } }))
        document.querySelector<HTMLElement>('.composer textarea')?.focus()
      } catch (error) {
        toast(failureText(error), { kind: 'error' })
      }
      await client.invalidateQueries({ queryKey: query.queryKey })
    })
  return data?.items
    .filter(one => !one.own)
    .map(({ person, text, replyTo }) => (
      <section key={person.id} className="draft-line line box" aria-label={t('draft.of', { name: person.name })}>
        <Icon name="pencil" />
        <div>
          <b>{t('draft.of', { name: person.name })}</b>
          {replyTo ? (
            <span className="draft-line-quote line">
              <Icon name="reply" />
              <span className="cut" dir="auto">
                {messagePreview(t, replyTo)}
              </span>
            </span>
          ) : null}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
          <p tabIndex={0} dir="auto">
            {text}
          </p>
        </div>
        {mayWrite ? (
          <button type="button" className="button" aria-disabled={isTaking} onClick={() => isTaking || take(person.id)}>
            {t('draft.take')}
          </button>
        ) : null}
      </section>
    ))
}
