import type { FlowGraph, FlowNode, NodeOf } from '#shared/flows/graph.ts'
import type { FlowRule } from '#shared/flows/nodes/condition.ts'

/**
 * A plain interpreter of flows: no steps, reasons or versions. It shares nothing with the engine except the type of the
 * graph, and returns what a customer sees.
 */
export type Heard = { readonly kind: 'message'; readonly text: string } | { readonly kind: 'time' }

/** A flow, and the flows that it can run, by id. */
export interface Tellable {
  readonly graph: FlowGraph
  readonly others: ReadonlyMap<string, FlowGraph>
  /** Whether it is within business hours. */
  readonly isOpen: boolean
}

export interface Shown {
  /** What the customer reads, in order. */
  readonly says: readonly string[]
  readonly tags: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  readonly ends: 'no' | 'finished' | 'handedOff' | 'expired'
}

/** A service's answers by path. */
export const serviceAnswers = {
  '/listo': { status: 200, text: '{"estado":"listo"}' },
  '/nada': { status: 200, text: '{}' },
  '/prosa': { status: 200, text: 'listo' },
  '/no': { status: 404, text: '{"estado":"no"}' },
  '/caido': { status: 500, text: '' },
} as const
export const serviceAt = (url: string) => serviceAnswers[new URL(url).pathname as keyof typeof serviceAnswers]

/** The text of the only template. */
export const templateSays = (value: string): string => `Hola, hay un aviso: ${value} para vos en el local.`

const maxAtOnce = 50
const maxAskedInRow = 20
const maxInside = 5
const hoursOfWindow = 24

interface At {
  readonly node: FlowNode
  readonly graph: FlowGraph
}
/** `waits`: for a message or a time; `types`: before it sends; `parked`: until WhatsApp's window opens. */
type Stands = At & { readonly how: 'waits' | 'types' | 'parked' }

const waits = ({ type }: FlowNode) => type === 'question' || type === 'buttons' || type === 'wait' || type === 'http'

/** Plays a conversation from its beginning. Input after its end is ignored. */
export function tell({ graph: root, others, isOpen }: Tellable, heard: readonly Heard[]): Shown {
  const says: string[] = []
  const tags = new Set<string>()
  const variables: Record<string, string> = {}
  let ends: Shown['ends'] = 'no'
  let tries = 0
  let asked = 0
  let isClosed = false
  let inside: At[] = []
  let stands: Stands | undefined

  const over = (how: Shown['ends']): undefined => {
    ends = how
  }
  const find = (graph: FlowGraph, id: string | undefined): At | undefined => {
    const node = graph.nodes.find(one => one.id === id)
    return node && { node, graph }
  }
  /** The next step. After the last step of a subflow, the step after the one that ran it. */
  const next = ({ node, graph }: At, output: string): At | undefined => {
    const to = graph.edges.find(edge => edge.from === node.id && edge.output === output)?.to
    return find(graph, to) ?? out()
  }
  const out = (): At | undefined => {
    const caller = inside.at(-1)
    inside = inside.slice(0, -1)
    return caller ? next(caller, 'next') : over('finished')
  }
  const filled = (text: string) =>
    text.replace(/\{\{flujo\.(\w+)(?:\|(\w*))?\}\}/g, (_, name, otherwise) => variables[name] || otherwise || '')
  const holds = (rule: FlowRule): boolean => {
    if (rule.left === 'tag') return tags.has(rule.tagId)
    if (rule.left === 'window') return isClosed === (rule.op === 'closed')
    if (rule.left === 'hours') return isOpen === (rule.op === 'inside')
    // Texts are compared without case.
    const value = (variables.v ?? '').toLowerCase()
    const asked = (rule.value ?? '').toLowerCase()
    switch (rule.op) {
      case 'isSet':
        return value !== ''
      case 'notContains':
        return !value.includes(asked)
      case 'greaterOrEqual':
        return value > asked || value === asked
      case 'lessOrEqual':
        return value < asked || value === asked
      case 'fitsPattern':
        return new RegExp(rule.value ?? '').test(variables.v ?? '')
      case 'notFitsPattern':
        return !new RegExp(rule.value ?? '').test(variables.v ?? '')
      default:
        return value === asked
    }
  }
  const sayTemplate = (value = ''): boolean => {
    if (filled(value)) says.push(templateSays(filled(value)))
    return filled(value) !== ''
  }
  /** Returns whether it could send. Otherwise the session has ended, or waits until the customer opens the window. */
  const say = (at: At, node: NodeOf<'message'> | NodeOf<'question'> | NodeOf<'buttons'>): boolean => {
    if (!isClosed) {
      says.push(filled(node.text))
      return true
    }
    if (!node.fallback) stands = { ...at, how: 'parked' }
    else if (sayTemplate(node.fallback.values['body.1'])) return true
    else over('handedOff')
    return false
  }

  const walk = (from: At | undefined, isTyped = false): undefined => {
    let at = from
    let isReady = isTyped
    for (let taken = 0; at; taken += 1) {
      stands = undefined
      const { node, graph }: At = at
      if (taken >= maxAtOnce && !waits(node)) return over('handedOff')
      const isWritten = isReady
      isReady = false
      switch (node.type) {
        case 'message':
          if (node.typingMs && !isWritten && !isClosed && asked < maxAskedInRow) {
            asked += 1
            stands = { ...at, how: 'types' }
            return
          }
          if (filled(node.text) && !say(at, node)) return
          at = next(at, 'next')
          break
        case 'template':
          if (!sayTemplate(node.values['body.1'])) return over('handedOff')
          at = next(at, 'next')
          break
        case 'question':
        case 'buttons':
          if (!filled(node.text)) return over('handedOff')
          if (!say(at, node)) return
          tries = 0
          stands = { ...at, how: 'waits' }
          return
        case 'wait':
          stands = { ...at, how: 'waits' }
          return
        case 'condition':
          at = next(at, node.rules[node.all ? 'every' : 'some'](holds) ? 'yes' : 'no')
          break
        case 'set':
          variables[node.variable] = filled(node.value)
          at = next(at, 'next')
          break
        case 'tag':
          tags[node.action === 'add' ? 'add' : 'delete'](node.tagId)
          at = next(at, 'next')
          break
        case 'http': {
          asked += 1
          if (asked > maxAskedInRow) return over('handedOff')
          const { status, text } = serviceAt(node.url)
          const isRefused = status === 404 && node.refusals
          const isGood = status === 200 && text.startsWith('{')
          if (isGood) variables.v = text.includes('listo') ? 'listo' : ''
          const output = isGood ? 'next' : isRefused ? 'refused' : 'error'
          const isDrawn = graph.edges.some(edge => edge.from === node.id && edge.output === output)
          if (output === 'error' && !isDrawn) return over('handedOff')
          at = next(at, output)
          // Its result begins a new advance.
          taken = -1
          break
        }
        case 'goto': {
          const target = find(graph, node.nodeId)
          if (!target) return over('handedOff')
          at = target
          break
        }
        case 'subflow': {
          const other = others.get(node.flowId)
          if (!other || inside.length >= maxInside) return over('handedOff')
          inside = [...inside, at]
          at = find(other, other.nodes.find(({ type }) => type === 'start')?.id)
          break
        }
        case 'handoff':
          if (node.hours && !isOpen) {
            at = next(at, 'closed')
            break
          }
          if (node.message && filled(node.message) && !isClosed) says.push(filled(node.message))
          return over('handedOff')
        case 'start':
          at = next(at, 'next')
          break
        case 'end':
          at = out()
          break
        case 'close':
          return over('finished')
      }
    }
  }

  const pass = (at: Stands): undefined => {
    const { node } = at
    if (at.how === 'types') return walk(at, true)
    asked = 0
    if (at.how === 'parked') return over('expired')
    if (node.type === 'wait') {
      if (node.ms >= hoursOfWindow * 3_600_000) isClosed = true
      return walk(next(at, 'next'))
    }
    const { timeoutMs = 0 } = node as { timeoutMs?: number }
    return timeoutMs ? walk(next(at, 'timeout')) : over('expired')
  }

  const hear = (at: Stands, text: string): undefined => {
    const { node } = at
    isClosed = false
    // A session that waits for a time reads nothing meanwhile.
    if (at.how === 'types' || node.type === 'wait') return
    asked = 0
    if (at.how === 'parked') return walk(at)
    const said = text.trim()
    if (node.type === 'question') {
      if (node.expects === 'text' || /^\d+(,\d+)?$/.test(said)) {
        variables[node.variable] = node.expects === 'text' ? said : said.replace(',', '.')
        return walk(next(at, 'next'))
      }
      tries += 1
      if (tries >= node.attempts) return walk(next(at, 'invalid'))
      says.push(filled(node.retryText || node.text))
    } else if (node.type === 'buttons') {
      const place = node.options.findIndex(
        ({ title }, i) => title.toLowerCase() === said.toLowerCase() || String(i + 1) === said,
      )
      const option = node.options[place]
      variables.v = option?.title ?? said
      variables.v_id = option?.id ?? ''
      walk(next(at, option?.id ?? 'other'))
    }
  }

  walk(find(root, root.nodes.find(({ type }) => type === 'start')?.id))
  for (const input of heard) {
    if (!stands || ends !== 'no') break
    if (input.kind === 'time') pass(stands)
    else hear(stands, input.text)
  }
  return { says, tags: [...tags].sort(), variables, ends }
}
