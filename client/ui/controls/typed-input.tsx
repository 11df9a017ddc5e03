import { type ComponentProps, type KeyboardEvent, useState } from 'react'
import { Fault } from './field.tsx'
import './typed-input.css'

/** Attributes of the `input` element, without its value. */
export type InputAttributes = Pick<
  ComponentProps<'input'>,
  | 'aria-describedby'
  | 'aria-invalid'
  | 'aria-label'
  | 'autoFocus'
  | 'className'
  | 'id'
  | 'inputMode'
  | 'placeholder'
  | 'readOnly'
  | 'required'
>

interface TypedInputProps extends InputAttributes {
  /** Empty: nothing is chosen. */
  readonly value: string
  /** The value as it is written for people. */
  readonly shown: string
  /** Reads what a person typed. Undefined: it is no such value. */
  read(typed: string): string | undefined
  /** The error text for what could not be read. */
  unread(typed: string): string
  onChange(value: string): void
  /** True if the value also changes while somebody types. */
  readonly isLive?: boolean | undefined
  /** The value that an arrow key up (1) or down (-1) leads to. */
  step?(value: string, by: 1 | -1): string
}

/**
 * A text field for a value that is typed in several forms and shown in one. It is read when the person leaves the field
 * or presses Enter. What cannot be read is replaced by the value before, so the field always shows what it stands for.
 */
export function TypedInput({
  value,
  shown,
  read,
  unread,
  onChange,
  isLive,
  step,
  required,
  ...input
}: TypedInputProps) {
  const [typed, setTyped] = useState<string>()
  /** The text that could not be read, and the value that stayed. The message goes once the value changes. */
  const [refused, setRefused] = useState<{ readonly said: string; readonly kept: string }>()
  /** Takes the field's text as the value. False: it cannot be read, and the value stays. */
  const take = (text: string): boolean => {
    const said = text.trim()
    setTyped(undefined)
    if (said === shown || input.readOnly) return true
    const next = said ? read(said) : required ? undefined : ''
    if (next === undefined) {
      setRefused(said ? { said, kept: value } : undefined)
      return false
    }
    if (next !== value) onChange(next)
    return true
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key] as 1 | -1 | undefined
    const { value: text } = event.currentTarget
    // A form is not sent with a value other than the one that was typed.
    if (event.key === 'Enter' && !take(text)) event.preventDefault()
    if (!step || by === undefined || input.readOnly || event.altKey) return
    event.preventDefault()
    setTyped(undefined)
    onChange(step(read(text) ?? value, by))
  }
  return (
    <>
      <input
        dir="auto"
        autoComplete="off"
        maxLength={60}
        {...input}
        required={required}
        value={typed ?? shown}
        onChange={({ target }) => {
          setRefused(undefined)
          // It was typed before hydration, and the field was left meanwhile.
          if (document.activeElement !== target) return void take(target.value)
          setTyped(target.value)
          const next = isLive ? read(target.value) : undefined
          if (next !== undefined && next !== value) onChange(next)
        }}
        onBlur={({ target }) => take(target.value)}
        onKeyDown={onKeyDown}
      />
      {refused?.kept === value ? (
        <span className="typed-refused">
          <Fault>{unread(refused.said)}</Fault>
        </span>
      ) : null}
    </>
  )
}
