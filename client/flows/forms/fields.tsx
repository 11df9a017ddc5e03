import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault, Labelled } from '#client/ui/controls/field.tsx'
import { useEditorFacts } from '../editor/editor-context.ts'
import { isUnfinished, problemText } from '../editor/problems/words.ts'
import { useTyped } from '../editor/use-typed.ts'
import { OwnForm } from './own-form.tsx'
import { steadyField } from './steady-field.tsx'

/** The problem of one field of a step or trigger, in words. */
export function useFieldProblem(of: { nodeId: string } | { triggerId: string }, field: string): string | undefined {
  const { t } = useTranslation('flows')
  const { problems, isAsked } = useEditorFacts()
  const found = problems.find(
    one =>
      one.field === field &&
      ('nodeId' in of ? one.nodeId === of.nodeId : one.triggerId === of.triggerId) &&
      (isAsked || !isUnfinished(one)),
  )
  return found && problemText(t, found)
}

interface SelectFieldProps {
  readonly label: string
  readonly value: string
  readonly fault?: string | undefined
  readonly hint?: string
  /** True: a choice does something, such as adding a step. A choice by key in the closed list then waits for Enter or for leaving the field. */
  readonly isAction?: boolean
  onChange(value: string): void
  readonly children: ReactNode
}

export const SelectField = steadyField<string, SelectFieldProps>(function SelectField(props) {
  const { label, value, fault, hint, isAction = false, onChange, children } = props
  const { isReadOnly } = useEditorFacts()
  const [choice, setChoice] = useState<string>()
  // In a closed list, browsers change the value with each letter and arrow key.
  const isByKeys = useRef(false)
  const choose = (chosen: string) => (isAction && isByKeys.current ? setChoice(chosen) : onChange(chosen))
  const settle = () => {
    isByKeys.current = false
    setChoice(undefined)
    if (choice !== undefined && choice !== value) onChange(choice)
  }
  const press = (event: KeyboardEvent) => {
    const { key } = event
    if (key === 'Escape') setChoice(undefined)
    isByKeys.current =
      !event.altKey && !['Enter', 'Escape', 'Tab', ...(choice === undefined ? [' '] : [])].includes(key)
    if (key !== 'Enter' || choice === undefined) return
    event.preventDefault()
    settle()
  }
  return (
    <Labelled label={label} hint={hint} fault={fault}>
      {control => (
        <select
          {...control}
          value={choice ?? value}
          disabled={isReadOnly}
          onChange={({ target }) => choose(target.value)}
          onKeyDown={isAction ? press : undefined}
          onBlur={isAction ? settle : undefined}
          onPointerDown={() => {
            isByKeys.current = false
          }}
        >
          {children}
        </select>
      )}
    </Labelled>
  )
})

interface LineFieldProps {
  readonly label: string
  readonly value: string
  /** Shown as a counter while typing. */
  readonly max?: number
  readonly maxLength?: number
  readonly fault?: string | undefined
  readonly hint?: ReactNode
  readonly isCode?: boolean
  readonly list?: string | undefined
  readonly placeholder?: string
  onChange(value: string): void
}

/** A single-line field with its limit. */
export const LineField = steadyField<string, LineFieldProps>(function LineField(props) {
  const { label, value, max, maxLength, fault, hint, isCode, list, placeholder, onChange } = props
  const { isReadOnly } = useEditorFacts()
  const { ref, defaultValue, change, leave } = useTyped<HTMLInputElement>(value, onChange)
  const length = [...value].length
  return (
    <Labelled label={label} hint={hint} fault={fault}>
      {control => (
        <div className="flow-counted" data-counts={max !== undefined}>
          <input
            {...control}
            ref={ref}
            form={`${control.id}-form`}
            defaultValue={defaultValue}
            list={list}
            readOnly={isReadOnly}
            maxLength={maxLength}
            placeholder={placeholder}
            autoComplete="off"
            spellCheck={isCode ? false : undefined}
            autoCapitalize={isCode ? 'none' : undefined}
            onChange={({ target }) => change(target.value)}
            onBlur={leave}
          />
          <OwnForm id={`${control.id}-form`} />
          {max === undefined ? null : (
            <small aria-hidden="true" data-over={length > max}>
              {length}/{max}
            </small>
          )}
        </div>
      )}
    </Labelled>
  )
})

interface NumberFieldProps {
  readonly label: string
  readonly value: number
  readonly min: number
  readonly max: number
  onChange(value: number): void
}

/** A whole number; invalid text stays in the field and changes nothing. */
export function NumberField({ label, value, min, max, onChange }: NumberFieldProps) {
  const id = useId()
  const { t } = useTranslation('flows')
  const { isReadOnly } = useEditorFacts()
  const [typed, setTyped] = useState<{ text: string; of: number }>()
  const text = typed?.of === value ? typed.text : String(value)
  const isRight = (one: string) => /^\d+$/.test(one) && Number(one) >= min && Number(one) <= max
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        inputMode="numeric"
        autoComplete="off"
        readOnly={isReadOnly}
        value={text}
        aria-invalid={!isRight(text)}
        aria-describedby={isRight(text) ? undefined : `${id}-fault`}
        onBlur={() => setTyped(undefined)}
        onChange={({ target }) => {
          const next = isRight(target.value) ? Number(target.value) : value
          setTyped({ text: target.value, of: next })
          if (next !== value) onChange(next)
        }}
      />
      {isRight(text) ? null : <Fault id={`${id}-fault`}>{t('field.between', { min, max })}</Fault>}
    </div>
  )
}

interface CheckFieldProps {
  readonly label: string
  readonly checked: boolean
  onChange(checked: boolean): void
}
export const CheckField = steadyField<boolean, CheckFieldProps>(function CheckField({ label, checked, onChange }) {
  const { isReadOnly } = useEditorFacts()
  return (
    <label className="flow-check">
      <input
        type="checkbox"
        checked={checked}
        disabled={isReadOnly}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>{label}</span>
    </label>
  )
})
