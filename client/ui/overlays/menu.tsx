import {
  type KeyboardEvent,
  type ReactNode,
  type ToggleEvent,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'

const typeAheadMs = 1000
const gap = 6
/** With less space than this in pixels, up, down or sideways, the panel opens to the other side if there is more. */
const leastRoom = 240

type Side = 'above-start' | 'above-end' | 'below-start' | 'below-end'

const place = (button: HTMLElement, panel: HTMLElement, side: Side) => {
  const at = button.getBoundingClientRect()
  const { clientWidth, clientHeight } = document.documentElement
  const room = { above: at.top - 2 * gap, below: clientHeight - at.bottom - 2 * gap }
  const isAbove = side.startsWith('above') || (room.below < leastRoom && room.above > room.below)
  const across = { start: clientWidth - at.left, end: at.right }
  const isEnd = side.endsWith('end')
    ? across.end >= leastRoom || across.end >= across.start
    : across.start < leastRoom && across.end > across.start
  panel.style.maxHeight = `min(var(--menu-room, 32rem), ${isAbove ? room.above : room.below}px)`
  panel.style.top = isAbove ? 'auto' : `${at.bottom + gap}px`
  panel.style.bottom = isAbove ? `${clientHeight - at.top + gap}px` : 'auto'
  panel.style.left = isEnd ? 'auto' : `${Math.max(at.left, 8)}px`
  panel.style.right = isEnd ? `${Math.max(clientWidth - at.right, 8)}px` : 'auto'
}

const itemsIn = (panel: HTMLElement) => [...panel.querySelectorAll<HTMLElement>('[data-item]:not(:disabled)')]

const startsWith = (item: HTMLElement, typed: string) =>
  (item.textContent ?? '').trim().toLocaleLowerCase().startsWith(typed)

/** Arrow keys, Home, End and typed letters move between the items of an open panel. */
const useItemKeys = () => {
  const typed = useRef({ text: '', at: 0 })
  return (event: KeyboardEvent<HTMLElement>, panel: HTMLElement) => {
    const items = itemsIn(panel)
    const isWriting = event.target instanceof HTMLInputElement
    const here = items.indexOf(document.activeElement as HTMLElement)
    const go = (index: number) => {
      event.preventDefault()
      items.at(index % items.length)?.focus()
    }
    if (items.length === 0) return
    if (event.key === 'ArrowDown') return go(here + 1)
    if (event.key === 'ArrowUp') return go(here === -1 ? -1 : here - 1)
    if (isWriting) return
    if (event.key === 'Home') return go(0)
    if (event.key === 'End') return go(-1)
    if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey || event.altKey) return
    const before = event.timeStamp - typed.current.at < typeAheadMs ? typed.current.text : ''
    const text = before + event.key.toLocaleLowerCase()
    typed.current = { text, at: event.timeStamp }
    const from = text.length === 1 ? here + 1 : Math.max(here, 0)
    const rest = [...items.slice(from), ...items.slice(0, from)]
    rest.find(item => startsWith(item, text))?.focus()
  }
}

/** Focuses the search field, the chosen item or the first item, unless the focus is inside already. */
const focusWithin = (panel: HTMLElement | null) => {
  if (!panel || panel.contains(document.activeElement)) return
  const field = panel.querySelector<HTMLElement>('input')
  const chosen = panel.querySelector<HTMLElement>('[data-item][aria-checked="true"], [data-item][aria-current="true"]')
  ;(field ?? chosen ?? itemsIn(panel)[0])?.focus()
}

interface MenuProps {
  /** The panel's accessible name. */
  readonly label: string
  readonly button: ReactNode
  readonly className: string
  readonly panelClass?: string
  readonly side: Side
  /** `menu`: its items are menu items. `group`: links, a field to search. */
  readonly role?: 'menu' | 'group'
  /** The button's tooltip where its label is hidden. */
  readonly tip?: string
  /** The panel's content, rendered when it opens. */
  children(): ReactNode
}

/**
 * A button and its panel, as a native popover: it closes on Escape, on a click elsewhere and when an item is chosen,
 * and returns the focus. Items have `data-item`.
 */
export function Menu({ label, button, className, panelClass = '', side, role = 'menu', tip, children }: MenuProps) {
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const onKeyDown = useItemKeys()
  // It may have been opened before hydration, because a native popover needs no script.
  const takeOver = useEffectEvent(() => {
    if (!opener.current || !panel.current?.matches(':popover-open')) return
    setOpen(true)
    place(opener.current, panel.current, side)
  })
  useEffect(() => takeOver(), [])
  useEffect(() => {
    if (isOpen) focusWithin(panel.current)
  }, [isOpen])
  const beforeToggle = (event: ToggleEvent<HTMLDivElement>) => {
    if (event.newState !== 'open' || !opener.current) return
    flushSync(() => setOpen(true))
    place(opener.current, event.currentTarget, side)
  }
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={className}
        popoverTarget={id}
        aria-haspopup={role === 'menu' ? 'menu' : 'dialog'}
        data-tip={tip}
        // It is open shortly before its first item has the focus. Keys pressed then are meant for its items.
        onKeyDown={event => panel.current?.matches(':popover-open') && onKeyDown(event, panel.current)}
      >
        {button}
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it has a role; the linter does not read it from a variable */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: as above */}
      <div
        ref={panel}
        id={id}
        popover="auto"
        role={role}
        aria-label={label}
        className={`menu ${panelClass}`}
        onBeforeToggle={beforeToggle}
        onToggle={event => (event.newState === 'open' ? focusWithin(panel.current) : setOpen(false))}
        onKeyDown={event => onKeyDown(event, event.currentTarget)}
        onClick={event => {
          if ((event.target as HTMLElement).closest('[data-item]')) event.currentTarget.hidePopover()
        }}
      >
        {isOpen ? children() : null}
      </div>
    </>
  )
}

interface ItemProps {
  onClick(): void
  /** True if it is the chosen one of several items. */
  readonly checked?: boolean
  readonly lang?: string
  readonly danger?: boolean
  readonly children: ReactNode
}

export const MenuItem = ({ onClick, checked, lang, danger, children }: ItemProps) => (
  // biome-ignore lint/a11y/useAriaPropsSupportedByRole: of the role it has when it is given
  <button
    type="button"
    role={checked === undefined ? 'menuitem' : 'menuitemradio'}
    aria-checked={checked}
    data-item=""
    tabIndex={-1}
    lang={lang}
    className={danger ? 'menu-item menu-item-danger' : 'menu-item'}
    onClick={onClick}
  >
    {children}
  </button>
)
