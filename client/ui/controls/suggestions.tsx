import './option-picker.css'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { fold } from '#shared/kernel/fold.ts'
import { isComposing } from './composing.ts'

/** The word before the cursor that asks for suggestions: `@an`, `/hours`. `from`: where it begins. */
export interface TypedPlace {
  readonly from: number
  readonly typed: string
}

/** True if a word of the text begins with `typed`, ignoring case and accents. */
export const hasWordLike = (text: string, typed: string): boolean =>
  fold(text)
    .split(/\s+/)
    .some(word => word.startsWith(fold(typed)))

interface SuggestionsOptions<T> {
  /** The field in which the word is typed. It keeps the focus. */
  readonly field: RefObject<HTMLTextAreaElement | null>
  placeIn(text: string, caret: number): TypedPlace | undefined
  find(typed: string): readonly T[]
  onChoose(one: T, box: HTMLTextAreaElement, place: TypedPlace): void
  /** False: the suggestions are still loading, so the field does not announce a list yet. */
  readonly isReady?: boolean
  /** The list is open without anything typed for it, until it closes. */
  readonly isAsked?: boolean
  /** That list has closed. */
  onAnswered?(): void
  /** Gets the keys while no list is open. */
  onKeyWhileClosed?(event: KeyboardEvent): void
}

/**
 * Suggestions for the word before the cursor. Arrow keys move, Enter or Tab chooses, Escape closes the list until
 * another word is typed. Draw them with `Suggestions`.
 */
export function useSuggestions<T>(options: SuggestionsOptions<T>) {
  const { field, placeIn, find, onChoose, isReady = true, isAsked = false, onAnswered, onKeyWhileClosed } = options
  const id = useId()
  const [place, setPlace] = useState<TypedPlace>()
  const [active, setActive] = useState(0)
  const [closedAt, setClosedAt] = useState<number>()
  const asked = place && place.from !== closedAt ? place : undefined
  const found = asked ? find(asked.typed) : []
  const isOpen = found.length > 0

  /**
   * The position at which the list was opened without its sign. What is typed from there on narrows it, up to a space.
   */
  const askedFrom = useRef<number>(undefined)
  const placeAsked = ({ value, selectionStart: caret }: HTMLTextAreaElement): TypedPlace | undefined => {
    const from = askedFrom.current
    if (from === undefined || caret < from) return undefined
    const typed = value.slice(from, caret)
    return /\s/.test(typed) ? undefined : { from, typed }
  }
  const endAsking = () => {
    askedFrom.current = undefined
    onAnswered?.()
  }
  const close = () => {
    setClosedAt(place?.from)
    if (askedFrom.current !== undefined) endAsking()
  }
  const look = useEffectEvent(() => {
    const box = field.current
    const next = box ? (placeIn(box.value, box.selectionStart) ?? placeAsked(box)) : undefined
    if (!next && askedFrom.current !== undefined) endAsking()
    if (next?.from !== place?.from || next?.typed !== place?.typed) setActive(0)
    if (!next) setClosedAt(undefined)
    setPlace(next)
  })
  const choose = (index: number) => {
    const [box, one] = [field.current, found[index]]
    if (!box || one === undefined || !asked) return
    onChoose(one, box, asked)
    setPlace(undefined)
    if (askedFrom.current !== undefined) endAsking()
  }
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (isComposing(event)) return
    if (!isOpen) return onKeyWhileClosed?.(event)
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setActive((active + step + found.length) % found.length)
    else if ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab') choose(active)
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  useEffect(() => {
    const box = field.current
    if (!box) return
    const leave = new AbortController()
    const { signal } = leave
    for (const type of ['input', 'keyup', 'click']) box.addEventListener(type, look, { signal })
    box.addEventListener('keydown', press, { signal, capture: true })
    // The field may hold text from before this part was loaded.
    look()
    return () => leave.abort()
  }, [field])
  const ask = useEffectEvent(() => {
    askedFrom.current = field.current?.selectionStart
    setClosedAt(undefined)
    look()
  })
  useEffect(() => {
    if (isAsked) ask()
  }, [isAsked])
  useEffect(() => {
    const box = field.current
    if (!box || !isReady) return
    // The composer leaves Enter to a field with this attribute.
    box.setAttribute('aria-autocomplete', 'list')
    if (isOpen) {
      box.setAttribute('aria-controls', id)
      box.setAttribute('aria-activedescendant', `${id}-${active}`)
    }
    return () => {
      for (const name of ['aria-autocomplete', 'aria-controls', 'aria-activedescendant']) box.removeAttribute(name)
    }
  }, [field, id, isOpen, active, isReady])

  return { id, active, found, choose, asked, isOpen, close, reopen: () => setClosedAt(undefined) }
}

interface SuggestionsProps<T> {
  readonly of: Pick<ReturnType<typeof useSuggestions<T>>, 'id' | 'active' | 'found' | 'choose'>
  readonly label: string
  readonly className?: string
  children(one: T): ReactNode
}

const scrollIntoView = (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' })

export const Suggestions = <T extends { readonly id: string }>(props: SuggestionsProps<T>) => {
  const { of, label, className = '', children } = props
  return (
    <div id={of.id} className={`mentions ${className}`} role="listbox" aria-label={label}>
      {of.found.map((one, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
        // biome-ignore lint/a11y/useFocusableInteractive: as above
        <div
          key={one.id}
          id={`${of.id}-${i}`}
          ref={i === of.active ? scrollIntoView : undefined}
          role="option"
          aria-selected={i === of.active}
          className={i === of.active ? 'picker-option picker-active' : 'picker-option'}
          // The field keeps the focus.
          onMouseDown={event => event.preventDefault()}
          onClick={() => of.choose(i)}
        >
          {children(one)}
        </div>
      ))}
    </div>
  )
}
