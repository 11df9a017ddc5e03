import './search-button.css'
import { startTransition, useCallback, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'

const loadPalette = () => import('./palette.tsx').then(module => module.default)
type Palette = Awaited<ReturnType<typeof loadPalette>>

const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform)
const isShown = () => document.querySelector('dialog.palette[open]') !== null

const isOpeningKey = (event: KeyboardEvent) =>
  event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey

/** Who has no mouse has no keys for the palette either, less of a processor, and often pays for what is loaded. */
const hasMouse = () => matchMedia('(hover: hover)').matches

/** The palette's code. No `lazy`: React would hold what follows a fallback back for 300 ms, also when it is there at once. */
const usePaletteCode = () => {
  const [Palette, setPalette] = useState<Palette>()
  const load = useCallback(() => loadPalette().then(palette => setPalette(() => palette)), [])
  // So that the first opening paints at once: it comes when the page has nothing better to do. Without a network it
  // does not; opening asks again and says so.
  useEffect(() => {
    if (!hasMouse()) return
    const idle = window.requestIdleCallback?.(() => void load().catch(() => undefined), { timeout: 4000 })
    return () => {
      if (idle !== undefined) window.cancelIdleCallback(idle)
    }
  }, [load])
  return { Palette, load }
}

/** A place beside the page where the palette is drawn once, unseen, while nothing else happens: code that has run is faster. */
const useRehearsal = (isReady: boolean) => {
  const [stage, setStage] = useState<HTMLElement>()
  useEffect(() => {
    if (!isReady || !hasMouse()) return
    const raise = () => startTransition(() => setStage(document.createElement('div')))
    const idle = window.requestIdleCallback?.(raise)
    return () => {
      if (idle !== undefined) window.cancelIdleCallback(idle)
    }
  }, [isReady])
  useEffect(() => {
    if (stage) setStage(undefined)
  }, [stage])
  return stage
}

/** True within the turn in which the frame of one organization gives way to another's, if the palette was open. */
let isHandedOver = false

/** Whether the palette is open; who presses its keys while another organization comes finds it open there. */
const useOpen = () => {
  const [isOpen, draw] = useState(false)
  const wanted = useRef(false)
  const setOpen = useCallback((open: boolean) => {
    wanted.current = open
    draw(open)
  }, [])
  useEffect(() => {
    if (isHandedOver) setOpen(true)
    return () => {
      isHandedOver = wanted.current
      queueMicrotask(() => {
        isHandedOver = false
      })
    }
  }, [setOpen])
  return { isOpen, setOpen, toggle: useCallback(() => setOpen(!wanted.current), [setOpen]) }
}

/** Opens the command palette, as Ctrl/Cmd+K does anywhere on the page. */
export function SearchButton() {
  const { t } = useTranslation('palette')
  const { t: common } = useTranslation('common')
  const { Palette, load } = usePaletteCode()
  const { isOpen, setOpen, toggle } = useOpen()
  const [modifier, setModifier] = useState('Ctrl')
  /** Meant for the palette while its code was still on the way. */
  const early = useRef('')
  const close = useCallback(() => setOpen(false), [setOpen])
  const stage = useRehearsal(Palette !== undefined)

  useEffect(() => {
    if (isApple()) setModifier('⌘')
  }, [])
  useEffect(() => {
    if (!isOpen || Palette) return
    load().catch(() => {
      close()
      toast(common('offline'), { kind: 'error' })
    })
  }, [isOpen, Palette, load, close, common])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isOpeningKey(event)) {
        // Inside the palette the same keys move the selection up.
        if (event.ctrlKey && isShown()) return
        event.preventDefault()
        if (event.repeat) return
        early.current = ''
        toggle()
        return
      }
      if (!isOpen || isShown()) return
      if (event.key === 'Escape') close()
      else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) early.current += event.key
      else return
      // Whoever is faster than the palette does not write into the page behind it.
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [isOpen, close, toggle])

  return (
    <>
      <button
        type="button"
        className="search-button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onPointerEnter={() => void load().catch(() => undefined)}
        onClick={() => {
          early.current = ''
          setOpen(true)
        }}
      >
        <Icon name="search" />
        <span className="search-button-word">{t('search')}</span>
        <kbd>{modifier} K</kbd>
      </button>
      {Palette && stage && !isOpen ? createPortal(<Palette early="" isRehearsal onClose={close} />, stage) : null}
      {isOpen && Palette ? <Palette early={early.current} onClose={close} /> : null}
    </>
  )
}
