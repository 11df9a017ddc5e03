import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { isComposing } from '#client/ui/controls/composing.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { textMaxChars } from '#shared/kernel/limits.ts'
import type { PhoneMessage, SandboxCustomer } from '#shared/simulator/phone.ts'
import type { Act } from './act.ts'
import { AttachTray } from './attach-tray.tsx'
import { VoiceButton } from './voice-button.tsx'
import { gist, type SimulatorT } from './words.ts'

export interface Aim {
  readonly kind: 'reply' | 'edit'
  readonly message: PhoneMessage
}

interface PhoneComposerProps {
  readonly customer: SandboxCustomer
  /** The message that the next text replies to or edits. */
  readonly aim: Aim | undefined
  readonly t: SimulatorT
  readonly act: Act
  readonly onAim: (aim: Aim | undefined) => void
  readonly onPresence: (change: { online?: boolean; blocked?: boolean }) => void
}

const Locked = ({ text, button, onClick }: { text: string; button: string; onClick: () => void }) => (
  <div className="sim-composer wrap sim-locked small" role="note">
    <span>{text}</span>
    <button type="button" className="button" onClick={onClick}>
      {button}
    </button>
  </div>
)

/** The customer's text field. Enter sends, Shift+Enter inserts a line break. */
export function PhoneComposer(props: PhoneComposerProps) {
  const { customer, aim, t, act, onAim, onPresence } = props
  const [text, setText] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  // Keeps what was typed before hydration.
  useEffect(() => setText(now => now || (field.current?.value ?? '')), [])
  useEffect(() => {
    if (aim?.kind === 'edit') setText(aim.message.text)
    if (aim) field.current?.focus()
  }, [aim])
  if (customer.blocked)
    return (
      <Locked
        text={t('composer.blocked')}
        button={t('composer.unblock')}
        onClick={() => onPresence({ blocked: false })}
      />
    )
  if (!customer.online)
    return (
      <Locked
        text={t('composer.offline')}
        button={t('composer.goOnline')}
        onClick={() => onPresence({ online: true })}
      />
    )

  const over = text.length - textMaxChars
  const cancel = () => {
    if (aim?.kind === 'edit') setText('')
    onAim(undefined)
    field.current?.focus()
  }
  const send = async (event?: FormEvent) => {
    event?.preventDefault()
    const ready = text.trim()
    if (!ready || over > 0) return
    setText('')
    onAim(undefined)
    field.current?.focus()
    const target = aim?.message.wamid
    const isDone = await act({
      type: aim?.kind === 'edit' ? 'edit' : 'text',
      text: ready,
      ...(aim?.kind === 'edit' ? { targetWamid: target } : {}),
      ...(aim?.kind === 'reply' ? { replyToWamid: target } : {}),
    })
    // After a failure the text returns, unless a new one was typed meanwhile.
    if (!isDone) setText(now => now || ready)
  }
  const key = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !isComposing(event.nativeEvent)) void send(event)
    else if (event.key === 'Escape' && aim) cancel()
  }
  return (
    <form className="sim-composer wrap" onSubmit={event => void send(event)}>
      {aim ? (
        <div className="sim-aim line small">
          <span className="cut">
            {aim.kind === 'edit' ? t('composer.editing') : t('composer.replying', { text: gist(t, aim.message) })}
          </span>
          <button type="button" className="icon-button" aria-label={t('composer.cancel')} onClick={cancel}>
            <Icon name="close" />
          </button>
        </div>
      ) : null}
      {over > 0 ? (
        <p className="sim-over" role="alert">
          {t('composer.tooLong', { count: over })}
        </p>
      ) : null}
      <AttachTray
        t={t}
        act={act}
        replyTo={aim?.kind === 'reply' ? aim.message.wamid : undefined}
        onSent={() => onAim(undefined)}
      />
      <textarea
        dir="auto"
        ref={field}
        rows={1}
        enterKeyHint="send"
        value={text}
        placeholder={t('composer.placeholder')}
        aria-label={t('composer.label', { name: customer.name })}
        onChange={event => setText(event.target.value)}
        onKeyDown={key}
      />
      {text.trim() ? (
        <button type="submit" className="sim-send" aria-label={t('composer.send')} disabled={over > 0}>
          <Icon name="send" />
        </button>
      ) : (
        <VoiceButton t={t} act={act} />
      )}
    </form>
  )
}
