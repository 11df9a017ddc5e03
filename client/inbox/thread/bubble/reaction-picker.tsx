import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { Popover } from '#client/ui/overlays/popover.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { Message } from '#shared/inbox/messages.ts'
import './reaction-picker.css'

const EmojiPopover = lazyDialog(() => import('../../composer/emoji-popover.tsx'))

/** WhatsApp's default row. */
const emojis = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const

interface ReactionPickerProps {
  readonly message: Message
  /** The element at which it opens, and to which focus returns. */
  readonly anchor: HTMLElement
  /** Null removes the reaction. */
  onPick(emoji: string | null): void
  onClose(): void
}

/** A row of emojis beside a message. The current reaction is pressed; pressing it again removes it. */
export default function ReactionPicker({ message, anchor, onPick, onClose }: ReactionPickerProps) {
  const { t } = useTranslation('inbox')
  const ours = message.reactions?.find(({ by }) => by === 'us')?.emoji
  const shown = ours && !(emojis as readonly string[]).includes(ours) ? [...emojis, ours] : emojis
  const [isWhole, setIsWhole] = useState(false)
  const pick = (emoji: string | null) => {
    onPick(emoji)
    onClose()
  }
  if (isWhole) return <EmojiPopover anchor={anchor} onPick={onPick} onClose={onClose} />
  return (
    <Popover
      label={t('reaction.choose')}
      anchor={anchor}
      place="above-center"
      className="reaction-picker"
      onClose={onClose}
    >
      {shown.map((emoji, i) => (
        <button
          key={emoji}
          type="button"
          // The popover traps the focus, starting at its first button.
          ref={i === 0 ? focusOnce : undefined}
          aria-pressed={ours === emoji}
          aria-label={ours === emoji ? t('reaction.takeBack', { emoji }) : t('reaction.with', { emoji })}
          onClick={() => pick(ours === emoji ? null : emoji)}
        >
          {emoji}
        </button>
      ))}
      <button
        type="button"
        aria-label={t('reaction.more')}
        title={t('reaction.more')}
        aria-haspopup="dialog"
        onClick={() => setIsWhole(true)}
      >
        <Icon name="plus" />
      </button>
      {ours ? (
        <button type="button" aria-label={t('reaction.takeBack', { emoji: ours })} onClick={() => pick(null)}>
          <Icon name="close" />
        </button>
      ) : null}
    </Popover>
  )
}

const focusOnce = (button: HTMLButtonElement | null) => button?.focus()
