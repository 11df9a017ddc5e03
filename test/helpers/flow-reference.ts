import type { FlowGraph, FlowNode } from '#shared/flow-graph.ts'

/**
 * What flows mean, told as plainly as can be: no steps, no reasons, no subflows, no services, and the window always open.
 * It shares no line with the engine but the shape of the graph, and says what a customer sees.
 */
export type Heard = { readonly kind: 'message'; readonly text: string } | { readonly kind: 'time' }

export interface Shown {
  /** What the customer reads, in order. */
  readonly says: readonly string[]
  readonly tags: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  readonly ends: 'no' | 'finished' | 'handedOff' | 'expired'
}

const mostAtOnce = 50

const waits = ({ type }: FlowNode) => type === 'question' || type === 'buttons' || type === 'wait'

/** Plays all of a conversation from its beginning; what comes after its end is heard by nobody. */
export function tell({ nodes, edges }: FlowGraph, heard: readonly Heard[]): Shown {
  const says: string[] = []
  const tags = new Set<string>()
  const variables: Record<string, string> = {}
  let ends: Shown['ends'] = 'no'
  let tries = 0
  let standsAt: FlowNode | undefined

  const find = (id: string | undefined) => nodes.find(node => node.id === id)
  const next = (node: FlowNode, output: string) =>
    find(edges.find(edge => edge.from === node.id && edge.output === output)?.to)
  const filled = (text: string) =>
    text.replace(/\{\{flujo\.(\w+)(?:\|(\w*))?\}\}/g, (_, name, otherwise) => variables[name] || otherwise || '')

  const walk = (from: FlowNode | undefined): void => {
    let node = from
    for (let taken = 0; ; taken += 1) {
      standsAt = undefined
      if (!node) {
        ends = 'finished'
        return
      }
      if (taken >= mostAtOnce && !waits(node)) {
        ends = 'handedOff'
        return
      }
      if (node.type === 'message') {
        if (filled(node.text)) says.push(filled(node.text))
        node = next(node, 'next')
      } else if (node.type === 'question' || node.type === 'buttons') {
        if (!filled(node.text)) {
          ends = 'handedOff'
          return
        }
        says.push(filled(node.text))
        tries = 0
        standsAt = node
        return
      } else if (node.type === 'wait') {
        standsAt = node
        return
      } else if (node.type === 'condition') {
        const rule = node.rules[0]
        const isSet = rule?.left === 'variable' && Boolean(variables.v)
        const isTagged = rule?.left === 'tag' && tags.has(rule.tagId)
        node = next(node, isSet || isTagged ? 'yes' : 'no')
      } else if (node.type === 'set') {
        variables[node.variable] = filled(node.value)
        node = next(node, 'next')
      } else if (node.type === 'tag') {
        tags[node.action === 'add' ? 'add' : 'delete'](node.tagId)
        node = next(node, 'next')
      } else if (node.type === 'goto') {
        const target = find(node.nodeId)
        if (!target) {
          ends = 'handedOff'
          return
        }
        node = target
      } else if (node.type === 'handoff') {
        if (node.text && filled(node.text)) says.push(filled(node.text))
        ends = 'handedOff'
        return
      } else if (node.type === 'start') node = next(node, 'next')
      else {
        ends = 'finished'
        return
      }
    }
  }

  const hear = (node: FlowNode, input: Heard): void => {
    if (input.kind === 'time') {
      if (node.type === 'wait') {
        walk(next(node, 'next'))
        return
      }
      const { timeoutMinutes = 0 } = node as { timeoutMinutes?: number }
      if (timeoutMinutes) walk(next(node, 'timeout'))
      else ends = 'expired'
      return
    }
    const said = input.text.trim()
    if (node.type === 'question') {
      if (/^\d+(,\d+)?$/.test(said)) {
        variables[node.variable] = said.replace(',', '.')
        walk(next(node, 'next'))
        return
      }
      tries += 1
      if (tries >= node.attempts) walk(next(node, 'invalid'))
      else says.push(filled(node.text))
    } else if (node.type === 'buttons') {
      const place = node.options.findIndex(
        ({ title }, i) => title.toLowerCase() === said.toLowerCase() || String(i + 1) === said,
      )
      const option = node.options[place]
      variables.v = option?.title ?? said
      variables.v_id = option?.id ?? ''
      walk(next(node, option?.id ?? 'other'))
    }
  }

  walk(nodes.find(({ type }) => type === 'start'))
  for (const input of heard) {
    if (!standsAt || ends !== 'no') break
    // Who waits for a time reads nothing meanwhile.
    if (standsAt.type === 'wait' && input.kind === 'message') continue
    hear(standsAt, input)
  }
  return { says, tags: [...tags].sort(), variables, ends }
}
