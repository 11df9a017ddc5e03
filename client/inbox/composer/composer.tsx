import { type FormEvent, memo, useCallback, useRef } from 'react'
import { useViewer } from '#client/shell/viewer.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { signed } from '#shared/auth/profile.ts'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { noteMaxChars, textMaxChars, windowSafetyMs } from '#shared/kernel/limits.ts'
import { isSeen } from '#shared/kernel/plain-name.ts'
import type { KindBody } from '../kinds/composed.ts'
import { type InboxT, messagePreview } from '../words.ts'
import { ComposerBar } from './composer-bar.tsx'
import { ComposerDialogs } from './composer-dialogs.tsx'
import { pressComposerKey, takePastedFiles } from './composer-keys.ts'
import { ComposerLocked } from './composer-locked.tsx'
import { Modes } from './composer-parts.tsx'
import { noteDraft } from './drafts/drafts.ts'
import { outgoingScope } from './outgoing.ts'
import { useComposerFocus } from './use-composer-focus.ts'
import { type Undone, useComposerSending } from './use-composer-sending.ts'
import { useComposerText } from './use-composer-text.ts'
import { useOpenParts } from './use-open-parts.ts'

const Mentions = lazyDialog(() => import('./notes/mentions.tsx'))
const VoiceRecorder = lazyDialog(() => import('../voice/recorder.tsx'))
const AnswerPicker = lazyDialog(() => import('#client/ready-answers/picker.tsx'))

/** A slash may begin a ready answer's shortcut; the mark is a gap to fill in. */
const mayHaveAnswer = /(^|\s)\/|⟦/

interface ComposerProps {
  slug: string
  conversation: Conversation
  /** Why nothing can be sent, if the role or the connection is the reason. */
  lockedBecause: string | null
  /** Name of our number, if there are several. */
  writesAs: string | undefined
  replyTo: Message | null
  /** Put back into the field, before newer text. */
  undone: Undone | undefined
  /** Changes each time the chat is opened; then the field is focused, on devices with a keyboard. */
  openedBy: string | undefined
  now: number
  timeZone: string
  t: InboxT
  onCancelReply: () => void
  onSend: (text: string) => void
  /** Files were chosen or pasted. */
  onFiles: (files: readonly File[], caption?: string) => void
  /** A voice note was recorded. */
  onVoice: (file: File) => void
  /** Opens the choice of templates, which need no open window. */
  onTemplate: () => void
  /** Opens the choice of flows to begin here. */
  onFlow: () => void
  onTyping: () => void
  /** Sends a location, a contact card, or a message with buttons. @throws when it is refused */
  onKind: (body: KindBody, key: string) => Promise<void>
  /** The text is an internal note. */
  isNote: boolean
  /** True if this person may write notes, also when nothing can be sent. */
  canNote: boolean
  onMode: (isNote: boolean) => void
  /** Resolves when it is stored. False: refused; the error was shown and the text stays. */
  onNote: (text: string) => Promise<boolean>
}

/** Why no message can be sent; null: it can. */
const lockOf = ({ lockedBecause, conversation: { windowClosesAt }, now, t }: ComposerProps): string | null => {
  const closesAt = windowClosesAt ? Date.parse(windowClosesAt) : 0
  const isClosed = closesAt - windowSafetyMs <= now
  return lockedBecause ?? (isClosed ? t(windowClosesAt ? 'window.closed' : 'window.never') : null)
}

/** The message that is answered, above the field. */
const Quote = ({ message, onCancel, t }: { message: Message; onCancel: () => void; t: InboxT }) => (
  <div className="composer-reply">
    <Icon name="reply" />
    <span className="cut" dir="auto">
      {messagePreview(t, message)}
    </span>
    <button type="button" className="icon-button" aria-label={t('composer.cancelReply')} onClick={onCancel}>
      <Icon name="close" />
    </button>
  </div>
)

/** The message field. Enter sends, Shift+Enter breaks the line. The text is kept until it is sent. */
export const Composer = memo((props: ComposerProps) => {
  const { slug, conversation, lockedBecause, writesAs, replyTo, now, timeZone, t } = props
  const { onCancelReply, onFiles, isNote, canNote, onMode } = props
  const address = addressOfConversation(conversation)
  const draftKey = isNote ? noteDraft(address) : address
  const { id: userId, signature } = useViewer().user
  const scope = outgoingScope(slug, userId)
  const field = useRef<HTMLTextAreaElement>(null)
  const open = useOpenParts(field, { ...props, draftKey })
  const { isAnswering, isRecording } = open
  useComposerFocus(field, { ...props, isRecording })

  const reason = isNote ? null : lockOf(props)
  const maxChars = isNote ? noteMaxChars : textMaxChars - signed('', signature).length
  const isThere = !reason && (isNote || !isRecording)
  const factsOf = useCallback(
    (text: string) => ({
      isEmpty: text === '',
      canLeave: isSeen(text),
      over: Math.max(0, text.length - maxChars),
      text: !isThere || (!isNote && (isAnswering || mayHaveAnswer.test(text))) ? text : undefined,
    }),
    [maxChars, isThere, isNote, isAnswering],
  )
  const { facts, read, write } = useComposerText(scope, draftKey, field, { isThere, factsOf })
  const sending = useComposerSending({ ...props, scope, draftKey, field, read, write, reason, maxChars, signature })
  const { change, send, isSaving } = sending

  if (reason)
    return (
      <ComposerLocked
        conversation={conversation}
        reason={reason}
        isBarred={lockedBecause !== null}
        text={facts.text ?? read()}
        canNote={canNote}
        now={now}
        timeZone={timeZone}
        t={t}
        onTemplate={props.onTemplate}
        onNote={() => onMode(true)}
      />
    )
  if (isRecording && !isNote) return <VoiceRecorder onSend={props.onVoice} onClose={open.closeRecorder} />
  return (
    <>
      <form
        className={isNote ? 'composer composer-note' : 'composer'}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          send()
        }}
      >
        <div className="composer-box">
          {canNote ? (
            <Modes isNote={isNote} onMode={onMode} conversation={conversation} now={now} timeZone={timeZone} t={t} />
          ) : null}
          {isNote ? (
            <Mentions org={slug} phone={address} field={field} onChange={change} onClose={() => undefined} />
          ) : facts.text !== undefined ? (
            <AnswerPicker
              conversation={conversation}
              field={field}
              text={facts.text}
              isAsked={isAnswering}
              onChange={change}
              onFile={(file, caption) => onFiles([file], caption)}
              onClose={open.closeAnswers}
            />
          ) : null}
          {replyTo && !isNote ? <Quote message={replyTo} onCancel={onCancelReply} t={t} /> : null}
          <textarea
            ref={field}
            rows={1}
            dir="auto"
            enterKeyHint="send"
            placeholder={t(isNote ? 'note.placeholder' : 'composer.placeholder')}
            aria-label={isNote ? t('note.label') : t('composer.label', { name: conversation.name })}
            onInput={event => change(event.currentTarget.value)}
            onKeyDown={event => pressComposerKey(event, { isNote, canNote, onMode, change, send })}
            onPaste={event => {
              const files = isNote ? undefined : takePastedFiles(event)
              if (files) onFiles(files)
            }}
          />
          {signature && !facts.isEmpty && !isNote ? <p className="composer-signature">{signature}</p> : null}
          <ComposerBar
            isNote={isNote}
            canSend={facts.canLeave && facts.over === 0 && !isSaving}
            over={facts.over}
            writesAs={writesAs}
            tools={open.tools}
            t={t}
          />
        </div>
      </form>
      <ComposerDialogs
        open={open}
        conversation={conversation}
        field={field}
        signature={signature}
        read={read}
        change={change}
        onKind={props.onKind}
      />
    </>
  )
})
