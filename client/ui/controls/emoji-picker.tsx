import './emoji-picker.css'
import { type EmojiData, EmojiPicker } from 'frimousse'
import { type AriaAttributes, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fallbackLanguage, toLanguage } from '#shared/kernel/language.ts'
import { categoryAt, EmojiCategories } from './emoji-categories.tsx'
import { loadEmojis } from './emoji-data.ts'
import { keepRecentEmoji, recentEmojis } from './emoji-recent.ts'
import { EmojiSearch } from './emoji-search.tsx'

interface EmojisProps {
  onPick(emoji: string): void
}

/** ARIA counts rows and cells from 1, the library counts from 0. */
const fromOne = ({ 'aria-rowindex': row, 'aria-colindex': cell }: AriaAttributes): AriaAttributes => ({
  ...(row === undefined ? {} : { 'aria-rowindex': row + 1 }),
  ...(cell === undefined ? {} : { 'aria-colindex': cell + 1 }),
})

/**
 * All emojis, with those chosen last, a bar of categories, and a search by their names in the reader's language. Its
 * field has the focus; arrow keys move, Enter chooses.
 */
export const Emojis = ({ onPick }: EmojisProps) => {
  const { t, i18n } = useTranslation()
  const viewport = useRef<HTMLDivElement>(null)
  const [data, setData] = useState<EmojiData>()
  const [current, setCurrent] = useState(0)
  const [recent] = useState(recentEmojis)
  const pick = (emoji: string) => {
    keepRecentEmoji(emoji)
    onPick(emoji)
  }
  return (
    <EmojiPicker.Root
      className="emoji-picker column"
      locale={i18n.language}
      columns={8}
      resolveEmojiData={async locale => {
        const loaded = await loadEmojis(toLanguage(locale) ?? fallbackLanguage)
        setData(loaded)
        return loaded
      }}
      onEmojiSelect={({ emoji }) => pick(emoji)}
    >
      <EmojiSearch data={data} findViewport={() => viewport.current} onPick={pick} />
      <EmojiCategories categories={data?.categories ?? []} current={current} findViewport={() => viewport.current} />
      {recent.length ? (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no row of buttons
        <div className="emoji-recent line" role="group" aria-label={t('emoji.recent')}>
          {recent.map(emoji => (
            <button key={emoji} type="button" className="emoji" onClick={() => pick(emoji)}>
              {emoji}
            </button>
          ))}
        </div>
      ) : null}
      <EmojiPicker.Viewport
        ref={viewport}
        className="emoji-viewport"
        onScroll={({ currentTarget }) => setCurrent(categoryAt(currentTarget))}
      >
        <EmojiPicker.Loading className="emoji-said center">{t('loading')}</EmojiPicker.Loading>
        <EmojiPicker.Empty className="emoji-said center">{t('emoji.none')}</EmojiPicker.Empty>
        <EmojiPicker.List
          components={{
            CategoryHeader: ({ category, ...props }) => (
              <div className="emoji-category fine" {...props}>
                {category.label}
              </div>
            ),
            Row: props => <div {...props} {...fromOne(props)} />,
            Emoji: ({ emoji, ...props }) => (
              <button
                type="button"
                className="emoji"
                aria-label={emoji.label}
                title={emoji.label}
                {...props}
                {...fromOne(props)}
              >
                {emoji.emoji}
              </button>
            ),
          }}
        />
      </EmojiPicker.Viewport>
      <div className="emoji-foot line small">
        <EmojiPicker.ActiveEmoji>
          {({ emoji }) => (emoji ? <span className="cut">{emoji.label}</span> : <span />)}
        </EmojiPicker.ActiveEmoji>
        <EmojiPicker.SkinToneSelector className="emoji-tone" aria-label={t('emoji.tone')} />
      </div>
    </EmojiPicker.Root>
  )
}
