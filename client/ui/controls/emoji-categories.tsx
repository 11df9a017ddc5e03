import type { EmojiData } from 'frimousse'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'

/** One emoji stands for its category, by the category's index in Emojibase. */
const signs: Readonly<Record<number, string>> = {
  0: '😀',
  1: '👋',
  3: '🐻',
  4: '🍔',
  5: '🚗',
  6: '⚽',
  7: '💡',
  8: '❤️',
  9: '🚩',
}

/** The list's categories in their order. Rows of emojis are rendered only near the visible part, categories always. */
const partsOf = (viewport: HTMLElement) => [
  ...viewport.querySelectorAll<HTMLElement>('[frimousse-category]:not([aria-hidden] *)'),
]

/** The place of the category at the top of the visible part. */
export const categoryAt = (viewport: HTMLElement): number =>
  Math.max(
    0,
    partsOf(viewport).findLastIndex(({ offsetTop }) => offsetTop <= viewport.scrollTop + 1),
  )

/** Arrow keys move among the buttons, which are one stop for Tab. */
const walk = (event: KeyboardEvent<HTMLElement>) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (!step) return
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const next = buttons[buttons.indexOf(document.activeElement as HTMLButtonElement) + step]
  event.preventDefault()
  next?.focus()
  next?.click()
}

interface CategoriesProps {
  readonly categories: EmojiData['categories']
  readonly current: number
  /** The list that they scroll. */
  findViewport(): HTMLElement | null
}

/** A bar that scrolls the list to a category. */
export const EmojiCategories = ({ categories, current, findViewport }: CategoriesProps) => {
  const { t } = useTranslation()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no bar of buttons
    <div className="emoji-bar line" role="group" aria-label={t('emoji.categories')} onKeyDown={walk}>
      {categories.map(({ index, label }, place) => (
        <button
          key={index}
          type="button"
          aria-label={label}
          title={label}
          aria-current={place === current}
          tabIndex={place === current ? 0 : -1}
          onClick={() => {
            const viewport = findViewport()
            if (viewport) viewport.scrollTop = partsOf(viewport)[place]?.offsetTop ?? 0
          }}
        >
          {signs[index]}
        </button>
      ))}
    </div>
  )
}
