import type { ReactNode } from 'react'
import { nameOfNumber } from '#client/app/number-name.ts'
import { useKnownAnswer } from '#client/app/queries/use-answer.ts'
import { wabaQuery } from '#client/shell/org-queries.ts'
import { tagsHtml } from '#client/tags/tag-html.ts'
import { useLinkPresses } from '#client/ui/page/link-presses.ts'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { useMarkup } from '#client/ui/text/markup.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { paths } from '#shared/kernel/paths.ts'
import { startOfMinute } from '#shared/kernel/time.ts'
import { contactSideId } from '../../contact/contact-place.ts'
import { useListSearch } from '../../list/list-address.ts'
import { conversationWait } from '../../list/rows/wait-html.ts'
import type { InboxT } from '../../words.ts'

/** Says how long the customer waits, or when their first response is due, in the words of the chat's row. */
const AnswerDue = ({ conversation, t }: { conversation: Conversation; t: InboxT }) => {
  const { now, timeZone } = useMoment()
  const wait = conversationWait(conversation, { now: startOfMinute(now), timeZone, t })
  if (!wait) return null
  return (
    <span className={`chip head-due ${wait.isLate ? 'chip-red' : ''}`} title={wait.says}>
      <Icon name={wait.isLate ? 'warn' : 'clock'} />
      {wait.isPromised ? <span className="sr-only">{t('row.firstAnswer')}</span> : null}
      <span className="cut head-due-word">{wait.word}</span>
      <span className="head-due-time" aria-hidden="true">
        {wait.time || wait.word}
      </span>
    </span>
  )
}

/** Letters that fit beside the number. */
const headLetters = 22

/** The first few tags, and how many more, as in the list. */
const HeadTags = ({ tags }: { tags: Conversation['tags'] }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made by `html`, which escapes
  <span className="head-tags" dangerouslySetInnerHTML={useMarkup(tagsHtml(tags, headLetters))} />
)

/** The back link, and the customer as far as known. */
export const ThreadTop = ({
  org,
  conversation,
  tags = conversation?.tags ?? [],
  onOptOut,
  onContact,
  isContactBeside,
  presence,
  hasAllTools = false,
  children,
  t,
}: {
  org: string
  conversation: Conversation | undefined
  /** Including changes that are not stored yet. */
  tags?: Conversation['tags']
  /** Opens the opt-out. Absent: not allowed. */
  onOptOut?: () => void
  /** Opens or hides the contact. Absent until the chat is loaded. */
  onContact?: () => void
  /** True if the contact is open beside the chat. Absent: it opens over it. */
  isContactBeside?: boolean
  /** The people who have it open too. */
  presence?: ReactNode
  /** Reserves space for all tools, otherwise they would shift while the page loads. */
  hasAllTools?: boolean
  children?: ReactNode
  t: InboxT
}) => {
  const search = useListSearch()
  const press = useLinkPresses()
  // Not awaited, because the skeleton shows it too.
  const waba = useKnownAnswer(wabaQuery(org))
  const facts = conversation && [
    conversation.number === undefined
      ? null
      : t('thread.onNumber', { number: nameOfNumber(waba?.numbers ?? [], conversation.number) }),
    conversation.displayPhone ||
      (conversation.username ? `@${conversation.username}` : t(conversation.group ? 'row.group' : 'thread.noNumber')),
    conversation.team ? t('thread.ofTeam', { name: conversation.team.name }) : null,
  ]
  return (
    <header className="pane-head">
      <a className="icon-button back" href={paths.chats(org) + search} aria-label={t('thread.back')} onClick={press}>
        <Icon name="back" />
      </a>
      {conversation && facts ? (
        <>
          <Avatar name={conversation.name} of={conversation.phone} small />
          <div className="thread-who">
            <h2 {...(onContact ? {} : { className: 'cut', dir: 'auto' })}>
              {onContact ? (
                <button
                  type="button"
                  className="who-button cut"
                  dir="auto"
                  title={t(isContactBeside ? 'contact.close' : 'contact.open')}
                  data-key="c"
                  aria-haspopup={isContactBeside === undefined ? 'dialog' : undefined}
                  aria-expanded={isContactBeside}
                  aria-controls={isContactBeside ? contactSideId : undefined}
                  onClick={onContact}
                >
                  {conversation.name}
                </button>
              ) : (
                conversation.name
              )}
            </h2>
            <div className="sub">
              <span className="cut">{facts.filter(Boolean).join(' · ')}</span>
              {conversation.answerDueAt || conversation.waitingSince ? (
                <AnswerDue conversation={conversation} t={t} />
              ) : null}
              {presence}
              {conversation.optOut ? (
                <button
                  type="button"
                  className="chip chip-amber head-opt-out"
                  title={t('optOut.manage')}
                  disabled={!onOptOut}
                  onClick={onOptOut}
                >
                  {t('optOut.chip')}
                </button>
              ) : null}
              {tags.length ? <HeadTags tags={tags} /> : null}
            </div>
          </div>
        </>
      ) : (
        <>
          <span className="avatar avatar-s" />
          <span className="skeleton" />
        </>
      )}
      {children ? <div className={hasAllTools ? 'head-tools head-tools-all' : 'head-tools'}>{children}</div> : null}
    </header>
  )
}
