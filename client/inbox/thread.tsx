import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { isApiError } from '#client/api-error.ts'
import type { KindBody } from '#client/message-kinds/kinds.ts'
import { loadPart } from '#client/missing-part.ts'
import { apiOf, queryFor } from '#client/queries.ts'
import { useEvents } from '#client/shell/live-provider.tsx'
import { useOrg, useViewer } from '#client/shell/viewer.ts'
import type { TemplateSend } from '#client/templates/send-values.ts'
import { Empty } from '#client/ui/empty.tsx'
import { useIsElsewhere } from '#client/ui/is-elsewhere.ts'
import { lazyDialog } from '#client/ui/lazy-dialog.tsx'
import { useMoment } from '#client/ui/moment.tsx'
import { quietPart } from '#client/ui/quiet-part.tsx'
import { toast } from '#client/ui/toasts.tsx'
import { isUndoSendOn } from '#client/ui/undo-send.ts'
import { useAnswer } from '#client/use-answer.ts'
import { useFailureText } from '#client/use-api.ts'
import { useSuspensePages } from '#client/use-paged-list.ts'
import { addressOfConversation } from '#shared/chat-address.ts'
import type { Conversation, Direction, Message } from '#shared/inbox.ts'
import type { Language } from '#shared/language.ts'
import { windowSafetyMs } from '#shared/limits.ts'
import { nameOfNumber } from '#shared/number-name.ts'
import { paths } from '#shared/paths.ts'
import { effectiveRole, roleCan } from '#shared/permissions.ts'
import { useAround } from './around.ts'
import type { Reacting } from './bubble.tsx'
import { Composer, type Undone } from './composer.tsx'
import { useFileDrop } from './file-drop.ts'
import type { ChosenFile } from './files-dialog.tsx'
import { useLeaveOnEscape } from './leave-on-escape.ts'
import { aroundOf, withAround, withoutAround } from './list-address.ts'
import { Messages } from './messages.tsx'
import { useNumbers } from './numbers.ts'
import {
  asMessage,
  discardText,
  heldCode,
  outgoingScope,
  retryText,
  sendText,
  undoText,
  useOutgoing,
} from './outgoing.ts'
import {
  changeMessage,
  conversationQuery,
  flatMessages,
  messagesQuery,
  placeConversation,
  placeMessage,
  placeSentMessage,
} from './queries.ts'
import { asFileMessage, type FileSender, useSendingFiles } from './sending-files.ts'
import { ThreadHead } from './thread-head.tsx'
import { ThreadSkeleton } from './thread-skeleton.tsx'
import { withOrderOfWaiting } from './waiting-order.ts'
import type { InboxT } from './words.ts'

const ScheduledLine = quietPart(() => import('#client/scheduled-messages/line.tsx'))
const DraftLine = quietPart(() => import('./draft-line.tsx'))
const ReactionPicker = lazyDialog(() => import('./reaction-picker.tsx'))
const MessageInfoDialog = lazyDialog(() => import('./message-info-dialog.tsx'))
const MediaViewer = lazyDialog(() => import('./media-viewer.tsx'))
const ForwardDialog = lazyDialog(() => import('./forward-dialog.tsx'))
const DateDialog = lazyDialog(() => import('./date-dialog.tsx'))
const NoteDialog = lazyDialog(() => import('./note-dialog.tsx'))
const FilesDialog = lazyDialog(() => import('./files-dialog.tsx'))
const StartFlowDialog = lazyDialog(() => import('./start-flow-dialog.tsx'))
const SendTemplateDialog = lazyDialog(() => import('#client/templates/send-dialog.tsx'))

/** On which side of the talk a message stands. */
const sideOf = ({ direction }: Message): Direction => (direction === 'in' ? 'in' : 'out')

interface ThreadProps {
  org: string
  phone: string
  files: FileSender | undefined
}

/** What the person may do here; the server decides again. */
const useRole = () => effectiveRole(useOrg().role)

const useLock = (org: string, { number, phone }: Conversation, t: InboxT): string | null => {
  const waba = useAnswer(queryFor(org, 'numbers.getWaba', {}))
  const numbers = useNumbers(org)
  const role = useRole()
  if (!roleCan(role, 'chat:reply')) return t('composer.noPermission')
  if (!phone) return t('composer.noAddress')
  if (!waba.phone) return t('composer.notConnected')
  const own = number === undefined ? waba : numbers.find(known => known.phone === number)
  if (!own?.status) return t('composer.numberGone', { number: nameOfNumber(numbers, number ?? '') })
  return own.status === 'connected' ? null : t('composer.reauthorise')
}

/** What is read is marked as read: only while the tab is seen, and again when something new arrives in it. */
const useReadWhileSeen = (org: string, conversation: Conversation, canReply: boolean) => {
  const client = useQueryClient()
  const { unread } = conversation
  const phone = addressOfConversation(conversation)
  const last = conversation.lastMessage?.at
  // biome-ignore lint/correctness/useExhaustiveDependencies: not on `unread`, so that "mark as unread" stays while the chat is open
  useEffect(() => {
    if (!canReply || !unread || !last) return
    const mark = () => {
      if (document.visibilityState !== 'visible') return
      document.removeEventListener('visibilitychange', mark)
      apiOf(client)(org)
        .inbox.markRead({ params: { phone } }, { keepalive: true })
        .then(row => placeConversation(client, org, row))
        // The count stays as it is and the next message tries again.
        .catch(error => console.warn('The chat could not be marked as read', error))
    }
    document.addEventListener('visibilitychange', mark)
    mark()
    return () => document.removeEventListener('visibilitychange', mark)
  }, [client, org, phone, last, canReply])
}

const ThreadBody = ({ org, phone, files }: ThreadProps) => {
  const { t, i18n } = useTranslation('inbox')
  const { now, timeZone } = useMoment()
  const client = useQueryClient()
  const conversation = useAnswer(conversationQuery(org, phone))
  const query = useSuspensePages(messagesQuery(org, phone))
  const address = addressOfConversation(conversation)
  const lockedBecause = useLock(org, conversation, t)
  const numbers = useNumbers(org)
  const role = useRole()
  const canReply = roleCan(role, 'chat:reply')
  const scope = outgoingScope(org, useViewer().user.id)
  const outgoing = useOutgoing(scope)
  const sendingFiles = useSendingFiles(scope)
  const [attached, setAttached] = useState<{ readonly files: readonly File[]; readonly caption?: string | undefined }>()
  const [replyTo, setReplyTo] = useState<Message | null>(null)
  const [isNote, setIsNote] = useState(false)
  // As it was when the chat was opened: read at once, they are still to be found.
  const [unread] = useState(conversation.unread)
  const [undone, setUndone] = useState<Undone>()
  const [informed, setInformed] = useState<Message>()
  const [forwarded, setForwarded] = useState<Message>()
  const [jumpFrom, setJumpFrom] = useState<string>()
  const [viewed, setViewed] = useState<Message>()
  const [changedNote, setChangedNote] = useState<Message>()
  const noteKey = useRef({ text: '', key: '' })
  const [isChoosing, setIsChoosing] = useState(false)
  const [isStarting, setIsStarting] = useState(false)
  const [reacting, setReacting] = useState<Reacting>()
  const closesAt = conversation.windowClosesAt ? Date.parse(conversation.windowClosesAt) : 0
  const isClosed = closesAt - windowSafetyMs <= now
  const leaveOnEscape = useLeaveOnEscape(org, isNote || replyTo !== null, () => {
    setIsNote(false)
    setReplyTo(null)
  })
  // A whole new page is read first; there the focus begins where it always does.
  const { key, search } = useLocation()
  const navigate = useNavigate()
  const isElsewhere = useIsElsewhere()
  /** The same chat under another address: what is begun or open in it stays. */
  const leadTo = (to: string) => {
    if (to !== phone && !isElsewhere())
      void navigate(paths.chat(org, to) + search, { replace: true, state: { sameAs: phone } })
  }
  // A second number came while it was open.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked when it leads on, and no reason to
  useEffect(() => leadTo(address), [address, phone, org, search, navigate])
  useEvents(
    {
      conversation: ({ conversation: row, parted }) => {
        if (parted && row.id === conversation.id) leadTo(addressOfConversation(row))
      },
    },
    // Whose parting was missed stays with the number, as somebody who opens it now.
    () => undefined,
  )
  const target = aroundOf(search)
  // Whoever goes through what a search found stays there with the keys.
  const openedBy = key === 'default' || target !== undefined ? undefined : key
  const newest = useMemo(() => flatMessages(query.data), [query.data])
  const { part: around, error: aroundError } = useAround(org, phone, target, newest)
  const toQuoted = (id: string) =>
    void navigate(paths.chat(org, address) + withAround(search, id), { preventScrollReset: true })
  const toNewest = () =>
    void navigate(paths.chat(org, address) + withoutAround(search), { replace: true, preventScrollReset: true })
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once for each message that could not be had
  useEffect(() => {
    if (!aroundError) return
    // 0: nobody answered, as offline.
    const isGone = isApiError(aroundError) && aroundError.status >= 400 && aroundError.status < 500
    toast(t(isGone ? 'search.gone' : 'search.notLoaded'), { key: `around ${target}`, kind: isGone ? 'info' : 'error' })
  }, [aroundError, target])
  const shown = around?.messages ?? newest
  const isWhole = around?.isWhole ?? true
  // Around an older message, the new ones have not been seen.
  useReadWhileSeen(org, conversation, canReply && isWhole)

  const messages = useMemo(() => {
    if (!isWhole) return shown
    const keys = new Set(shown.map(message => message.clientKey))
    const isComing = (item: { phone: string; clientKey: string }) => item.phone === address && !keys.has(item.clientKey)
    const coming = [
      ...outgoing.filter(isComing).map(asMessage),
      ...sendingFiles.filter(isComing).map(asFileMessage),
    ].sort((a, b) => (a.at < b.at ? -1 : 1))
    return [...withOrderOfWaiting(shown), ...coming]
  }, [shown, isWhole, outgoing, sendingFiles, address])

  const api = apiOf(client)(org)
  const failureText = useFailureText()
  const refused = (error: unknown) => toast(t('toast.failed', { reason: failureText(error) }), { kind: 'error' })
  const retry = (message: Message) => {
    if (message.clientKey === message.id) return message.media ? files?.retry(message.id) : retryText(scope, message.id)
    const { queryKey } = messagesQuery(org, address)
    return api.inbox
      .retryMessage({ params: { id: message.id } })
      .then(() => client.invalidateQueries({ queryKey }), refused)
  }
  const cancel = (message: Message) =>
    api.inbox
      .cancelMessage({ params: { id: message.id } })
      .then(cancelled => placeMessage(client, org, address, cancelled), refused)
  const retryMedia = (message: Message) => {
    const id = message.media?.url.split('/').pop()
    if (id) api.media.retryMedia({ params: { id } }).catch(refused)
  }
  const quoted = replyTo && {
    id: replyTo.id,
    wamid: replyTo.wamid,
    type: replyTo.type,
    text: replyTo.text,
    direction: sideOf(replyTo),
  }
  const reply = (message: Message) => {
    setIsNote(false)
    setReplyTo(message)
  }
  const send = (text: string) => {
    const clientKey = crypto.randomUUID()
    const written = { clientKey, phone: address, text, at: new Date(now).toISOString(), replyTo: quoted }
    sendText(scope, written, isUndoSendOn())
    setReplyTo(null)
    if (around) toNewest()
  }
  /** What could still be taken back stands where it was written. */
  const discard = ({ id, media, error }: Message) => {
    if (media) return files?.discard(id)
    if (error?.code !== heldCode) return discardText(scope, id)
    const undone = undoText(scope, id)
    if (undone) setUndone({ text: undone.text, key: id })
  }
  const sendFiles = (chosen: readonly ChosenFile[]) => {
    files?.send(
      chosen.map((file, i) => ({
        ...file,
        clientKey: crypto.randomUUID(),
        phone: address,
        at: new Date(now + i).toISOString(),
        // The first one answers.
        replyTo: i === 0 ? quoted : null,
      })),
    )
    setReplyTo(null)
    if (around) toNewest()
  }
  /** Tried again after a refusal, the same words are the same note. */
  const addNote = async (text: string): Promise<boolean> => {
    if (noteKey.current.text !== text) noteKey.current = { text, key: crypto.randomUUID() }
    try {
      const { storeNote } = await loadPart(() => import('./store-note.ts'))
      const note = await storeNote(client, { org, phone: address, text }, noteKey.current.key)
      noteKey.current = { text: '', key: '' }
      placeSentMessage(client, org, address, note)
      if (around) toNewest()
      return true
    } catch (error) {
      refused(error)
      return false
    }
  }
  const drop = useFileDrop(isNote || lockedBecause || isClosed ? undefined : files => setAttached({ files }))
  const react = ({ message }: Reacting, emoji: string | null) =>
    api.inbox
      .reactToMessage({ params: { id: message.id }, body: { emoji } })
      .then(
        ({ reactions = [] }) => changeMessage(client, org, address, message.id, known => ({ ...known, reactions })),
        refused,
      )
  const why = ({ id }: Message) =>
    api.flows
      .explain({ params: { id } })
      .then(step => navigate(paths.flowRun(org, step.flowId, step.id, step.place)))
      .catch(refused)
  const sendTemplate = async (template: TemplateSend, idempotencyKey: string) => {
    const body = { type: 'template', numberTel: address, phones: [conversation.phone], isHuman: true, ...template }
    placeSentMessage(client, org, address, await api.inbox.sendMessage({ body }, { idempotencyKey }))
  }
  const sendKind = async (kind: KindBody, idempotencyKey: string) => {
    const body = { ...kind, numberTel: address, isHuman: true, ...(replyTo ? { replyToMessageId: replyTo.id } : {}) }
    placeSentMessage(client, org, address, await api.inbox.sendMessage({ body }, { idempotencyKey }))
    setReplyTo(null)
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape from anything in it; each step has a button, too */}
      <section className="thread" onKeyDown={leaveOnEscape} {...drop.handlers}>
        <ThreadHead
          org={org}
          conversation={conversation}
          canReply={canReply}
          canManage={roleCan(role, 'member:manage')}
          onNote={() => setIsNote(true)}
          onFlow={() => setIsStarting(true)}
          t={t}
        />
        <Messages
          key={around ? `${address} ${target}` : address}
          messages={messages}
          name={conversation.name}
          hasOlder={around ? around.hasOlder : query.hasNextPage}
          loadingOlder={around ? around.isLoadingOlder : query.isFetchingNextPage}
          olderFailed={around ? around.olderFailed : query.isFetchNextPageError}
          target={around && target}
          isWhole={isWhole}
          hasNewer={around?.hasNewer ?? false}
          loadingNewer={around?.isLoadingNewer ?? false}
          newerFailed={around?.newerFailed ?? false}
          onNewer={() => around?.loadNewer()}
          onNewest={around && toNewest}
          now={now}
          timeZone={timeZone}
          language={i18n.language as Language}
          t={t}
          onOlder={() => (around ? around.loadOlder() : void query.fetchNextPage())}
          onReply={lockedBecause ? undefined : reply}
          onReact={lockedBecause || isClosed ? undefined : setReacting}
          onForward={canReply ? setForwarded : undefined}
          onWhy={why}
          onInfo={setInformed}
          onDate={setJumpFrom}
          onQuoted={toQuoted}
          unread={unread}
          onRetry={canReply ? retry : undefined}
          onCancel={canReply ? cancel : undefined}
          onDiscard={discard}
          onRetryMedia={canReply ? retryMedia : undefined}
          onView={setViewed}
          onNote={canReply ? setChangedNote : undefined}
        />
        <ScheduledLine conversation={conversation} />
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
          onCancelReply={() => setReplyTo(null)}
          onSend={send}
          onFiles={(files, caption) => setAttached({ files, caption })}
          onVoice={file => sendFiles([{ file, kind: 'voice', caption: '' }])}
          onTemplate={() => setIsChoosing(true)}
          onFlow={() => setIsStarting(true)}
          isNote={isNote}
          canNote={canReply}
          onMode={setIsNote}
          onNote={addNote}
          onKind={sendKind}
          onTyping={() => {
            // A courtesy: whoever does not see "typing…" loses nothing.
            api.inbox.showTyping({ params: { phone: address } }).catch(() => undefined)
          }}
        />
        {drop.isOver ? <div className="thread-drop">{t('files.drop')}</div> : null}
      </section>
      {/* Beside it: what is pressed in a dialog would pass through the section. */}
      {reacting ? (
        <ReactionPicker
          message={reacting.message}
          anchor={reacting.anchor}
          onPick={emoji => void react(reacting, emoji)}
          onClose={() => setReacting(undefined)}
        />
      ) : null}
      {attached ? (
        <FilesDialog
          name={conversation.name}
          files={attached.files}
          caption={attached.caption}
          onSend={sendFiles}
          onClose={() => setAttached(undefined)}
        />
      ) : null}
      {changedNote ? (
        <NoteDialog
          org={org}
          phone={address}
          note={changedNote}
          onChanged={note => placeMessage(client, org, address, note)}
          onClose={() => setChangedNote(undefined)}
        />
      ) : null}
      {informed ? (
        <MessageInfoDialog org={org} message={informed} timeZone={timeZone} onClose={() => setInformed(undefined)} />
      ) : null}
      {forwarded ? <ForwardDialog org={org} message={forwarded} onClose={() => setForwarded(undefined)} /> : null}
      {jumpFrom ? (
        <DateDialog org={org} phone={address} from={jumpFrom} onClose={() => setJumpFrom(undefined)} />
      ) : null}
      {viewed ? <MediaViewer messages={messages} start={viewed.id} onClose={() => setViewed(undefined)} /> : null}
      {isStarting ? (
        <StartFlowDialog org={org} phone={address} name={conversation.name} onClose={() => setIsStarting(false)} />
      ) : null}
      {isChoosing ? (
        <SendTemplateDialog name={conversation.name} onSend={sendTemplate} onClose={() => setIsChoosing(false)} />
      ) : null}
    </>
  )
}

/**
 * One conversation: its messages and the place to answer. Another chat is another boundary: it shows at once that it is
 * being opened, and nobody writes to one while the address says another. The same chat under another address is none.
 */
export const Thread = (props: ThreadProps) => {
  const { t } = useTranslation('inbox')
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
  const { t } = useTranslation('inbox')
  return (
    <section className="thread">
      <Empty icon="chat" says={t('thread.none')} />
    </section>
  )
}
