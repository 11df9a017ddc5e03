import {
  type FlowGraph,
  type FlowNode,
  type FlowRule,
  flowLimits,
  type TemplateChoice,
  type WaitUnit,
  waitUnitMs,
} from './graph.ts'
import type { FlowTrigger } from './triggers.ts'
import type { WireGraph, WireNode, WireRule, WireTrigger } from './wire.ts'

const origin = { x: 0, y: 0 }
const edgeId = (i: number) => `edge-${i + 1}`

/** The graph with nothing but what is declared, and with what may be left out. */
export const keptGraph = ({ nodes, edges, notes }: WireGraph): WireGraph => ({
  nodes: nodes.map(({ id, type, position, data }) => ({
    id,
    type,
    position: position ?? origin,
    data: data ?? {},
  })) as WireNode[],
  edges: edges.map(({ id, source, sourceHandle, target }, i) => ({
    id: id ?? edgeId(i),
    source,
    sourceHandle: sourceHandle ?? 'next',
    target,
  })),
  ...(notes ? { notes: notes.map(({ id, position, text }) => ({ id, position: position ?? origin, text })) } : {}),
})

const opOf = {
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
  fitsPattern: 'fitsPattern',
  notFitsPattern: 'notFitsPattern',
  set: 'isSet',
  empty: 'isEmpty',
} as const
const isOf = Object.fromEntries(Object.entries(opOf).map(([is, op]) => [op, is])) as {
  [Is in keyof typeof opOf as (typeof opOf)[Is]]: Is
}

const ownPrefix = 'flujo.'
const lastMessage = 'ultimo_mensaje'

const readRule = (rule: WireRule): FlowRule => {
  if ('variable' in rule) {
    const { variable, is, value } = rule
    const isOwn = variable !== '' && variable !== lastMessage && !variable.includes('.')
    return {
      left: 'variable',
      name: isOwn ? ownPrefix + variable : variable,
      op: opOf[is],
      ...(value === undefined ? {} : { value }),
    }
  }
  if ('tagId' in rule) return { left: 'tag', op: rule.is, tagId: rule.tagId }
  return 'hours' in rule ? { left: 'hours', op: rule.hours } : { left: 'window', op: rule.window }
}
const showRule = (rule: FlowRule): WireRule => {
  switch (rule.left) {
    case 'variable': {
      const { name, op, value } = rule
      return {
        variable: name.startsWith(ownPrefix) ? name.slice(ownPrefix.length) : name,
        is: isOf[op],
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

/** In the largest unit that says it whole. */
const readWait = (ms: number): { amount: number; unit: WaitUnit } => {
  const units = Object.keys(waitUnitMs) as WaitUnit[]
  const unit = units.find(one => ms >= waitUnitMs[one] && ms % waitUnitMs[one] === 0) ?? 'seconds'
  return { amount: ms / waitUnitMs[unit], unit }
}

const minutesOf = (ms = 0) => ms / 60_000
const msOf = (minutes: number) => (minutes ? { timeoutMs: Math.round(minutes * 60_000) } : {})

const dataOf = <T extends WireNode>({ data }: T) => (data ?? {}) as NonNullable<T['data']>

const readChoice = ({ template = '', language = '', values = {} }: Partial<TemplateChoice>): TemplateChoice => ({
  template,
  language,
  values,
})
const readFallback = ({ fallback }: { fallback?: Partial<TemplateChoice> }) =>
  fallback ? { fallback: readChoice(fallback) } : {}

const readContent = (node: WireNode): object => {
  switch (node.type) {
    case 'message':
      return { text: '', ...dataOf(node), ...readFallback(dataOf(node)) }
    case 'template':
      return { ...dataOf(node), ...readChoice(dataOf(node)) }
    case 'question': {
      const { expects = 'text', attempts = 3, timeoutMs, text = '', variable = '', ...rest } = dataOf(node)
      return {
        ...rest,
        text,
        variable,
        answer: expects,
        attempts,
        timeoutMinutes: minutesOf(timeoutMs),
        ...readFallback(rest),
      }
    }
    case 'buttons': {
      const { timeoutMs, text = '', options = [], ...rest } = dataOf(node)
      return { ...rest, text, options, timeoutMinutes: minutesOf(timeoutMs), ...readFallback(rest) }
    }
    case 'condition': {
      const { all, any, ...rest } = dataOf(node)
      return { ...rest, all: any === undefined, rules: (any ?? all ?? []).map(readRule) }
    }
    case 'set':
      return { variable: '', value: '', ...dataOf(node) }
    case 'tag':
      return { action: 'add', tagId: '', ...dataOf(node) }
    case 'wait': {
      const { ms = 0, ...rest } = dataOf(node)
      return { ...rest, ...readWait(ms) }
    }
    case 'http': {
      const { body = '', form = [], send = body ? 'json' : form.length ? 'form' : 'nothing', ...rest } = dataOf(node)
      const plain = { method: 'GET', url: '', headers: [], timeoutMs: flowLimits.callMs, map: [] }
      return { ...plain, mock: { status: 200, body: '' }, ...rest, body, form, send }
    }
    case 'goto':
      return { nodeId: '', ...dataOf(node) }
    case 'subflow':
      return { flowId: '', ...dataOf(node) }
    case 'handoff': {
      const { message, userId, ...rest } = dataOf(node)
      return {
        ...rest,
        ...(message === undefined ? {} : { text: message }),
        ...(userId === undefined ? {} : { memberId: userId }),
      }
    }
    default:
      return dataOf(node)
  }
}

const contentOf = <T extends FlowNode>({ id: _id, type: _type, x: _x, y: _y, ...content }: T) => content

const showContent = (node: FlowNode): object => {
  switch (node.type) {
    case 'question': {
      const { answer, timeoutMinutes, ...content } = contentOf(node)
      return { ...content, expects: answer, ...msOf(timeoutMinutes) }
    }
    case 'buttons': {
      const { timeoutMinutes, ...content } = contentOf(node)
      return { ...content, ...msOf(timeoutMinutes) }
    }
    case 'condition': {
      const { all, rules, ...content } = contentOf(node)
      return { ...content, [all ? 'all' : 'any']: rules.map(showRule) }
    }
    case 'wait': {
      const { amount, unit, ...content } = contentOf(node)
      return { ...content, ms: Math.round(amount * waitUnitMs[unit]) }
    }
    case 'handoff': {
      const { text, memberId, ...content } = contentOf(node)
      return {
        ...content,
        ...(text === undefined ? {} : { message: text }),
        ...(memberId === undefined ? {} : { userId: memberId }),
      }
    }
    default:
      return contentOf(node)
  }
}

/** What was written, as the rooms inside read it; what a draft does not say yet is empty. */
export const readGraph = ({ nodes, edges, notes }: WireGraph): FlowGraph => ({
  nodes: nodes.map(
    node =>
      ({
        ...readContent(node),
        id: node.id,
        type: node.type === 'close' ? 'archive' : node.type,
        ...(node.position ?? origin),
      }) as FlowNode,
  ),
  edges: edges.map(({ id, source, sourceHandle, target }, i) => ({
    id: id ?? edgeId(i),
    from: source,
    output: sourceHandle ?? 'next',
    to: target,
  })),
  ...(notes ? { notes: notes.map(({ id, position, text }) => ({ id, text, ...(position ?? origin) })) } : {}),
})

/** The other way round. */
export const showGraph = ({ nodes, edges, notes }: FlowGraph): WireGraph => ({
  nodes: nodes.map(
    node =>
      ({
        id: node.id,
        type: node.type === 'archive' ? 'close' : node.type,
        position: { x: node.x, y: node.y },
        data: showContent(node),
      }) as WireNode,
  ),
  edges: edges.map(({ id, from, output, to }) => ({ id, source: from, sourceHandle: output, target: to })),
  ...(notes ? { notes: notes.map(({ id, x, y, text }) => ({ id, position: { x, y }, text })) } : {}),
})

export const readTriggers = (triggers: readonly WireTrigger[]): FlowTrigger[] =>
  triggers.map((trigger, i) => {
    const id = trigger.id ?? `trigger-${i + 1}`
    if (trigger.kind === 'keyword')
      return { ...trigger, id, match: trigger.match === 'starts' ? 'startsWith' : trigger.match }
    return trigger.kind === 'webhook' ? { variables: [], ...trigger, id } : { ...trigger, id }
  })

export const showTriggers = (triggers: readonly FlowTrigger[]): WireTrigger[] =>
  triggers.map(
    trigger =>
      (trigger.kind === 'keyword'
        ? { ...trigger, match: trigger.match === 'startsWith' ? 'starts' : trigger.match }
        : trigger) as WireTrigger,
  )
