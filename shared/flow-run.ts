import {
  type AnswerKind,
  type FlowNode,
  type FlowRule,
  type GraphIndex,
  isWaiting,
  type NodeOf,
  type WaitUnit,
} from './flow-graph.ts'
import { plainText } from './flow-triggers.ts'
import { type BuiltInVariable, type FlowVariables, fillIn, variableMaxChars, variableValue } from './flow-variables.ts'
import { compilePattern } from './linear-pattern.ts'
import { timeOfWall, wallTime } from './time.ts'

/** A session that is asked nothing and waits for nothing may go so many steps at once. */
const mostStepsAtOnce = 50
/** Who does not answer for so long is out of the flow, where the node says nothing else. */
const expiresAfterMs = 4 * 60 * 60 * 1000

/** Where a session stands between two inputs. */
export interface Place {
  readonly nodeId: string
  readonly variables: FlowVariables
  /** Answers to the question it stands at that did not fit. */
  readonly tries: number
}

/** What comes from outside. `tapped`: which option of which node. */
export type FlowInput =
  | { readonly kind: 'begin' }
  | {
      readonly kind: 'message'
      readonly text: string
      readonly isText: boolean
      readonly tapped: { readonly nodeId: string; readonly optionId: string } | null
    }
  | { readonly kind: 'time' }

/** What is true of the customer and the organization at the moment; tags change along with the steps. */
export interface FlowWorld {
  /** ISO 8601. */
  readonly now: string
  readonly timeZone: string
  /** The organization attends. */
  readonly isOpen: boolean
  readonly builtIn: Readonly<Record<BuiltInVariable, string>>
  readonly tagIds: readonly string[]
  readonly isWindowOpen: boolean
  /** Tags that the organization has. */
  readonly knownTagIds: readonly string[]
}

/** Something to be done outside, in the order of the steps. */
export type FlowEffect =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'options'; readonly node: NodeOf<'buttons'>; readonly text: string }
  | { readonly kind: 'tag'; readonly action: 'add' | 'remove'; readonly tagId: string }
  | { readonly kind: 'archive' }

/** Why a step went as it did, or why a session ended. */
const stepReasons = [
  'asked',
  'askedAgain',
  'answered',
  'notAnAnswer',
  'tooManyTries',
  'chosen',
  'otherAnswer',
  'noAnswer',
  'rulesHold',
  'rulesFail',
  'waits',
  'waited',
  'nothingToSay',
  'windowClosed',
  'tagGone',
  'nodeGone',
  'tooManySteps',
] as const
type StepReason = (typeof stepReasons)[number]

export interface FlowStep {
  readonly nodeId: string
  readonly input: string | null
  readonly output: string | null
  readonly why: StepReason | null
  readonly changes: Readonly<Record<string, { readonly before: string | null; readonly after: string }>>
  readonly effect: FlowEffect | null
}

/** `handedOff`: to whom it says, with a note for the team and words for the customer. */
export type FlowOutcome =
  | { readonly kind: 'waits'; readonly for: 'answer' | 'time'; readonly until: string; readonly place: Place }
  | { readonly kind: 'finished' }
  | {
      readonly kind: 'handedOff'
      /** `asked`: a node says so. */
      readonly reason: 'asked' | 'windowClosed' | 'tagGone' | 'nodeGone' | 'nothingToSay' | 'tooManySteps'
      readonly teamId: string | null
      readonly memberId: string | null
      readonly note: string | null
    }
  | { readonly kind: 'expired' }

export interface FlowTurn {
  readonly steps: readonly FlowStep[]
  readonly outcome: FlowOutcome
}

const unitMs: Record<WaitUnit, number> = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 }

/** When a wait that begins now is over. */
const endOfWait = (node: NodeOf<'wait'>, { now, timeZone }: FlowWorld): string => {
  const at = Date.parse(now)
  if (node.until === undefined) return new Date(at + node.amount * unitMs[node.unit]).toISOString()
  const today = `${wallTime(at, timeZone).slice(0, 10)}T${node.until}`
  const then = timeOfWall(today, timeZone) ?? now
  if (then > now) return then
  const tomorrow = wallTime(Date.parse(then) + unitMs.days, timeZone).slice(0, 10)
  return timeOfWall(`${tomorrow}T${node.until}`, timeZone) ?? now
}

const isDay = (year: number, month: number, day: number): boolean => {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}
const two = (n: number): string => String(n).padStart(2, '0')

/** `25/12`, `25-12-26`, `2026-12-25`; without a year the one of now. */
const readDate = (text: string, now: string): string | undefined => {
  const found = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text)
  const local = /^(\d{1,2})[/.-](\d{1,2})(?:[/.-](\d{4}|\d{2}))?$/.exec(text)
  const [year, month, day] = found
    ? [Number(found[1]), Number(found[2]), Number(found[3])]
    : local
      ? [Number(local[3] ?? now.slice(0, 4)), Number(local[2]), Number(local[1])]
      : [0, 0, 0]
  const full = year < 100 ? 2000 + year : year
  return isDay(full, month, day) && (found || local) ? `${full}-${two(month)}-${two(day)}` : undefined
}

/** An answer as it is kept; undefined: it is none of this kind. */
const readAnswer = (kind: AnswerKind, text: string, now: string, pattern = ''): string | undefined => {
  const said = text.trim()
  if (!said) return undefined
  switch (kind) {
    case 'text':
      return said.slice(0, variableMaxChars)
    case 'number':
      return /^[+-]?\d{1,15}([.,]\d{1,10})?$/.test(said) ? said.replace(',', '.').replace('+', '') : undefined
    case 'email':
      return said.length <= 254 && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(said) ? said.toLowerCase() : undefined
    case 'date':
      return readDate(said, now)
    case 'phone': {
      const digits = said.replace(/\D/g, '')
      return /^\+?[\d\s()./-]+$/.test(said) && digits.length >= 6 && digits.length <= 15 ? digits : undefined
    }
    case 'pattern':
      return compilePattern(pattern)?.test(said.slice(0, 1000)) ? said.slice(0, variableMaxChars) : undefined
  }
}

const asNumber = (text: string): number | undefined =>
  /^\s*[+-]?\d+([.,]\d+)?\s*$/.test(text) ? Number(text.replace(',', '.')) : undefined

const compare = (op: Extract<FlowRule, { left: 'variable' }>['op'], value: string, wanted: string): boolean => {
  const [a, b] = [asNumber(value), asNumber(wanted)]
  const [said, asked] = [plainText(value), plainText(wanted)]
  const isSame = a !== undefined && b !== undefined ? a === b : said === asked
  switch (op) {
    case 'equals':
      return isSame
    case 'notEquals':
      return !isSame
    case 'contains':
      return said.includes(asked)
    case 'startsWith':
      return said.startsWith(asked)
    case 'endsWith':
      return said.endsWith(asked)
    case 'greater':
      return a !== undefined && b !== undefined ? a > b : said > asked
    case 'less':
      return a !== undefined && b !== undefined ? a < b : said < asked
    case 'isSet':
      return said !== ''
    case 'isEmpty':
      return said === ''
  }
}

const holds = (rule: FlowRule, variables: FlowVariables, world: FlowWorld, tagIds: ReadonlySet<string>): boolean => {
  switch (rule.left) {
    case 'tag':
      return tagIds.has(rule.tagId) === (rule.op === 'has')
    case 'hours':
      return world.isOpen === (rule.op === 'inside')
    case 'window':
      return world.isWindowOpen === (rule.op === 'open')
    case 'variable': {
      const value = variableValue(rule.name, variables, world.builtIn) ?? ''
      return compare(rule.op, value, fillIn(rule.value ?? '', variables, world.builtIn))
    }
  }
}

/** The option that a message names: tapped, or written as its title or its place. */
const optionOf = (node: NodeOf<'buttons'>, input: Extract<FlowInput, { kind: 'message' }>) => {
  if (input.tapped)
    return input.tapped.nodeId === node.id ? node.options.find(({ id }) => id === input.tapped?.optionId) : undefined
  const said = plainText(input.text)
  return node.options.find(({ title }, i) => said !== '' && (plainText(title) === said || String(i + 1) === said))
}

const noChanges = {}
const nobody = { teamId: null, memberId: null, note: null }

/**
 * One turn of a session: from what came in to where it waits next, or its end. Pure: whoever runs it does what the steps
 * say, in one transaction with keeping where it stands. A node that says something does so only while the window is open.
 * @param place where it stood; of a session that begins, its variables alone count
 */
export function runTurn(graph: GraphIndex, place: Place, input: FlowInput, world: FlowWorld): FlowTurn {
  const steps: FlowStep[] = []
  const tagIds = new Set(world.tagIds)
  let variables = place.variables

  const step = (node: FlowNode, facts: Partial<Omit<FlowStep, 'nodeId'>>): void =>
    void steps.push({
      nodeId: node.id,
      input: null,
      output: null,
      why: null,
      changes: noChanges,
      effect: null,
      ...facts,
    })
  const fill = (text: string): string => fillIn(text, variables, world.builtIn)
  const assign = (values: FlowVariables): FlowStep['changes'] => {
    const changes = Object.fromEntries(
      Object.entries(values).map(([name, after]) => [
        name,
        { before: Object.hasOwn(variables, name) ? (variables[name] as string) : null, after },
      ]),
    )
    variables = { ...variables, ...values }
    return changes
  }
  const over = (outcome: FlowOutcome): FlowTurn => ({ steps, outcome })
  const giveUp = (reason: Extract<FlowOutcome, { kind: 'handedOff' }>['reason']): FlowTurn =>
    over({ kind: 'handedOff', reason, ...nobody })
  const waitAt = (node: FlowNode, kind: 'answer' | 'time', until: string, tries = 0): FlowTurn =>
    over({ kind: 'waits', for: kind, until, place: { nodeId: node.id, variables, tries } })
  const answerBy = ({ timeoutMinutes }: NodeOf<'question'> | NodeOf<'buttons'>): string =>
    new Date(Date.parse(world.now) + (timeoutMinutes ? timeoutMinutes * 60_000 : expiresAfterMs)).toISOString()

  /** What follows a node that something came in for; a turn: the session stays, or is over. */
  const answer = (node: FlowNode): FlowTurn | { output: string } => {
    if (input.kind === 'time') {
      if (node.type === 'wait') {
        step(node, { output: 'next', why: 'waited' })
        return { output: 'next' }
      }
      if ((node.type === 'question' || node.type === 'buttons') && node.timeoutMinutes) {
        step(node, { output: 'timeout', why: 'noAnswer' })
        return { output: 'timeout' }
      }
      step(node, { why: 'noAnswer' })
      return over({ kind: 'expired' })
    }
    if (input.kind !== 'message') return giveUp('nodeGone')
    if (node.type === 'buttons') {
      const option = optionOf(node, input)
      const output = option?.id ?? 'other'
      const value = option?.title ?? input.text.trim().slice(0, variableMaxChars)
      const changes = node.variable ? assign({ [node.variable]: value, [`${node.variable}_id`]: option?.id ?? '' }) : {}
      step(node, { input: input.text, output, why: option ? 'chosen' : 'otherAnswer', changes })
      return { output }
    }
    if (node.type !== 'question') return giveUp('nodeGone')
    const value = input.isText ? readAnswer(node.answer, input.text, world.now, node.pattern) : undefined
    if (value !== undefined) {
      step(node, { input: input.text, output: 'next', why: 'answered', changes: assign({ [node.variable]: value }) })
      return { output: 'next' }
    }
    const tries = place.tries + 1
    if (tries >= node.attempts) {
      step(node, { input: input.text, output: 'invalid', why: 'tooManyTries' })
      return { output: 'invalid' }
    }
    step(node, { input: input.text, why: 'notAnAnswer' })
    if (!world.isWindowOpen) return giveUp('windowClosed')
    const text = fill(node.retryText?.trim() ? node.retryText : node.text)
    step(node, { why: 'askedAgain', effect: text ? { kind: 'text', text } : null })
    return waitAt(node, 'answer', answerBy(node), tries)
  }

  let node: FlowNode | undefined
  if (input.kind === 'begin') node = graph.start
  else {
    const at = graph.node(place.nodeId)
    if (!at) return giveUp('nodeGone')
    const went = answer(at)
    if ('outcome' in went) return went
    node = graph.after(at.id, went.output)
    if (!node) return over({ kind: 'finished' })
  }

  for (let count = 0; node; count += 1) {
    if (count >= mostStepsAtOnce && !isWaiting(node)) {
      step(node, { why: 'tooManySteps' })
      return giveUp('tooManySteps')
    }
    const here: FlowNode = node
    let output = 'next'
    switch (here.type) {
      case 'start':
        step(here, { output })
        break
      case 'message': {
        const text = fill(here.text)
        if (text && !world.isWindowOpen) {
          step(here, { why: 'windowClosed' })
          return giveUp('windowClosed')
        }
        step(here, text ? { output, effect: { kind: 'text', text } } : { output, why: 'nothingToSay' })
        break
      }
      case 'question':
      case 'buttons': {
        const text = fill(here.text)
        if (!world.isWindowOpen || !text) {
          const why = world.isWindowOpen ? 'nothingToSay' : 'windowClosed'
          step(here, { why })
          return giveUp(why)
        }
        const effect =
          here.type === 'question' ? ({ kind: 'text', text } as const) : { kind: 'options' as const, node: here, text }
        step(here, { why: 'asked', effect })
        return waitAt(here, 'answer', answerBy(here))
      }
      case 'condition': {
        const results = here.rules.map(rule => holds(rule, variables, world, tagIds))
        const isTrue = here.all ? results.every(Boolean) : results.some(Boolean)
        output = isTrue ? 'yes' : 'no'
        step(here, { output, why: isTrue ? 'rulesHold' : 'rulesFail' })
        break
      }
      case 'set':
        step(here, { output, changes: assign({ [here.variable]: fill(here.value) }) })
        break
      case 'tag':
        if (!world.knownTagIds.includes(here.tagId)) {
          step(here, { why: 'tagGone' })
          return giveUp('tagGone')
        }
        if (here.action === 'add') tagIds.add(here.tagId)
        else tagIds.delete(here.tagId)
        step(here, { output, effect: { kind: 'tag', action: here.action, tagId: here.tagId } })
        break
      case 'wait':
        step(here, { why: 'waits' })
        return waitAt(here, 'time', endOfWait(here, world))
      case 'goto': {
        const target = graph.node(here.nodeId)
        if (!target) {
          step(here, { why: 'nodeGone' })
          return giveUp('nodeGone')
        }
        step(here, {})
        node = target
        continue
      }
      case 'handoff': {
        const text = fill(here.text ?? '')
        step(here, { effect: text && world.isWindowOpen ? { kind: 'text', text } : null })
        const { teamId = null, memberId = null } = here
        return over({ kind: 'handedOff', reason: 'asked', teamId, memberId, note: fill(here.note ?? '') || null })
      }
      case 'archive':
        step(here, { effect: { kind: 'archive' } })
        return over({ kind: 'finished' })
      case 'end':
        step(here, {})
        return over({ kind: 'finished' })
    }
    node = graph.after(here.id, output)
  }
  return over({ kind: 'finished' })
}
