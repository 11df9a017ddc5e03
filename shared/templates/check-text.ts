import { templateLimits } from './components.ts'
import { asRecord, asText, type Loose, type Report } from './fault.ts'
import {
  characterCount,
  isNumber,
  isVariableName,
  type TemplateVariable,
  variableNames,
  variablesIn,
} from './variables.ts'
import type { ParameterFormat } from './words.ts'

/** A character has at most two units. Much longer texts are not checked further. */
const isHuge = (text: string, max: number) => text.length > 4 * max

/** A required text: not empty, not too long. Returns it if it can be checked further. */
export const checkLength = (part: Loose, field: string, max: number, report: Report): string | undefined => {
  const text = asText(part[field])
  if (text === undefined || text.trim() === '') {
    report(field, 'required')
    return undefined
  }
  const length = isHuge(text, max) ? text.length : characterCount(text)
  if (length > max) report(field, 'tooLong', { max, length })
  return isHuge(text, max) ? undefined : text
}

export const hasBraces = (text: string): boolean => /\{\{|\}\}/.test(text)

/** Texts without variables: footers, labels. */
export const checkFixed = (part: Loose, field: string, max: number, report: Report): void => {
  const text = checkLength(part, field, max, report)
  if (text === undefined) return
  if (hasBraces(text)) report(field, 'noVariables')
  if (/[\r\n]/.test(text)) report(field, 'oneLine')
}

const outside = (text: string, variables: readonly TemplateVariable[]): string => {
  let rest = ''
  let at = 0
  for (const { from, to } of variables) {
    rest += `${text.slice(at, from)}\ufffc`
    at = to
  }
  return rest + text.slice(at)
}

/** Spelling and order of a text's variables. False: further checks make no sense. */
export const checkVariables = (text: string, format: ParameterFormat, field: string, report: Report): boolean => {
  const variables = variablesIn(text)
  if (hasBraces(outside(text, variables))) {
    report(field, 'variableMalformed', { sample: '{{1}}' })
    return false
  }
  const names = variableNames(text)
  const wrong = names.find(name => (format === 'NAMED' ? !isVariableName(name) : !isNumber(name)))
  if (wrong !== undefined) {
    report(field, format === 'NAMED' ? 'variableName' : 'variableNumber', { name: wrong.slice(0, 40) })
    return false
  }
  if (format === 'POSITIONAL') {
    const missing = names.findIndex((name, i) => Number(name) !== i + 1)
    if (missing >= 0) {
      report(field, 'variableOrder', { number: missing + 1 })
      return false
    }
  }
  return true
}

/** Meta: no variable at either end or beside another, and more than twice as many words as variables. */
export const checkPlaces = (text: string, field: string, report: Report) => {
  const variables = variablesIn(text)
  if (!variables.length) return
  const rest = outside(text.trim(), variablesIn(text.trim()))
  if (rest.startsWith('\ufffc') || rest.endsWith('\ufffc')) return report(field, 'variableAtEdge')
  if (/\ufffc\s*\ufffc/.test(rest)) return report(field, 'variablesTogether')
  const words = rest.split(/[\s\ufffc]+/).filter(word => /[\p{L}\p{N}]/u.test(word)).length
  const needed = 2 * variables.length + 1
  if (words < needed) report(field, 'variablesTooMany', { words, needed })
}

/** Why a value cannot be an example. It must be one line. */
export const exampleFault = (value: unknown): string | undefined => {
  const text = asText(value)
  if (text === undefined || text.trim() === '') return 'exampleRequired'
  if (/[\r\n\t]| {5,}/.test(text)) return 'exampleOneLine'
  return characterCount(text) > templateLimits.example ? 'exampleTooLong' : undefined
}

const checkNamed = (names: readonly string[], list: unknown, field: string, report: Report) => {
  const given = new Map(
    (Array.isArray(list) ? list : []).map(one => [asRecord(one)?.param_name, asRecord(one)?.example]),
  )
  for (const name of names) {
    const fault = exampleFault(given.get(name))
    if (fault) report(`${field}.${name}`, fault, { name })
  }
}

const checkInOrder = (names: readonly string[], list: unknown, field: string, report: Report) => {
  const given: readonly unknown[] = Array.isArray(list) ? list : []
  for (const [i, name] of names.entries()) {
    const fault = exampleFault(given[i])
    if (fault) report(`${field}.${i}`, fault, { name })
  }
  if (given.length > names.length) report(field, 'examplesTooMany', { max: names.length })
}

/** Examples of a text's variables. Each missing one is a fault at its own field. */
export const checkExamples = (
  text: string,
  example: unknown,
  where: { format: ParameterFormat; named: string; positional: string; nested: boolean },
  report: Report,
) => {
  const names = variableNames(text)
  if (!names.length) return
  const given = asRecord(example) ?? {}
  if (where.format === 'NAMED') return checkNamed(names, given[where.named], `example.${where.named}`, report)
  const list = given[where.positional]
  const row = where.nested && Array.isArray(list) ? list[0] : list
  checkInOrder(names, row, `example.${where.positional}${where.nested ? '.0' : ''}`, report)
}
