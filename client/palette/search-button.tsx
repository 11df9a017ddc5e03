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

/** Devices without a mouse have no shortcut keys, a slower processor, and often pay for data. */
const hasMouse = () => matchMedia('(hover: hover)').matches

/** The palette's code. Not `lazy`: React would keep the fallback for 300 ms even if the code is loaded. */
const usePaletteCode = () => {
  const [Palette, setPalette] = useState<Palette>()
  const load = useCallback(() => loadPalette().then(palette => setPalette(() => palette)), [])
  // Loaded when the page is idle, so that the first opening is instant. Without a network it fails; opening retries and
  // shows the error.
  useEffect(() => {
    if (!hasMouse()) return
    const idle = window.requestIdleCallback?.(() => void load().catch(() => undefined), { timeout: 4000 })
    return () => {
      if (idle !== undefined) window.cancelIdleCallback(idle)
    }
  }, [load])
  return { Palette, load }
}

/** An element outside the page where the palette is rendered once while idle, because code that has run is faster. */
const useWarmUp = (isReady: boolean) => {
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

/** True within the task in which one organization's frame replaces another's, if the palette was open. */
let isHandedOver = false

/** The palette stays open when the organization changes. */
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

/** Opens the command palette, like Ctrl/Cmd+K anywhere on the page. */
export function SearchButton() {
  const { t } = useTranslation('palette')
  const { t: common } = useTranslation('common')
  const { Palette, load } = usePaletteCode()
  const { isOpen, setOpen, toggle } = useOpen()
  const [modifier, setModifier] = useState('Ctrl')
  /** Text typed while the palette's code was loading. */
  const early = useRef('')
  const close = useCallback(() => setOpen(false), [setOpen])
  const stage = useWarmUp(Palette !== undefined)

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
        // Inside the palette, Ctrl+K moves the selection up.
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
      // Text typed before the palette is open must not go into the page.
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
      {Palette && stage && !isOpen ? createPortal(<Palette early="" isWarmUp onClose={close} />, stage) : null}
      {/* Outside the header, which a phone does not show beside an open chat. */}
      {isOpen && Palette ? createPortal(<Palette early={early.current} onClose={close} />, document.body) : null}
    </>
  )
}
