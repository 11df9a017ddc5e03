import { useTranslation } from 'react-i18next'
import { Emojis } from '#client/ui/controls/emoji-picker.tsx'
import { Popover } from '#client/ui/overlays/popover.tsx'

interface EmojiPopoverProps {
  readonly anchor: HTMLElement
  readonly place?: 'above-center' | 'above-start'
  onPick(emoji: string): void
  onClose(): void
}

/** All emojis, above what they are for. Choosing one closes it. */
export default function EmojiPopover({ anchor, place = 'above-center', onPick, onClose }: EmojiPopoverProps) {
  const { t } = useTranslation()
  return (
    <Popover label={t('emoji.label')} anchor={anchor} place={place} className="" onClose={onClose}>
      <Emojis
        onPick={emoji => {
          onClose()
          onPick(emoji)
        }}
      />
    </Popover>
  )
}
