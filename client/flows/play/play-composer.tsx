import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { textMaxChars } from '#shared/kernel/limits.ts'
import type { Play } from './use-play.ts'

/** The field for the customer's next message. */
export function PlayComposer({ play, isOver }: { readonly play: Play; readonly isOver: boolean }) {
  const { t } = useTranslation('flows')
  const id = useId()
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const isStill = play.isFull || isOver
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!text.trim() || play.isWorking || isStill) return
    play.say({ kind: 'text', text })
    setText('')
  }
  return (
    <form className="flow-play-composer line" onSubmit={send}>
      <label className="sr-only" htmlFor={id}>
        {t('play.write')}
      </label>
      <input
        id={id}
        ref={field}
        value={text}
        placeholder={t('play.write')}
        maxLength={textMaxChars}
        autoComplete="off"
        disabled={isStill}
        onChange={({ target }) => setText(target.value)}
      />
      <button
        type="button"
        className="icon-button"
        disabled={isStill || play.isWorking}
        aria-label={t('play.sendFile')}
        data-tip={t('play.sendFile')}
        onClick={() => play.say({ kind: 'file' })}
      >
        <Icon name="clip" />
      </button>
      <button
        type="submit"
        className="icon-button"
        disabled={isStill}
        aria-label={t('play.send')}
        data-tip={t('play.send')}
      >
        <Icon name="send" />
      </button>
    </form>
  )
}
