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

/** The pattern with letters of either case, because our patterns have no flags. */
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

/** A dot does not match line breaks there, but does here. */
const inOneLine = (pattern: string): string =>
  pattern.replace(/\\.|\[(?:\\.|[^\]])*\]|\./gsu, part => (part === '.' ? '[^\\n]' : part))

/** Lookaround, named groups and backreferences: unsupported, because our patterns run in linear time. */
export const isForeignPattern = (pattern: string): boolean =>
  pattern.length > flowLimits.patternChars ||
  /\\(?![pPdDwWsSbBnt]|[^A-Za-z0-9])|\(\?(?!:)/.test(pattern.replaceAll('\\\\', '--'))

/** A pattern in our syntax, from a bare one or one between slashes with flags; undefined: it has no equivalent here. */
export const writtenPattern = (written: string): string | undefined => {
  const [, inside, flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(written) ?? [written, written]
  // Multiline (m) and set notation (v) are not supported.
  if (inside === undefined || inside.includes('{{') || /[^dgisuy]/.test(flags)) return undefined
  let pattern = inside.replaceAll('\\/', '/')
  if (!flags.includes('s')) pattern = inOneLine(pattern)
  if (flags.includes('i')) pattern = inAnyCase(pattern)
  // Sticky: anchored at the beginning.
  return flags.includes('y') ? `^(?:${pattern})` : pattern
}

/** A rule without an equivalent gets no variable, which prevents publishing until somebody corrects it. */
const ruleOf = (value: unknown, carrying: Carrying): FlowRule => {
  const { variableId, comparisonOperator, value: compared } = asObject(value)
  const operator = asText(comparisonOperator)
  const op = Object.hasOwn(tests, operator) ? tests[operator] : undefined
  const written = asText(compared)
  const pattern = op && asksPattern({ op }) ? writtenPattern(written) : ''
  const name = pattern === undefined ? undefined : carrying.names.of(variableId)
  if (!op || !name) carrying.lose('rule', operator)
  // The text stays, so the author sees what to replace; it cannot be published.
  else if (pattern && isForeignPattern(pattern)) carrying.lose('pattern', written.slice(0, 80))
  const against = pattern || (pattern === undefined ? written.slice(0, flowLimits.text) : carryText(written, carrying))
  return {
    left: 'variable',
    name: op && name ? `flujo.${name}` : '',
    op: op ?? 'equals',
    ...(op === 'isSet' || op === 'isEmpty' ? {} : { value: against }),
  }
}

/** One step per item: if the rule does not apply, the flow continues at the next. */
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
