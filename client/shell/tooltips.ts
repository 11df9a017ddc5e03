import { useEffect } from 'react'

const delayMs = 700
const skipMs = 300
/** The width of a control without text, in pixels. A wider one shows its text and needs no tooltip. */
const railWidth = 64

type Tipped = HTMLElement | SVGElement

/** Returns the element whose tooltip to show. Parts of charts have `data-touch`, and need a tooltip at any width. */
const wordsOf = (target: EventTarget | null): Tipped | undefined => {
  const found = target instanceof Element ? target.closest<Tipped>('[data-tip]') : null
  if (!found?.dataset.tip) return undefined
  return 'touch' in found.dataset || found.getBoundingClientRect().width <= railWidth ? found : undefined
}

/** Tooltips of icon-only controls (`data-tip`). Screen readers use their labels. */
export const useTooltips = (): void => {
  useEffect(() => {
    const bubble = document.createElement('div')
    bubble.className = 'tooltip'
    bubble.popover = 'manual'
    bubble.setAttribute('aria-hidden', 'true')
    document.body.append(bubble)
    let timer: ReturnType<typeof setTimeout> | undefined
    let about: Tipped | undefined
    let hiddenAt = Number.NEGATIVE_INFINITY

    // The words of a chart change while the pointer or the arrow keys go along it.
    const words = new MutationObserver(() => {
      bubble.textContent = about?.dataset.tip ?? ''
    })
    const show = (target: Tipped) => {
      if (!target.isConnected) return
      words.observe(target, { attributeFilter: ['data-tip'] })
      const at = target.getBoundingClientRect()
      const isInRail = at.right < 72
      bubble.textContent = target.dataset.tip ?? ''
      bubble.dataset.side = isInRail ? 'right' : 'below'
      bubble.style.left = `${isInRail ? at.right + 8 : Math.min(at.left + at.width / 2, innerWidth - 80)}px`
      bubble.style.top = `${isInRail ? at.top + at.height / 2 : at.bottom + 8}px`
      bubble.showPopover()
    }
    const hide = () => {
      clearTimeout(timer)
      about = undefined
      words.disconnect()
      if (!bubble.matches(':popover-open')) return
      bubble.hidePopover()
      hiddenAt = performance.now()
    }
    const plan = (target: Tipped | undefined, waits: boolean) => {
      if (target === about) return
      hide()
      if (!target) return
      about = target
      const wait = waits && performance.now() - hiddenAt > skipMs ? delayMs : 0
      timer = setTimeout(() => show(target), wait)
    }
    const over = (event: PointerEvent) => {
      if (event.pointerType !== 'touch') plan(wordsOf(event.target), true)
    }
    /** Touch opens the tooltips of charts. Elsewhere it presses the control. */
    const tap = (event: PointerEvent) => {
      if (event.pointerType !== 'touch') return
      const target = wordsOf(event.target)
      if (target && 'touch' in target.dataset) plan(target, false)
    }
    const focus = (event: FocusEvent) => {
      if (event.target instanceof Element && event.target.matches(':focus-visible')) plan(wordsOf(event.target), false)
    }
    /** A finger on a chart takes the focus from somewhere else after its tooltip opened. */
    const blur = (event: FocusEvent) => {
      if (!about || about === wordsOf(event.target)) hide()
    }
    const key = (event: KeyboardEvent) => {
      if (event.key === 'Escape') hide()
    }
    document.addEventListener('pointerover', over)
    document.addEventListener('pointerdown', hide)
    document.addEventListener('pointerup', tap)
    document.addEventListener('focusin', focus)
    document.addEventListener('focusout', blur)
    document.addEventListener('keydown', key)
    return () => {
      hide()
      bubble.remove()
      document.removeEventListener('pointerover', over)
      document.removeEventListener('pointerdown', hide)
      document.removeEventListener('pointerup', tap)
      document.removeEventListener('focusin', focus)
      document.removeEventListener('focusout', blur)
      document.removeEventListener('keydown', key)
    }
  }, [])
}
