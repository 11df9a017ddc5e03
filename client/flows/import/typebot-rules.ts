import { flowLimits } from '#shared/flows/limits.ts'
import { asksPattern, type FlowRule } from '#shared/flows/nodes/condition.ts'
import { type Carried, type Carrying, carryText } from './typebot-carried.ts'
import { asList, asObject, asText, itemKey, type TypebotBlock } from './typebot-file.ts'

const tests: Readonly<Record<string, Extract<FlowRule, { left: 'variable' }>['op']>> = {
  'Equal to': 'equals',
  'Not equal': 'notEquals',
  Contains: 'contains',
  'Does not contain': 'notContains',
  'Starts with': 'startsWith',
  'Ends with': 'endsWith',
  'Greater than': 'greater',
  'Greater or equal to': 'greaterOrEqual',
  'Less than': 'less',
  'Less or equal to': 'lessOrEqual',
  'Matches regex': 'fitsPattern',
  'Does not match regex': 'notFitsPattern',
  'Is set': 'isSet',
  'Is empty': 'isEmpty',
}

/** The same of letters whatever their case, as ours have no flags. */
const inAnyCase = (pattern: string): string => {
  let isSet = false
  const both = (letter: string) => [...new Set([letter.toLowerCase(), letter.toUpperCase()])]
  return pattern.replace(/\\(?:[pP]\{[^}]*\}|.)|(\p{L})-(\p{L})|\[|\]|\p{L}/gsu, (part, from?: string, to?: string) => {
    if (part.startsWith('\\')) return part
    if (part === '[' || part === ']') {
      isSet = part === '['
      return part
    }
    if (!isSet)
      return part.replace(/\p{L}/gu, letter => (both(letter).length > 1 ? `[${both(letter).join('')}]` : letter))
    if (from === undefined || to === undefined) return both(part).join('')
    const last = both(to)
    return both(from)
      .map((first, i) => `${first}-${last[i] ?? last[0]}`)
      .join('')
  })
}

/** A dot is any sign of one line there, and any sign here. */
const inOneLine = (pattern: string): string =>
  pattern.replace(/\\.|\[(?:\\.|[^\]])*\]|\./gsu, part => (part === '.' ? '[^\\n]' : part))

/** Looking around, naming and referring back: what patterns that take no longer than their text cannot do. */
export const isForeignPattern = (pattern: string): boolean =>
  pattern.length > flowLimits.patternChars ||
  /\\(?![pPdDwWsSbBnt]|[^A-Za-z0-9])|\(\?(?!:)/.test(pattern.replaceAll('\\\\', '--'))

/** A pattern as ours are typed, alone or between slashes with its flags; undefined: it means what no pattern here does. */
export const patternOf = (written: string): string | undefined => {
  const [, inside, flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(written) ?? [written, written]
  // Lines of their own (m) and other sets (v) there are none of here.
  if (inside === undefined || inside.includes('{{') || /[^dgisuy]/.test(flags)) return undefined
  let pattern = inside.replaceAll('\\/', '/')
  if (!flags.includes('s')) pattern = inOneLine(pattern)
  if (flags.includes('i')) pattern = inAnyCase(pattern)
  // Sticky: from the beginning on.
  return flags.includes('y') ? `^(?:${pattern})` : pattern
}

/** A rule that has no counterpart here gets no variable, so the flow cannot be published until somebody corrects it. */
const ruleOf = (value: unknown, carrying: Carrying): FlowRule => {
  const { variableId, comparisonOperator, value: compared } = asObject(value)
  const operator = asText(comparisonOperator)
  const op = Object.hasOwn(tests, operator) ? tests[operator] : undefined
  const written = asText(compared)
  const pattern = op && asksPattern({ op }) ? patternOf(written) : ''
  const name = pattern === undefined ? undefined : carrying.names.of(variableId)
  if (!op || !name) carrying.lose('rule', operator)
  // It stays, for its author to see what to write otherwise; nothing with it is published.
  else if (pattern && isForeignPattern(pattern)) carrying.lose('pattern', written.slice(0, 80))
  const against = pattern || (pattern === undefined ? written.slice(0, flowLimits.text) : carryText(written, carrying))
  return {
    left: 'variable',
    name: op && name ? `flujo.${name}` : '',
    op: op ?? 'equals',
    ...(op === 'isSet' || op === 'isEmpty' ? {} : { value: against }),
  }
}

/** A step for each of its items: what does not hold goes on at the next. */
export const condition = ({ id, items }: TypebotBlock, carrying: Carrying): Carried => ({
  steps: items.map((item, i) => {
    const { logicalOperator, comparisons } = asObject(item.content)
    const rules = asList(comparisons).slice(0, flowLimits.rules)
    if (asList(comparisons).length > rules.length) carrying.lose('textCut')
    return {
      content: {
        type: 'condition',
        all: logicalOperator !== 'OR',
        rules: rules.map(rule => ruleOf(rule, carrying)),
      },
      ways: [
        { output: 'yes', to: [asText(item.outgoingEdgeId), itemKey(id, asText(item.id))] },
        { output: 'no', to: i === items.length - 1 ? 'next' : [`#${i + 1}`] },
      ],
    }
  }),
})
