import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react'
import { Icon } from '../pictures/icon.tsx'
import { isComposing } from './composing.ts'
import './option-picker.css'

export interface PickerOption {
  readonly key: string
  readonly isOn: boolean
  /** It cannot be chosen; its content says why. */
  readonly isOff?: boolean
  /** Shown instead of the tick. */
  readonly icon?: ReactNode
  readonly content: ReactNode
}

interface OptionPickerProps {
  /** The list's accessible name. */
  readonly label: string
  /** The field's accessible name. */
  readonly search: string
  readonly maxChars: number
  /** Several options can be chosen. */
  readonly isMultiple?: boolean
  readonly typed: string
  /** The options that match the typed text. */
  readonly options: readonly PickerOption[]
  /** True if all options are loaded. Enter before that waits until they are. */
  readonly isReady: boolean
  readonly fault?: string | undefined
  /** Shown if no option matches. */
  readonly nothing: string
  onType(text: string): void
  /** @param place index in `options` */
  onChoose(place: number): void
  /** Closes the popover around it. Escape while an Enter still waits closes it after that, a second Escape at once. */
  onLeave?(): void
}

const focusOnce = (field: HTMLInputElement | null) => field?.focus()
const intoView = (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' })

/**
 * A field and the list that it filters, inside a popover. Arrow keys move, Enter or a click chooses. The field takes
 * the focus.
 */
export function OptionPicker(props: OptionPickerProps) {
  const { label, search, maxChars, isMultiple, typed, options, isReady, fault, nothing, onType, onChoose, onLeave } =
    props
  const id = useId()
  const [at, setAt] = useState({ typed, place: 0 })
  const [isDecided, setIsDecided] = useState(false)
  const [isLeaving, setIsLeaving] = useState(false)
  // Another text gives another list, which begins at its first option.
  const active = at.typed === typed ? Math.min(at.place, Math.max(options.length - 1, 0)) : 0
  const optionId = (place: number) => `${id}-${place}`

  const chooseActive = useEffectEvent(() => {
    setIsDecided(false)
    if (options[active] && !options[active].isOff) onChoose(active)
    if (isLeaving) onLeave?.()
  })
  useEffect(() => {
    if (isDecided && isReady) chooseActive()
  }, [isDecided, isReady])
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && options.length) setAt({ typed, place: (active + step + options.length) % options.length })
    else if (event.key === 'Enter') setIsDecided(true)
    else if (event.key === 'Escape' && onLeave && isDecided && !isReady && !isLeaving) {
      setIsLeaving(true)
      event.stopPropagation()
    } else return
    event.preventDefault()
  }
  return (
    <>
      <input
        ref={focusOnce}
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={options.length ? optionId(active) : undefined}
        aria-label={search}
        placeholder={search}
        value={typed}
        maxLength={maxChars}
        autoComplete="off"
        onChange={({ target }) => {
          setIsDecided(false)
          setIsLeaving(false)
          onType(target.value)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} className="picker-options" role="listbox" aria-multiselectable={isMultiple} aria-label={label}>
        {options.map(({ key, isOn, isOff, icon, content }, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          <div
            key={key}
            id={optionId(place)}
            ref={place === active ? intoView : undefined}
            role="option"
            aria-selected={isOn}
            aria-disabled={isOff}
            className={place === active ? 'picker-option picker-active' : 'picker-option'}
            onClick={() => isOff || onChoose(place)}
          >
            <span className="picker-tick">{icon ?? (isOn ? <Icon name="tick" /> : null)}</span>
            {content}
          </div>
        ))}
      </div>
      {isReady && !options.length ? <p className="picker-note">{nothing}</p> : null}
      {fault ? (
        <p className="picker-note picker-fault" role="alert">
          {fault}
        </p>
      ) : null}
    </>
  )
}
