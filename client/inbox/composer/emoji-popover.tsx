import { useTranslation } from 'react-i18next'
import { Emojis } from '#client/ui/controls/emoji-picker.tsx'
import { Popover } from '#client/ui/overlays/popover.tsx'

interface EmojiPopoverProps {
  readonly anchor: HTMLElement
  onPick(emoji: string): void
  onClose(): void
}

/** All emojis, above the button that opened it. Choosing one closes it. */
export default function EmojiPopover({ anchor, onPick, onClose }: EmojiPopoverProps) {
  const { t } = useTranslation()
  return (
    <Popover label={t('emoji.label')} anchor={anchor} place="above-center" className="" onClose={onClose}>
      <Emojis
        onPick={emoji => {
          onClose()
          onPick(emoji)
        }}
      />
    </Popover>
  )
}
