import { Type } from 'typebox'
import { readFormula } from '../formula/formula.ts'
import { FormulaFault, formulaVariables } from '../formula/parse.ts'
import { type Found, maxUnknownNamed } from '../problems/problem.ts'
import { type ContentOf, Text, VariableName } from './fields.ts'
import type { NodeKind } from './kind.ts'

export const setFields = {
  variable: Type.Optional(VariableName),
  value: Type.Optional(Text),
  formula: Type.Optional(
    Type.Boolean({ description: 'The value is a formula: `redondear(flujo.precio * 1.21, 2)`. Not for a contact.' }),
  ),
  contact: Type.Optional(
    Type.Enum(['name', 'note'], {
      description: 'Instead of a variable: what the contact is called, or one more line of the note about them.',
    }),
  ),
}
type SetValue = ContentOf<typeof setFields, 'variable' | 'value'>

const formulaProblems = (text: string, names: ReadonlySet<string>): Found[] => {
  const field = 'value'
  if (!text.trim()) return [{ field, code: 'formulaMissing' }]
  const formula = readFormula(text)
  if (formula instanceof FormulaFault) return [{ field, code: 'formulaInvalid', params: { at: formula.at } }]
  const unknown = new Set(formulaVariables(formula).filter(name => !names.has(name)))
  return [...unknown].slice(0, maxUnknownNamed).map(name => ({ field, code: 'variableUnknown', params: { name } }))
}

/** Stores a value in a variable of the flow, or in the contact. */
export const set: NodeKind<SetValue> = {
  icon: 'M8 4H7a2 2 0 0 0-2 2v4l-2 2 2 2v4a2 2 0 0 0 2 2h1M16 4h1a2 2 0 0 1 2 2v4l2 2-2 2v4a2 2 0 0 1-2 2h-1M9.500 10h5M9.500 14h5',
  tone: 'decides',
  summary({ contact, variable, value }, t) {
    if (contact) return t(`says.contact.${contact}`, { value: value || '…' })
    return variable ? t('says.set', { name: variable, value: value || '…' }) : ''
  },
  defaults: { variable: '', value: '' },
  texts: ({ formula, contact, value }) => (formula && !contact ? [] : [{ field: 'value', text: value }]),
  problems({ contact, value, variable, formula }, { names }) {
    if (contact) return value.trim() ? [] : [{ field: 'value', code: 'contactValueMissing' }]
    return [
      ...(variable ? [] : [{ field: 'variable', code: 'variableMissing' } as const]),
      ...(formula ? formulaProblems(value, names) : []),
    ]
  },
  uses: ({ contact, variable, formula }) => ({
    sets: contact ? [] : [variable],
    ...(formula ? { facts: ['timeZone'] } : {}),
  }),
}
