import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  memo,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { ComposedKind, KindBody } from '#client/inbox/kinds/composed.ts'
import { openNextUnread } from '#client/inbox/list/next-unread.ts'
import { type InboxT, previewOf } from '#client/inbox/words.ts'
import { endsInShortcut, typedShortcut } from '#client/ready-answers/typed-shortcut.ts'
import { useViewer } from '#client/shell/viewer.ts'
import { isComposing } from '#client/ui/controls/composing.ts'
import { putIn, setApart } from '#client/ui/controls/field-edits.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { useSteady } from '#client/ui/page/steady.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { signed } from '#shared/auth/profile.ts'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { noteMaxChars, textMaxChars, windowSafetyMs } from '#shared/kernel/limits.ts'
import { isSeen } from '#shared/kernel/plain-name.ts'
import { ComposerBar, type ComposerTools } from './composer-bar.tsx'
import { focusComposerFirst, hasKeyboard } from './composer-focus.ts'
import { ComposerLocked } from './composer-locked.tsx'
import { Modes } from './composer-parts.tsx'
import { noteDraft, readDraft } from './drafts.ts'
import { outgoingScope } from './outgoing.ts'
import { useComposerText } from './use-composer-text.ts'

const Mentions = lazyDialog(() => import('./mentions.tsx'))
const EmojiPopover = lazyDialog(() => import('./emoji-popover.tsx'))
const KindDialog = lazyDialog(() => import('#client/inbox/kinds/compose-dialog.tsx'))
const ScheduleDialog = lazyDialog(() => import('#client/scheduled-messages/schedule-dialog.tsx'))
const VoiceRecorder = lazyDialog(() => import('#client/inbox/voice/recorder.tsx'))
const AnswerPicker = lazyDialog(() => import('#client/ready-answers/picker.tsx'))

/** A slash may begin a ready answer's shortcut; the mark is a gap to fill in. */
const mayHaveAnswer = /(^|\s)\/|⟦/

/** WhatsApp's formatting characters by key, with Ctrl. */
const marks: Readonly<Record<string, string>> = { b: '*', i: '_' }

const typingEveryMs = 20_000
/** A message whose sending was undone. `key`: its id. */
export interface Undone {
  readonly text: string
  readonly key: string
}

export interface ComposerProps {
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
  /** Whether this person may write notes, also when nothing can be sent. */
  canNote: boolean
  onMode: (isNote: boolean) => void
  /** Resolves when it is stored. False: refused; the error was shown and the text stays. */
  onNote: (text: string) => Promise<boolean>
}

/** Whether the person types in the search, or has a menu open. */
const isBusyElsewhere = () => !document.activeElement?.matches('body, a')

/** The message field. Enter sends, Shift+Enter breaks the line. The text is kept until it is sent. */
export const Composer = memo((props: ComposerProps) => {
  const { slug, conversation, lockedBecause, writesAs, replyTo, undone, openedBy, now, timeZone, t } = props
  const { onCancelReply, onSend, onFiles, onTyping, onKind, isNote, canNote, onMode, onNote } = props
  const address = addressOfConversation(conversation)
  const phone = isNote ? noteDraft(address) : address
  const { id: userId, signature } = useViewer().user
  const scope = outgoingScope(slug, userId)
  const field = useRef<HTMLTextAreaElement>(null)
  const lastTyping = useRef(0)
  const [isSaving, setIsSaving] = useState(false)
  /** The chat whose list of ready answers the button opened. */
  const [answersOf, setAnswersOf] = useState<string>()
  const isAnswering = answersOf === phone
  const [isScheduling, setIsScheduling] = useState(false)
  const [isRecording, setIsRecording] = useState(false)
  const wasRecording = useRef(false)
  const [kind, setKind] = useState<ComposedKind>()
  const [emojisAt, setEmojisAt] = useState<HTMLElement>()

  useEffect(() => {
    if (wasRecording.current && !isRecording && hasKeyboard()) field.current?.focus()
    wasRecording.current = isRecording
  }, [isRecording])
  const quotedBefore = useRef(replyTo?.id)
  useEffect(() => {
    if (replyTo && replyTo.id !== quotedBefore.current) field.current?.focus()
    quotedBefore.current = replyTo?.id
  }, [replyTo])
  // Before the field is painted, so that no key pressed at its sight goes elsewhere.
  useLayoutEffect(() => {
    if (openedBy && hasKeyboard() && !isBusyElsewhere()) field.current?.focus({ preventScroll: true })
  }, [openedBy])

  const closesAt = conversation.windowClosesAt ? Date.parse(conversation.windowClosesAt) : 0
  const closed = closesAt - windowSafetyMs <= now
  const locked = lockedBecause ?? (closed ? t(conversation.windowClosesAt ? 'window.closed' : 'window.never') : null)
  const reason = isNote ? null : locked
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
  const { facts, read, write } = useComposerText(scope, phone, field, { isThere, factsOf })

  const change = (value: string) => {
    write(value)
    if (!isNote && value.trim() && Date.now() - lastTyping.current > typingEveryMs) {
      lastTyping.current = Date.now()
      onTyping()
    }
  }
  const takeBack = useEffectEvent((sent: string) => {
    const own = signed('', signature)
    const said = own && sent.endsWith(own) ? sent.slice(0, -own.length) : sent
    change([said, read()].filter(Boolean).join('\n'))
    field.current?.focus()
  })
  useEffect(() => {
    if (undone) takeBack(undone.text)
  }, [undone])
  /** Returns whether it is being sent. */
  const send = (): boolean => {
    const ready = read().trim()
    if (!isSeen(ready) || reason || ready.length > maxChars || isSaving) return false
    // A shortcut that matches no ready answer is probably a typing error.
    if (!isNote && endsInShortcut(ready)) return false
    if (isNote) {
      setIsSaving(true)
      field.current?.focus()
      void onNote(ready).then(isStored => {
        setIsSaving(false)
        if (isStored && readDraft(scope, phone).trim() === ready) change('')
      })
      return false
    }
    onSend(signed(ready, signature))
    write('')
    field.current?.focus()
    return true
  }
  /** Enter may select a ready answer that is still loading. */
  const isAnswerComing = () => {
    const box = field.current
    if (!box || isNote || box.hasAttribute('aria-autocomplete')) return false
    return typedShortcut(box.value, box.selectionStart) !== undefined
  }
  /** Wraps an opener so that focus returns to the field when the opened part closes. */
  const opening =
    <Args extends unknown[]>(open: (...args: Args) => void) =>
    (...args: Args) => {
      focusComposerFirst()
      open(...args)
    }
  const tools = useSteady({
    openEmojis: opening(setEmojisAt),
    takeFiles: (files: readonly File[]) => onFiles(files),
    chooseTemplate: props.onTemplate,
    beginAnswer() {
      setAnswersOf(phone)
      field.current?.focus()
    },
    schedule: opening(() => setIsScheduling(true)),
    openKind: opening(setKind),
    record: () => setIsRecording(true),
    startFlow: props.onFlow,
  } satisfies ComposerTools)
  const insert = (emoji: string) => {
    const box = field.current
    if (!box) return
    // The popover keeps the focus until it has closed.
    requestAnimationFrame(() => setTimeout(() => change(putIn(box, emoji))))
  }
  const key = (event: KeyboardEvent) => {
    const isWithControl = event.ctrlKey || event.metaKey
    if (canNote && event.key === '.' && isWithControl) {
      event.preventDefault()
      return onMode(!isNote)
    }
    const mark = marks[event.key]
    if (mark && !isNote && isWithControl && !event.shiftKey && !event.altKey) {
      event.preventDefault()
      if (field.current) change(setApart(field.current, mark))
      return
    }
    if (event.key === 'Enter' && !event.shiftKey && !isComposing(event.nativeEvent)) {
      event.preventDefault()
      if (isAnswerComing()) return
      if (send() && isWithControl) openNextUnread()
    }
  }
  const paste = (event: ClipboardEvent) => {
    if (isNote) return
    const files = [...event.clipboardData.files]
    // A table copied from a spreadsheet includes an image of itself; the text is meant.
    if (!files.length || event.clipboardData.types.includes('text/plain')) return
    event.preventDefault()
    onFiles(files)
  }

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
  if (isRecording && !isNote) return <VoiceRecorder onSend={props.onVoice} onClose={() => setIsRecording(false)} />
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
              onClose={() => setAnswersOf(undefined)}
            />
          ) : null}
          {replyTo && !isNote ? (
            <div className="composer-reply">
              <Icon name="reply" />
              <span className="cut" dir="auto">
                {previewOf(t, replyTo)}
              </span>
              <button
                type="button"
                className="icon-button"
                aria-label={t('composer.cancelReply')}
                onClick={onCancelReply}
              >
                <Icon name="close" />
              </button>
            </div>
          ) : null}
          <textarea
            ref={field}
            rows={1}
            dir="auto"
            enterKeyHint="send"
            placeholder={t(isNote ? 'note.placeholder' : 'composer.placeholder')}
            aria-label={isNote ? t('note.label') : t('composer.label', { name: conversation.name })}
            onInput={event => change(event.currentTarget.value)}
            onKeyDown={key}
            onPaste={paste}
          />
          {signature && !facts.isEmpty && !isNote ? <p className="composer-signature">{signature}</p> : null}
          <ComposerBar
            isNote={isNote}
            canSend={facts.canLeave && facts.over === 0 && !isSaving}
            over={facts.over}
            writesAs={writesAs}
            tools={tools}
            t={t}
          />
        </div>
      </form>
      {/* Outside the form, because clicks in a dialog would bubble through it. */}
      {emojisAt ? (
        <EmojiPopover
          anchor={emojisAt.closest<HTMLElement>('.composer-box') ?? emojisAt}
          place="above-start"
          onPick={insert}
          onClose={() => setEmojisAt(undefined)}
        />
      ) : null}
      {kind ? (
        <KindDialog
          kind={kind}
          text={read()}
          send={onKind}
          onSent={usedText => usedText && change('')}
          onClose={() => setKind(undefined)}
        />
      ) : null}
      {isScheduling ? (
        <ScheduleDialog
          conversation={conversation}
          text={read().trim() && signed(read().trim(), signature)}
          onScheduled={() => change('')}
          onClose={() => setIsScheduling(false)}
        />
      ) : null}
    </>
  )
})
