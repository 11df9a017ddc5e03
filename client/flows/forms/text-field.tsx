import { type KeyboardEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isComposing } from '#client/ui/controls/composing.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { replaceRange } from '#client/ui/controls/field-edits.ts'
import { Menu, MenuItem } from '#client/ui/overlays/menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { useEditorFacts } from '../editor/editor-context.ts'
import { useTyped } from '../editor/use-typed.ts'
import { variableName } from '../words.ts'
import { OwnForm } from './own-form.tsx'
import { steadyField } from './steady-field.tsx'

/** The beginning of a variable before the cursor; undefined: none. */
const openReference = (text: string, caret: number): { from: number; typed: string } | undefined => {
  const found = text.slice(0, caret).match(/\{\{\s*([a-z0-9_.]*)$/i)
  return found ? { from: found.index ?? 0, typed: (found[1] ?? '').toLowerCase() } : undefined
}

/** A variable as the canvas names it, then as it is written between braces. */
function VariableWords({ name }: { readonly name: string }) {
  const { t } = useTranslation('flows')
  return (
    <span>
      <bdi>{variableName(t, name)}</bdi> <small dir="ltr">{name}</small>
    </span>
  )
}

const maxOffered = 8
const none: readonly string[] = []

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly max: number
  readonly fault?: string | undefined
  readonly hint?: string
  readonly rows?: number
  /** Names that this field accepts besides variables. */
  readonly also?: readonly string[]
  onChange(value: string): void
}

/** A text to customers: it has a counter, and `{{` suggests variables. */
export const TextField = steadyField<string, TextFieldProps>(function TextField(props) {
  const { label, value, max, fault, hint, rows = 4, also = none, onChange } = props
  const { t } = useTranslation('flows')
  const facts = useEditorFacts()
  const { isReadOnly } = facts
  const { ref: area, defaultValue, change, leave } = useTyped<HTMLTextAreaElement>(value, onChange)
  const id = useId()
  const [open, setOpen] = useState<{ from: number; typed: string; at: number }>()
  const length = [...value].length
  // There may be hundreds, so the list is built only when it opens.
  const variables = () => [...facts.variables, ...also]
  const offered = open
    ? variables()
        .filter(name => name.includes(open.typed))
        .slice(0, maxOffered)
    : []
  const at = open ? Math.min(open.at, offered.length - 1) : 0

  // Setting an unchanged state could still render the field before the letter is shown.
  const close = () => {
    if (open) setOpen(undefined)
  }
  const look = (field: HTMLTextAreaElement) => {
    // Reading the cursor position forces a layout, so it is read only if needed.
    if (!field.value.includes('{{')) return close()
    const found = openReference(field.value, field.selectionStart)
    if (found) setOpen({ ...found, at: 0 })
    else close()
  }
  const take = (name: string) => {
    const field = area.current
    if (!field || !open) return
    const caret = field.selectionStart
    const closes = field.value.slice(caret).match(/^\s*\}\}/)?.[0].length ?? 0
    replaceRange(field, `{{${name}}}`, open.from, caret + closes)
    setOpen(undefined)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!open || !offered.length || isComposing(event.nativeEvent)) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setOpen({ ...open, at: (at + step + offered.length) % offered.length })
    else if (event.key === 'Enter' || event.key === 'Tab') take(offered[at] ?? '')
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="field flow-text">
      <label htmlFor={id}>{label}</label>
      <div className="flow-text-area">
        <textarea
          dir="auto"
          ref={area}
          id={id}
          form={`${id}-form`}
          rows={rows}
          defaultValue={defaultValue}
          readOnly={isReadOnly}
          maxLength={4096}
          aria-invalid={Boolean(fault)}
          aria-autocomplete="list"
          aria-controls={offered.length ? `${id}-list` : undefined}
          aria-activedescendant={offered.length ? `${id}-${at}` : undefined}
          aria-describedby={`${id}-count${hint ? ` ${id}-hint` : ''}${fault ? ` ${id}-fault` : ''}`}
          onChange={({ target }) => {
            change(target.value)
            look(target)
          }}
          onBlur={() => {
            leave()
            close()
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <OwnForm id={`${id}-form`} />
      {offered.length ? (
        <div id={`${id}-list`} className="flow-offer" role="listbox" aria-label={t('field.variables')}>
          {offered.map((name, place) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
            // biome-ignore lint/a11y/useFocusableInteractive: as above
            <div
              key={name}
              id={`${id}-${place}`}
              role="option"
              aria-selected={place === at}
              onPointerDown={event => event.preventDefault()}
              onClick={() => take(name)}
            >
              <VariableWords name={name} />
            </div>
          ))}
        </div>
      ) : null}
      <div className="flow-text-foot">
        {isReadOnly ? null : (
          <Menu
            label={t('field.variables')}
            className="link flow-add-variable"
            side="below-start"
            button={
              <>
                <Icon name="plus" />
                {t('field.variable')}
              </>
            }
          >
            {() =>
              variables().map(name => (
                <MenuItem
                  key={name}
                  onClick={() => {
                    const field = area.current
                    if (field) replaceRange(field, `{{${name}}}`, field.selectionStart, field.selectionEnd)
                  }}
                >
                  <VariableWords name={name} />
                </MenuItem>
              ))
            }
          </Menu>
        )}
        <small id={`${id}-count`} data-over={length > max}>
          {t('field.counted', { length, max })}
        </small>
      </div>
      {hint ? (
        <div id={`${id}-hint`} className="field-hint">
          {hint}
        </div>
      ) : null}
      {fault ? <Fault id={`${id}-fault`}>{fault}</Fault> : null}
    </div>
  )
})
