import type { FlowRule } from '#shared/flows/nodes/condition.ts'
import { type FlowVariables, fillIn, variableValue } from '#shared/flows/variables.ts'
import { fitsPattern } from '#shared/kernel/pattern.ts'
import type { Work } from '#shared/kernel/work.ts'
import type { FlowWorld } from './advance-types.ts'

const asNumber = (text: string): number | undefined =>
  /^\s*[+-]?\d+([.,]\d+)?\s*$/.test(text) ? Number(text.replace(',', '.')) : undefined

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()

const compare = (
  op: Exclude<Extract<FlowRule, { left: 'variable' }>['op'], 'fitsPattern' | 'notFitsPattern'>,
  [value, wanted]: readonly [string, string],
  work: Work,
): boolean => {
  const [a, b] = [asNumber(value), asNumber(wanted)]
  work.read(value.length + wanted.length)
  const [said, asked] = [plain(work.fold(value)), plain(work.fold(wanted))]
  const isSame = a !== undefined && b !== undefined ? a === b : said === asked
  switch (op) {
    case 'equals':
      return isSame
    case 'notEquals':
      return !isSame
    case 'contains':
      return said.includes(asked)
    case 'notContains':
      return !said.includes(asked)
    case 'startsWith':
      return said.startsWith(asked)
    case 'endsWith':
      return said.endsWith(asked)
    case 'greater':
      return a !== undefined && b !== undefined ? a > b : said > asked
    case 'greaterOrEqual':
      return a !== undefined && b !== undefined ? a >= b : said >= asked
    case 'less':
      return a !== undefined && b !== undefined ? a < b : said < asked
    case 'lessOrEqual':
      return a !== undefined && b !== undefined ? a <= b : said <= asked
    case 'isSet':
      return said !== ''
    case 'isEmpty':
      return said === ''
  }
}

/** True if the rule applies to this customer now. @throws TooMuchWork */
export const applies = (
  rule: FlowRule,
  variables: FlowVariables,
  world: Pick<FlowWorld, 'builtIn' | 'isOpen' | 'isWindowOpen'>,
  { tagIds, work }: { readonly tagIds: ReadonlySet<string>; readonly work: Work },
): boolean => {
  switch (rule.left) {
    case 'tag':
      return tagIds.has(rule.tagId) === (rule.op === 'has')
    case 'hours':
      return world.isOpen === (rule.op === 'inside')
    case 'window':
      return world.isWindowOpen === (rule.op === 'open')
    case 'variable': {
      const value = variableValue(rule.name, variables, world.builtIn) ?? ''
      if (rule.op === 'fitsPattern' || rule.op === 'notFitsPattern')
        return fitsPattern(rule.value ?? '', value, work) === (rule.op === 'fitsPattern')
      return compare(rule.op, [value, fillIn(rule.value ?? '', variables, world.builtIn)], work)
    }
  }
}
