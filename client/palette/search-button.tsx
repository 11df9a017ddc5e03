import './search-button.css'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/icon.tsx'

const load = () => import('./palette.tsx')
const Palette = lazy(load)

const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform)

/** Opens the command palette, as Ctrl/Cmd+K does anywhere on the page. @see spec §2, Command palette */
export function SearchButton() {
  const { t } = useTranslation('palette')
  const [isOpen, setOpen] = useState(false)
  const [modifier, setModifier] = useState('Ctrl')
  const close = useCallback(() => setOpen(false), [])

  useEffect(() => {
    if (isApple()) setModifier('⌘')
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      // Inside the palette the same keys move the selection up.
      if (document.querySelector('dialog.palette[open]') && event.ctrlKey) return
      event.preventDefault()
      setOpen(open => !open)
    }
    document.addEventListener('keydown', onKey)
    // So that the first opening paints at once: the chunk comes when the page has nothing better to do. Without a
    // network it does not; opening asks again and says so.
    const idle = window.requestIdleCallback?.(() => void load().catch(() => undefined), { timeout: 4000 })
    return () => {
      document.removeEventListener('keydown', onKey)
      if (idle !== undefined) window.cancelIdleCallback(idle)
    }
  }, [])

  return (
    <>
      <button
        type="button"
        className="search-button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onPointerEnter={() => void load().catch(() => undefined)}
        onClick={() => setOpen(true)}
      >
        <Icon name="search" />
        <span className="search-button-word">{t('search')}</span>
        <kbd>{modifier} K</kbd>
      </button>
      {isOpen ? (
        <Suspense>
          <Palette onClose={close} />
        </Suspense>
      ) : null}
    </>
  )
}
