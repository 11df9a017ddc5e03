import { useState } from 'react'
import { AreaField } from '#client/ui/controls/field.tsx'
import { useEditorFacts } from '../editor/editor-context.ts'

const maxWords = 50

/** One per line, because words may contain commas. */
const linesOf = (text: string, max: number): string[] =>
  text
    .split('\n')
    .map(line => line.trim().slice(0, max))
    .filter(Boolean)
    .slice(0, maxWords)

interface WordsFieldProps {
  readonly label: string
  readonly hint: string
  readonly words: readonly string[]
  readonly max: number
  readonly fault: string | undefined
  onChange(words: string[]): void
}

/** Several texts, one per line. */
export function WordsField({ label, hint, words, max, fault, onChange }: WordsFieldProps) {
  const { isReadOnly } = useEditorFacts()
  // Empty lines are not words, but must stay while typing.
  const [typed, setTyped] = useState('')
  const known = words.join('\n')
  return (
    <AreaField
      label={label}
      hint={hint}
      fault={fault}
      rows={3}
      readOnly={isReadOnly}
      value={linesOf(typed, max).join('\n') === known ? typed : known}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange(linesOf(target.value, max))
      }}
    />
  )
}
