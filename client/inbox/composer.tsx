import { type FormEvent, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type KindBody, type MessageKind, messageKinds } from '#client/message-kinds/kinds.ts'
import { typedShortcut } from '#client/ready-answers/typed-shortcut.ts'
import { useViewer } from '#client/shell/viewer.ts'
import { Icon, type IconName } from '#client/ui/icon.tsx'
import { lazyDialog } from '#client/ui/lazy-dialog.tsx'
import { Menu, MenuItem } from '#client/ui/menu.tsx'
import { addressOfConversation } from '#shared/chat-address.ts'
import type { Conversation, Message } from '#shared/inbox.ts'
import { noteMaxChars, textMaxChars, windowSafetyMs } from '#shared/limits.ts'
import { signed } from '#shared/profile.ts'
import { FreeWord, fit, KeptDraft, Modes, Tool, useIsomorphicLayoutEffect, WindowLine } from './composer-parts.tsx'
import { ConnectionLink } from './connection-link.tsx'
import { noteDraft, readDraft, useDrafts, writeDraft } from './drafts.ts'
import { FileInput } from './file-input.tsx'
import { openNextUnread } from './next-unread.ts'
import { outgoingScope } from './outgoing.ts'
import { type InboxT, previewOf } from './words.ts'

const Mentions = lazyDialog(() => import('./mentions.tsx'))

const EmojiPopover = lazyDialog(() => import('./emoji-popover.tsx'))
const KindDialog = lazyDialog(() => import('#client/message-kinds/dialog.tsx'))
const ScheduleDialog = lazyDialog(() => import('#client/scheduled-messages/schedule-dialog.tsx'))
const VoiceRecorder = lazyDialog(() => import('#client/voice/recorder.tsx'))
const AnswerPicker = lazyDialog(() => import('#client/ready-answers/picker.tsx'))

/** What begins with a bar may name a ready answer; what is marked in one is yet to be filled in. */
const mayHaveAnswer = /(^|\s)\/|⟦/

/** Keys, with Ctrl, of what WhatsApp sets apart. */
const marks: Readonly<Record<string, string>> = { b: '*', i: '_' }

const kindIcons: Readonly<Record<MessageKind, IconName>> = {
  location: 'pin',
  contact: 'card',
  buttons: 'reply',
  list: 'choice',
  action: 'flow',
}

const typingEveryMs = 20_000
/** What was sent and taken back. `key`: which it was. */
export interface Undone {
  readonly text: string
  readonly key: string
}

export interface ComposerProps {
  slug: string
  conversation: Conversation
  /** Why nothing can be sent, when the role or the connection is the reason. */
  lockedBecause: string | null
  /** What our number is called by which it goes out, where there are several. */
  writesAs: string | undefined
  replyTo: Message | null
  /** It stands here again, before what has been written since. */
  undone: Undone | undefined
  /** Names how the chat was opened here: ready to be typed in, each time anew, where there is a keyboard. */
  openedBy: string | undefined
  now: number
  timeZone: string
  t: InboxT
  onCancelReply: () => void
  onSend: (text: string) => void
  /** Files that were chosen, or pasted. */
  onFiles: (files: readonly File[], caption?: string) => void
  /** A voice note that was recorded. */
  onVoice: (file: File) => void
  /** Chooses a template, which needs no open window. */
  onTemplate: () => void
  /** Chooses a flow that begins here. */
  onFlow: () => void
  onTyping: () => void
  /** Sends a place, a card, or a question with its answers. @throws what it is refused for */
  onKind: (body: KindBody, key: string) => Promise<void>
  /** What is written is a note for the team. */
  isNote: boolean
  /** Whether this person may write one; then also where nothing can be sent. */
  canNote: boolean
  onMode: (isNote: boolean) => void
  /** Resolves once it is stored; refused, it has been said and the text stays. */
  onNote: (text: string) => Promise<boolean>
}

/** Where a finger writes, the focus would open a keyboard over what was to be read. */
const hasKeyboard = () => matchMedia('(hover: hover) and (pointer: fine)').matches
/** Somebody types in the search, or has a menu open. */
const isBusyElsewhere = () => !document.activeElement?.matches('body, a')

/** Where an answer is written. Enter sends, Shift+Enter breaks the line; the text survives everything but sending. */
export const Composer = (props: ComposerProps) => {
  const {
    slug,
    conversation,
    lockedBecause,
    writesAs,
    replyTo,
    undone,
    openedBy,
    now,
    timeZone,
    t,
    onCancelReply,
    onSend,
    onFiles,
    onVoice,
    onTemplate,
    onFlow,
    onTyping,
    onKind,
    isNote,
    canNote,
    onMode,
    onNote,
  } = props
  const address = addressOfConversation(conversation)
  const phone = isNote ? noteDraft(address) : address
  const { id: userId, signature } = useViewer().user
  const scope = outgoingScope(slug, userId)
  const kept = useDrafts(scope)[phone]
  const [text, setText] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  const lastTyping = useRef(0)
  const drawnFor = useRef<string>(undefined)
  const [isSaving, setIsSaving] = useState(false)
  const [isScheduling, setIsScheduling] = useState(false)
  const [isRecording, setIsRecording] = useState(false)
  const wasRecording = useRef(false)
  const [kind, setKind] = useState<MessageKind>()
  const [emojisAt, setEmojisAt] = useState<HTMLElement>()

  useIsomorphicLayoutEffect(() => {
    const draft = readDraft(scope, phone)
    // Typed before the page came alive, when the draft could not be seen yet; later it is another draft's.
    const early = drawnFor.current === undefined ? (field.current?.value ?? '') : ''
    if (drawnFor.current !== undefined) field.current?.focus()
    drawnFor.current = phone
    const kept = draft.endsWith(early) ? draft : [draft, early].filter(Boolean).join('\n')
    if (kept !== draft) writeDraft(scope, phone, kept)
    setText(kept)
  }, [scope, phone])
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked whenever what is kept changes
  useEffect(() => {
    // Written in another tab or on another device, or taken over from a colleague.
    const now = readDraft(scope, phone)
    if (drawnFor.current === phone) setText(before => (before.trim() === now.trim() ? before : now))
  }, [kept, scope, phone])
  useIsomorphicLayoutEffect(() => {
    if (field.current) fit(field.current)
  }, [text, isRecording])
  useEffect(() => {
    if (wasRecording.current && !isRecording && hasKeyboard()) field.current?.focus()
    wasRecording.current = isRecording
  }, [isRecording])
  useEffect(() => {
    if (replyTo) field.current?.focus()
  }, [replyTo])
  useEffect(() => {
    if (openedBy && hasKeyboard() && !isBusyElsewhere()) field.current?.focus({ preventScroll: true })
  }, [openedBy])

  const closesAt = conversation.windowClosesAt ? Date.parse(conversation.windowClosesAt) : 0
  const closed = closesAt - windowSafetyMs <= now
  const locked = lockedBecause ?? (closed ? t(conversation.windowClosesAt ? 'window.closed' : 'window.never') : null)
  const reason = isNote ? null : locked
  const maxChars = isNote ? noteMaxChars : textMaxChars - signed('', signature).length

  const change = (value: string) => {
    setText(value)
    writeDraft(scope, phone, value)
    if (!isNote && value.trim() && Date.now() - lastTyping.current > typingEveryMs) {
      lastTyping.current = Date.now()
      onTyping()
    }
  }
  const takeBack = useEffectEvent((sent: string) => {
    const own = signed('', signature)
    const said = own && sent.endsWith(own) ? sent.slice(0, -own.length) : sent
    change([said, text].filter(Boolean).join('\n'))
    field.current?.focus()
  })
  useEffect(() => {
    if (undone) takeBack(undone.text)
  }, [undone])
  /** Answers whether it is on its way to the customer. */
  const send = (): boolean => {
    const ready = text.trim()
    if (!ready || reason || ready.length > maxChars || isSaving) return false
    if (isNote) {
      setIsSaving(true)
      void onNote(ready).then(isStored => {
        setIsSaving(false)
        if (isStored && readDraft(scope, phone).trim() === ready) change('')
      })
      return false
    }
    onSend(signed(ready, signature))
    setText('')
    writeDraft(scope, phone, '')
    field.current?.focus()
    return true
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  /** Enter may mean one of the ready answers, which are still on their way. */
  const isAnswerComing = () => {
    const box = field.current
    if (!box || isNote || box.hasAttribute('aria-autocomplete')) return false
    return typedShortcut(box.value, box.selectionStart) !== undefined
  }
  const beginAnswer = () => {
    const box = field.current
    if (!box) return
    const isWord = /\S$/.test(box.value.slice(0, box.selectionStart))
    box.setRangeText(isWord ? ' /' : '/', box.selectionStart, box.selectionEnd, 'end')
    change(box.value)
    box.focus()
  }
  const insert = (emoji: string) => {
    const box = field.current
    if (!box) return
    box.setRangeText(emoji, box.selectionStart, box.selectionEnd, 'end')
    change(box.value)
    // What closes gives the focus back to its button first.
    requestAnimationFrame(() => box.focus())
  }
  /** Between two of WhatsApp's signs; what was chosen stays so. */
  const setApart = (mark: string) => {
    const box = field.current
    if (!box) return
    const { selectionStart: from, selectionEnd: to } = box
    box.setRangeText(mark + box.value.slice(from, to) + mark, from, to)
    box.setSelectionRange(from + 1, to + 1)
    change(box.value)
  }
  const key = (event: KeyboardEvent) => {
    if (canNote && event.key === '.' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      return onMode(!isNote)
    }
    const mark = marks[event.key]
    if (mark && !isNote && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
      event.preventDefault()
      return setApart(mark)
    }
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault()
      if (isAnswerComing()) return
      if (send() && (event.ctrlKey || event.metaKey)) openNextUnread()
    }
  }

  const over = text.length - maxChars
  if (reason)
    return (
      <div className="composer">
        <div className="composer-box composer-locked" role="note">
          <Icon name="lock" />
          <span>
            {reason} <FreeWord conversation={conversation} now={now} timeZone={timeZone} t={t} />
          </span>
          {lockedBecause ? (
            conversation.phone ? (
              <ConnectionLink />
            ) : null
          ) : (
            <button type="button" className="button button-primary" onClick={onTemplate}>
              <Icon name="form" />
              {t('composer.template')}
            </button>
          )}
          {text ? <KeptDraft text={text} t={t} /> : null}
          {canNote ? (
            <button type="button" className="button" onClick={() => onMode(true)}>
              <Icon name="lock" />
              {t('note.mode')}
            </button>
          ) : null}
        </div>
      </div>
    )
  if (isRecording && !isNote) return <VoiceRecorder onSend={onVoice} onClose={() => setIsRecording(false)} />
  return (
    <>
      <form className={isNote ? 'composer composer-note' : 'composer'} onSubmit={submit}>
        <div className="composer-box">
          {canNote ? (
            <Modes isNote={isNote} onMode={onMode} t={t}>
              <WindowLine conversation={conversation} now={now} timeZone={timeZone} t={t} />
            </Modes>
          ) : null}
          {isNote ? (
            <Mentions org={slug} phone={address} field={field} onChange={change} onClose={() => undefined} />
          ) : mayHaveAnswer.test(text) ? (
            <AnswerPicker
              conversation={conversation}
              field={field}
              text={text}
              onChange={change}
              onFile={(file, caption) => onFiles([file], caption)}
              onClose={() => undefined}
            />
          ) : null}
          {replyTo && !isNote ? (
            <div className="composer-reply">
              <Icon name="reply" />
              <span className="cut">{previewOf(t, replyTo)}</span>
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
            enterKeyHint="send"
            value={text}
            placeholder={t(isNote ? 'note.placeholder' : 'composer.placeholder')}
            aria-label={isNote ? t('note.label') : t('composer.label', { name: conversation.name })}
            onChange={event => change(event.target.value)}
            onKeyDown={key}
            onPaste={event => {
              if (isNote) return
              const files = [...event.clipboardData.files]
              // A table copied from a spreadsheet brings a picture of itself along: its words are what is meant.
              if (!files.length || event.clipboardData.types.includes('text/plain')) return
              event.preventDefault()
              onFiles(files)
            }}
          />
          {signature && text && !isNote ? <p className="composer-signature">{signature}</p> : null}
          <div className="composer-bar">
            <Tool
              label={t('composer.emoji')}
              icon="smile"
              isRoomy
              onClick={event => setEmojisAt(event.currentTarget)}
            />
            {isNote ? null : (
              <>
                <FileInput label={t('files.attach')} icon="clip" onFiles={onFiles} />
                <Tool label={t('composer.template')} icon="form" onClick={onTemplate} />
                <Tool label={t('answers.title')} icon="slash" onClick={beginAnswer} />
                <Tool label={t('scheduled.label')} icon="calendar" onClick={() => setIsScheduling(true)} />
                <Menu
                  label={t('kinds.label')}
                  tip={t('kinds.label')}
                  className="icon-button"
                  side="above-end"
                  button={
                    <>
                      <Icon name="plus" />
                      <span className="sr-only">{t('kinds.label')}</span>
                    </>
                  }
                >
                  {() =>
                    messageKinds.map(name => (
                      <MenuItem key={name} onClick={() => setKind(name)}>
                        <Icon name={kindIcons[name]} />
                        {t(`kinds.${name}`)}
                      </MenuItem>
                    ))
                  }
                </Menu>
                <Tool label={t('voice.record')} icon="mic" onClick={() => setIsRecording(true)} />
                <Tool label={t('startFlow.label')} icon="flow" isRoomy onClick={onFlow} />
                {writesAs === undefined ? null : (
                  <span className="composer-number cut">{t('composer.writesAs', { number: writesAs })}</span>
                )}
              </>
            )}
            {over > 0 ? (
              <span className="composer-over" role="alert">
                {t('composer.tooLong', { count: over })}
              </span>
            ) : null}
            <button type="submit" className="button button-primary" disabled={!text.trim() || over > 0 || isSaving}>
              <Icon name={isNote ? 'lock' : 'send'} />
              {t(isNote ? 'note.save' : 'composer.send')}
            </button>
          </div>
        </div>
      </form>
      {/* Beside it: what is pressed in a dialog would pass through the form. */}
      {emojisAt ? <EmojiPopover anchor={emojisAt} onPick={insert} onClose={() => setEmojisAt(undefined)} /> : null}
      {kind ? (
        <KindDialog
          kind={kind}
          text={text}
          send={onKind}
          onSent={usedText => usedText && change('')}
          onClose={() => setKind(undefined)}
        />
      ) : null}
      {isScheduling ? (
        <ScheduleDialog
          conversation={conversation}
          text={text.trim() && signed(text.trim(), signature)}
          onScheduled={() => change('')}
          onClose={() => setIsScheduling(false)}
        />
      ) : null}
    </>
  )
}
