import { type EmojiData, EmojiPicker, useSkinTone } from 'frimousse'
import { type KeyboardEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { isComposing } from './composing.ts'
import { firstFound } from './emoji-found.ts'

interface EmojiSearchProps {
  /** Undefined: still loading. */
  readonly data: EmojiData | undefined
  /** Returns the element that scrolls the list. */
  findViewport(): HTMLElement | null
  onPick(emoji: string): void
}

const focusOnce = (field: HTMLInputElement | null) => field?.focus()

/** The name of the first emoji of the list. Its hidden measures have cells, too. */
const firstShown = (viewport: HTMLElement | null) =>
  viewport?.querySelector('[role="gridcell"]:not([aria-hidden] *)')?.getAttribute('aria-label')

/**
 * The field that searches emojis. The list is filtered only when the browser is idle; Enter pressed before that takes
 * what the list will show first, never an emoji of the list before.
 */
export function EmojiSearch({ data, findViewport, onPick }: EmojiSearchProps) {
  const { t } = useTranslation()
  const [tone] = useSkinTone()
  /** Nothing was chosen with the arrow keys since. */
  const wasTyped = useRef(false)
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key.startsWith('Arrow')) wasTyped.current = false
    if (event.key !== 'Enter' || !wasTyped.current || isComposing(event.nativeEvent)) return
    const first = data && firstFound(data, event.currentTarget.value)
    if (first && first.label === firstShown(findViewport())) return
    event.preventDefault()
    if (first) onPick((tone !== 'none' && first.skins?.[tone]) || first.emoji)
  }
  return (
    <EmojiPicker.Search
      ref={focusOnce}
      aria-label={t('emoji.search')}
      placeholder={t('emoji.search')}
      maxLength={60}
      onChange={({ target }) => {
        wasTyped.current = target.value.trim() !== ''
      }}
      onKeyDown={press}
    />
  )
}
