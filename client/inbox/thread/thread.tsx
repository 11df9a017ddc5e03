import { Suspense, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { nameOfNumber } from '#client/app/number-name.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useEvents } from '#client/shell/live-provider.tsx'
import { useViewer } from '#client/shell/viewer.ts'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { quietPart } from '#client/ui/feedback/quiet-part.tsx'
import { useIsElsewhere } from '#client/ui/page/is-elsewhere.ts'
import { useMoment } from '#client/ui/text/moment.tsx'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Language } from '#shared/kernel/language.ts'
import { windowSafetyMs } from '#shared/kernel/limits.ts'
import { paths } from '#shared/kernel/paths.ts'
import { roleCan } from '#shared/kernel/permissions.ts'
import { Beside } from '../beside.ts'
import { Composer } from '../composer/composer.tsx'
import { focusComposerFirst, hasKeyboard } from '../composer/composer-focus.ts'
import { useDraftQuote } from '../composer/drafts/draft-quote.ts'
import { useFileDrop } from '../composer/files/file-drop.ts'
import type { FileSender } from '../composer/files/sending-files.ts'
import { outgoingScope } from '../composer/outgoing.ts'
import { useInboxWords } from '../inbox-words.ts'
import { useLeaveOnEscape } from '../leave-on-escape.ts'
import { aroundOf, doesKeepFocus, useListSearch } from '../list/list-address.ts'
import { useNumbers } from '../numbers.ts'
import { conversationQuery } from '../queries.ts'
import { numberMeant } from './bubble/phone-links.ts'
import { ThreadHead } from './head/thread-head.tsx'
import { Messages } from './messages.tsx'
import { useLock, useRole } from './thread-access.ts'
import { ThreadDialogs } from './thread-dialogs.tsx'
import { useThreadMessages } from './thread-messages.ts'
import { ThreadSkeleton } from './thread-skeleton.tsx'
import { useReadWhileSeen } from './use-read-while-seen.ts'
import { useMessageActs, useThreadSending } from './use-thread-sending.ts'

/**
 * A chat opened by a link or a reload puts the focus on its messages: arrow keys scroll them, letters are shortcuts, and
 * the Tab key leads to the composer. If the person has focused something else meanwhile, the focus stays there.
 */
function useFocusOnArrival(isFirstPage: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the chat is there
  useEffect(() => {
    if (!isFirstPage || !hasKeyboard() || document.activeElement !== document.body) return
    const messages = document.querySelector<HTMLElement>('.thread > .messages')
    if (!messages) return
    // The ring appears with the first key: people with a mouse did not ask where the focus is.
    messages.dataset.arrived = ''
    document.addEventListener('keydown', () => delete messages.dataset.arrived, { once: true, capture: true })
    messages.focus({ preventScroll: true })
  }, [])
}

const ScheduledLine = quietPart(() => import('#client/scheduled-messages/line.tsx'))
const DraftLine = quietPart(() => import('../composer/drafts/draft-line.tsx'))

interface ThreadProps {
  org: string
  phone: string
  files: FileSender | undefined
}

/** Keeps unsent text and open dialogs when the chat's address changes. */
const useAddressOf = (org: string, phone: string, conversation: { id: string }, address: string) => {
  const { search } = useLocation()
  const navigate = useNavigate()
  const isElsewhere = useIsElsewhere()
  const leadTo = (to: string) => {
    if (to !== phone && !isElsewhere())
      void navigate(paths.chat(org, to) + search, { replace: true, state: { sameAs: phone } })
  }
  // The customer got a second number while the chat was open.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `leadTo` is new at every render
  useEffect(() => leadTo(address), [address, phone, org, search, navigate])
  useEvents(
    {
      conversation: ({ conversation: row, parted }) => {
        if (parted && row.id === conversation.id) leadTo(addressOfConversation(row))
      },
    },
    // Without the event, the page stays with the number, like a new visit.
    () => undefined,
  )
}

const ThreadBody = ({ org, phone, files }: ThreadProps) => {
  const { t, i18n } = useInboxWords()
  const { now, timeZone } = useMoment()
  const conversation = useAnswer(conversationQuery(org, phone))
  const address = addressOfConversation(conversation)
  const scope = outgoingScope(org, useViewer().user.id)
  const thread = useThreadMessages({ org, phone, address, scope }, t)
  const lockedBecause = useLock(org, conversation, t)
  const numbers = useNumbers(org)
  const role = useRole()
  const canReply = roleCan(role, 'chat:reply')
  const [replyTo, setReplyTo] = useDraftQuote(scope, address, thread.messages)
  const [isNote, setIsNote] = useState(false)
  // The unread count when the chat was opened, because reading resets it.
  const [unread] = useState(conversation.unread)
  const closesAt = conversation.windowClosesAt ? Date.parse(conversation.windowClosesAt) : 0
  const isClosed = closesAt - windowSafetyMs <= now
  const leaveOnEscape = useLeaveOnEscape(org, isNote || replyTo !== null, () => {
    setIsNote(false)
    setReplyTo(null)
  })
  useAddressOf(org, phone, conversation, address)
  const navigate = useNavigate()
  const listSearch = useListSearch()
  const openChatWith = (number: string) => void navigate(paths.chat(org, number) + listSearch)
  const { key, search, state } = useLocation()
  // After a full load, the messages have the focus. Moving through search results, or on from an archived chat, keeps
  // the focus there.
  const isElsewhere = aroundOf(search) !== undefined || doesKeepFocus(state)
  const openedBy = key === 'default' || isElsewhere ? undefined : key
  useFocusOnArrival(key === 'default')
  // Around an older message, the new ones are not visible.
  useReadWhileSeen(org, conversation, { canReply: canReply && thread.isWhole, isChosen: !doesKeepFocus(state) })

  const sending = useThreadSending({ org, conversation, scope, files, thread, replyTo, setReplyTo, setIsNote, now, t })
  const { acts, steady, sendFiles, undone, open, setOpen } = sending
  const drop = useFileDrop(isNote || lockedBecause || isClosed ? undefined : files => steady.openFiles(files))
  const canAnswer = !lockedBecause
  const onMessage = useMessageActs(steady, setOpen, { canReply, canAnswer, canReact: canAnswer && !isClosed })
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape from anything in it; each step has a button, too */}
      <section className="thread" onKeyDown={leaveOnEscape} {...drop.handlers}>
        <ThreadHead
          org={org}
          conversation={conversation}
          canReply={canReply}
          canManage={roleCan(role, 'member:manage')}
          onNote={steady.beginNote}
          onFlow={steady.openFlow}
          t={t}
        />
        <Beside value={conversation.phone}>
          <Messages
            key={thread.target ? `${address} ${thread.target}` : address}
            {...thread}
            name={conversation.name}
            now={now}
            timeZone={timeZone}
            language={i18n.language as Language}
            t={t}
            acts={onMessage}
            unread={unread}
            onDate={from => setOpen({ kind: 'date', from })}
            onPhone={dialled => openChatWith(numberMeant(dialled, conversation.phone))}
          />
        </Beside>
        <ScheduledLine conversation={conversation} onOpen={focusComposerFirst} />
        <DraftLine conversation={conversation} />
        <Composer
          key={`composer ${address}`}
          slug={org}
          conversation={conversation}
          lockedBecause={lockedBecause}
          writesAs={conversation.number && nameOfNumber(numbers, conversation.number)}
          replyTo={replyTo}
          now={now}
          timeZone={timeZone}
          t={t}
          openedBy={openedBy}
          undone={undone}
          onCancelReply={steady.cancelReply}
          onSend={steady.sendText}
          onFiles={steady.openFiles}
          onVoice={steady.sendVoice}
          onTemplate={steady.openTemplate}
          onFlow={steady.openFlow}
          isNote={isNote}
          canNote={canReply}
          onMode={setIsNote}
          onNote={steady.addNote}
          onKind={steady.sendKind}
          onTyping={steady.showTyping}
        />
        {drop.isOver ? <div className="thread-drop">{t('files.drop')}</div> : null}
      </section>
      <ThreadDialogs
        open={open}
        org={org}
        conversation={conversation}
        messages={thread.messages}
        timeZone={timeZone}
        onReact={(reacting, emoji) => void acts.react(reacting, emoji)}
        onFiles={sendFiles}
        onNote={acts.changeNote}
        onTemplate={acts.sendTemplate}
        canReply={canReply}
        onClose={() => setOpen(undefined)}
      />
    </>
  )
}

/**
 * One conversation: messages and composer. Each chat has its own boundary, so that opening shows at once and nobody
 * writes to the wrong one. Another address of the same chat does not remount it.
 */
export const Thread = (props: ThreadProps) => {
  const { t } = useInboxWords()
  const { phone } = props
  const { state } = useLocation() as { state: { sameAs?: string } | null }
  const [shown, setShown] = useState({ phone, count: 0 })
  if (shown.phone !== phone) setShown({ phone, count: state?.sameAs === shown.phone ? shown.count : shown.count + 1 })
  return (
    <Suspense key={shown.count} fallback={<ThreadSkeleton org={props.org} phone={props.phone} t={t} />}>
      <ThreadBody {...props} />
    </Suspense>
  )
}

export const NoThread = () => {
  const { t } = useInboxWords()
  return (
    <section className="thread">
      <Empty icon="chat" says={t('thread.none')} />
    </section>
  )
}
