import { type Static, Type } from 'typebox'
import { flowLimits } from '../limits.ts'
import type { FlowNames } from '../names.ts'
import type { Found } from '../problems/problem.ts'
import { closed, Reference, Text } from './fields.ts'
import type { CheckedFlow, FlowTexts, NodeKind } from './kind.ts'
import { patternProblems } from './pattern-problems.ts'

/** The tests of variables: the name in calls and exports, and the engine's name. */
const tests = {
  equals: 'equals',
  not: 'notEquals',
  contains: 'contains',
  notContains: 'notContains',
  starts: 'startsWith',
  ends: 'endsWith',
  greater: 'greater',
  atLeast: 'greaterOrEqual',
  less: 'less',
  atMost: 'lessOrEqual',
  set: 'isSet',
  empty: 'isEmpty',
  fitsPattern: 'fitsPattern',
  notFitsPattern: 'notFitsPattern',
} as const
type WrittenTest = keyof typeof tests
/** Compares numbers if both sides are numbers, otherwise folded text. A pattern is matched against the unchanged value. */
type VariableTest = (typeof tests)[WrittenTest]

/** One of: a variable with its test · a tag the contact carries or not · business hours · WhatsApp's window. */
const WrittenRule = Type.Union([
  Type.Object(
    {
      variable: Type.String({
        maxLength: 60,
        description: "One of the flow's own by its name, else as between braces: `contacto.nombre`.",
      }),
      is: Type.Enum(Object.keys(tests) as WrittenTest[]),
      value: Type.Optional(Text),
    },
    closed,
  ),
  Type.Object({ tagId: Reference, is: Type.Enum(['has', 'hasNot']) }, closed),
  Type.Object({ hours: Type.Enum(['inside', 'outside']) }, closed),
  Type.Object({ window: Type.Enum(['open', 'closed']) }, closed),
])
type WrittenRule = Static<typeof WrittenRule>
const Rules = Type.Array(WrittenRule, { maxItems: flowLimits.rules })

export const conditionFields = { all: Type.Optional(Rules), any: Type.Optional(Rules) }

/** A rule as the engine reads it. `name`: the variable as texts write it between braces, such as `flujo.precio`. */
export type FlowRule =
  | { readonly left: 'variable'; readonly name: string; readonly op: VariableTest; readonly value?: string }
  | { readonly left: 'tag'; readonly op: 'has' | 'hasNot'; readonly tagId: string }
  | { readonly left: 'hours'; readonly op: 'inside' | 'outside' }
  | { readonly left: 'window'; readonly op: 'open' | 'closed' }

/** `all`: every rule must hold; otherwise one is enough. */
interface Condition {
  readonly all: boolean
  readonly rules: readonly FlowRule[]
}

/** True if the rule's value is a pattern, in which no variables are filled in. */
export const asksPattern = ({ op }: Pick<FlowRule, 'op'>): boolean => op === 'fitsPattern' || op === 'notFitsPattern'

const ownPrefix = 'flujo.'
const lastMessage = 'ultimo_mensaje'

const readRule = (rule: WrittenRule): FlowRule => {
  if ('variable' in rule) {
    const { variable, is, value } = rule
    const isOwn = variable !== '' && variable !== lastMessage && !variable.includes('.')
    return {
      left: 'variable',
      name: isOwn ? ownPrefix + variable : variable,
      op: tests[is],
      ...(value === undefined ? {} : { value }),
    }
  }
  if ('tagId' in rule) return { left: 'tag', op: rule.is, tagId: rule.tagId }
  return 'hours' in rule ? { left: 'hours', op: rule.hours } : { left: 'window', op: rule.window }
}

const writtenTests = Object.fromEntries(Object.entries(tests).map(([is, op]) => [op, is])) as Record<
  VariableTest,
  WrittenTest
>
const showRule = (rule: FlowRule): WrittenRule => {
  switch (rule.left) {
    case 'variable': {
      const { name, op, value } = rule
      return {
        variable: name.startsWith(ownPrefix) ? name.slice(ownPrefix.length) : name,
        is: writtenTests[op],
        ...(value === undefined ? {} : { value }),
      }
    }
    case 'tag':
      return { tagId: rule.tagId, is: rule.op }
    case 'hours':
      return { hours: rule.op }
    case 'window':
      return { window: rule.op }
  }
}

const ruleProblems = (rule: FlowRule, field: string, { facts, names }: CheckedFlow): Found[] => {
  if (rule.left === 'tag') return facts.tagIds.includes(rule.tagId) ? [] : [{ field, code: 'tagUnknown' }]
  if (rule.left === 'hours' || rule.left === 'window') return []
  if (!names.has(rule.name)) return [{ field, code: 'variableUnknown', params: { name: rule.name } }]
  const needsValue = rule.op !== 'isSet' && rule.op !== 'isEmpty'
  if (needsValue && !rule.value?.trim()) return [{ field, code: 'valueMissing' }]
  return asksPattern(rule) ? patternProblems(rule.value ?? '', field, facts) : []
}

const ruleText = (t: FlowTexts, rule: FlowRule, names: FlowNames): string => {
  switch (rule.left) {
    case 'variable':
      return t(`ruleText.${rule.op}`, { name: rule.name || '…', value: rule.value || '…' })
    case 'tag':
      return t(`ruleText.${rule.op}`, { tag: names.tags.get(rule.tagId) ?? '…' })
    case 'hours':
    case 'window':
      return t(`ruleText.${rule.op}`)
  }
}

export const condition: NodeKind<Condition> = {
  icon: 'M12 3v5m0 0-6 5v8m6-13 6 5v8M3.500 18.500 6 21l2.500-2.500M15.500 18.500 18 21l2.500-2.500',
  tone: 'decides',
  summary: ({ rules, all }, t, names) =>
    rules.map(rule => ruleText(t, rule, names)).join(t(all ? 'ruleText.and' : 'ruleText.or')),
  defaults: { all: true, rules: [] },
  read({ all, any, ...rest }: { all?: WrittenRule[]; any?: WrittenRule[] }) {
    return { ...rest, all: any === undefined, rules: (any ?? all ?? []).map(readRule) }
  },
  show: ({ all, rules, ...rest }) => ({ ...rest, [all ? 'all' : 'any']: rules.map(showRule) }),
  outputs: () => ['yes', 'no'],
  problems: ({ rules }, flow) => [
    ...(rules.length ? [] : [{ field: 'rules', code: 'rulesMissing' } as const]),
    ...rules.flatMap((rule, i) => ruleProblems(rule, `rules.${i}`, flow)),
  ],
  uses: ({ rules }) => ({
    patterns: rules.flatMap((rule, i) =>
      rule.left === 'variable' && asksPattern(rule) ? [{ field: `rules.${i}`, pattern: rule.value ?? '' }] : [],
    ),
    ...(rules.some(({ left }) => left === 'hours') ? { facts: ['hours'] } : {}),
  }),
  // Where a rule has found WhatsApp's window open, the customer has written lately.
  silentMinutes({ rules: [rule, ...others] }, output, before) {
    const asksWindow = rule?.left === 'window' && !others.length
    return asksWindow && output === (rule.op === 'open' ? 'yes' : 'no') ? 0 : before
  },
}
