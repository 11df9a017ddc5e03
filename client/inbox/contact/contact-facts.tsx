import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { nameOfNumber } from '#client/app/number-name.ts'
import { useKnownAnswer } from '#client/app/queries/use-answer.ts'
import { wabaQuery } from '#client/shell/org-queries.ts'
import { useViewer } from '#client/shell/viewer.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { Conversation } from '#shared/inbox/conversations.ts'
import type { Language } from '#shared/kernel/language.ts'
import { clockTime, rowTime } from '#shared/kernel/time.ts'
import { assigneeWord } from '../list/rows/row-html.ts'
import { placeConversation } from '../placing.ts'
import { backText } from '../snooze/back-text.ts'

const OptOutDialog = lazyDialog(() => import('./opt-out-dialog.tsx'))

interface ContactFactsProps {
  readonly conversation: Conversation
  readonly canReply: boolean
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>
      <bdi>{name}</bdi>
    </dt>
    <dd>{children}</dd>
  </div>
)

/** State of the open chat: who has it, its window, the opt-out. */
export const ContactFacts = ({ conversation, canReply }: ContactFactsProps) => {
  const { t, i18n } = useTranslation('inbox')
  const { org = '' } = useParams()
  const { now, timeZone } = useMoment()
  const language = i18n.language as Language
  const userId = useViewer().user.id
  const client = useQueryClient()
  const waba = useKnownAnswer(wabaQuery(org))
  const [isAsking, setIsAsking] = useState(false)
  const { team, assignee, control } = conversation
  const { number, windowClosesAt, optOut, lastMessage } = conversation
  const isOpen = windowClosesAt !== null && Date.parse(windowClosesAt) > now
  const lastText = (at: string) => {
    const time = clockTime(at, timeZone)
    const day = rowTime(at, now, language, timeZone) ?? t('row.yesterday')
    return day === time ? time : `${day} ${time}`
  }
  const marketing = t(optOut ? 'optOut.chip' : 'contact.accepts')
  return (
    <section className="contact-part" aria-label={t('contact.chat')}>
      <h3>{t('contact.chat')}</h3>
      <dl className="contact-facts">
        <Fact name={t('contact.assignee')}>
          {team && !assignee ? t('contact.teamOnly', { team: team.name }) : assigneeWord(assignee, { t, userId })}
        </Fact>
        {control === 'human' ? null : <Fact name={t('contact.control')}>{t(`contact.by.${control}`)}</Fact>}
        {team && assignee ? <Fact name={t('contact.team')}>{team.name}</Fact> : null}
        <Fact name={t('contact.window')}>
          {isOpen
            ? t('contact.windowUntil', { when: backText(windowClosesAt, { now, timeZone, language, t }) })
            : t('contact.windowClosed')}
        </Fact>
        {number === undefined ? null : (
          <Fact name={t('contact.ours')}>{nameOfNumber(waba?.numbers ?? [], number)}</Fact>
        )}
        {lastMessage ? <Fact name={t('contact.last')}>{lastText(lastMessage.at)}</Fact> : null}
        <Fact name={t('contact.marketing')}>
          {canReply ? (
            <button
              type="button"
              className="link"
              title={t(optOut ? 'optOut.manage' : 'optOut.label')}
              onClick={() => setIsAsking(true)}
            >
              {marketing}
            </button>
          ) : (
            marketing
          )}
        </Fact>
      </dl>
      {isAsking ? (
        <OptOutDialog
          conversation={conversation}
          onChanged={row => placeConversation(client, org, row)}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </section>
  )
}
