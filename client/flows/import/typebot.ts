import { type FlowEdge, type FlowGraph, type FlowNode, outputsOf } from '#shared/flows/graph.ts'
import { flowLimits } from '#shared/flows/limits.ts'
import type { FlowTrigger } from '#shared/flows/triggers/triggers.ts'
import { tidyPlaces } from '../canvas/layout.ts'
import type { FlowDraft } from '../editor/draft/draft.ts'
import { carryBlock, isInput, lookHere } from './typebot-blocks.ts'
import type { Carried, TypebotLoss, Way } from './typebot-carried.ts'
import {
  asList,
  asObject,
  asText,
  readTypebot,
  type TypebotBlock,
  type TypebotFile,
  type TypebotRefusal,
} from './typebot-file.ts'
import { isMedia } from './typebot-media.ts'
import { isForeignPattern, writtenPattern } from './typebot-rules.ts'
import { richTextOf, uniqueNames } from './typebot-text.ts'

/** A difference between the file and the result. */
export interface Lost {
  readonly what: TypebotLoss | 'event' | 'startRule' | 'noTrigger' | 'noStart'
  /** Its group; empty: the whole file. */
  readonly group: string
  readonly detail: string
}
export interface CarriedFlow {
  readonly draft: FlowDraft
  readonly lost: readonly Lost[]
}
interface Words {
  readonly name: string
  readonly options: string
}

const matches = {
  'Equal to': 'equals',
  Contains: 'contains',
  'Starts with': 'startsWith',
  'Matches regex': 'pattern',
} as const
const triggersOf = ({ whatsApp }: TypebotFile, lose: (what: Lost['what'], detail?: string) => void): FlowTrigger[] => {
  const { comparisons, logicalOperator } = asObject(whatsApp.startCondition)
  const rules = asList(comparisons).slice(0, flowLimits.triggers).map(asObject)
  const triggers: FlowTrigger[] = []
  for (const { comparisonOperator, value } of rules) {
    const operator = asText(comparisonOperator)
    const match = Object.hasOwn(matches, operator) ? matches[operator as keyof typeof matches] : undefined
    const word = asText(value).trim().slice(0, 200)
    const said = match === 'pattern' ? writtenPattern(word) : word
    const isOurs = said && !(match === 'pattern' && isForeignPattern(said))
    if (match && isOurs && (rules.length === 1 || logicalOperator === 'OR'))
      triggers.push({ id: `t${triggers.length + 1}`, kind: 'keyword', match, words: [said] })
    else lose('startRule', `${operator} ${word}`.trim())
  }
  if (!triggers.length) lose('noTrigger')
  return triggers
}

/** True if an input follows, with only media in between. */
const inputBehind = (blocks: readonly TypebotBlock[], at: number): boolean => {
  const next = blocks.slice(at + 1).find(block => !isMedia(block))
  return next !== undefined && isInput(next)
}
const wordsBefore = (blocks: readonly TypebotBlock[], at: number): TypebotBlock | undefined => {
  const before = blocks.slice(0, at).findLast(block => !isMedia(block))
  return before?.type === 'text' && richTextOf(before.content) ? before : undefined
}

/** A block with its steps. */
interface Placed extends Carried {
  readonly block: TypebotBlock
  readonly ids: string[]
  /** Its text is used as the question of the following input. */
  readonly isSaid: boolean
}

/**
 * Converts a Typebot flow into ours, and lists all differences. A bubble before an input becomes its question; repeated
 * questions stay repeated; unsupported parts are skipped and listed.
 */
export function carryTypebot(text: string, words: Words): CarriedFlow | TypebotRefusal {
  const file = readTypebot(text)
  if (typeof file === 'string') return file
  const names = uniqueNames(file.variables)
  const lost: Lost[] = []
  const loseIn =
    (group: string) =>
    (what: Lost['what'], detail = '') =>
      void lost.push({ what, group, detail })
  let count = 0
  const groups = new Map<string, { readonly title: string; readonly placed: readonly Placed[] }>()
  for (const { id, title, blocks } of file.groups) {
    const lose = loseIn(title)
    const placed: Placed[] = []
    for (const [i, block] of blocks.entries()) {
      // The following input uses its text, even if media come in between.
      if (block.type === 'text' && richTextOf(block.content) && inputBehind(blocks, i)) {
        placed.push({ block, steps: [], ids: [], isSaid: true })
        continue
      }
      const before = isInput(block) ? wordsBefore(blocks, i) : undefined
      const said = before ? names.inText(richTextOf(before.content)) : { text: '', lost: [] }
      for (const what of said.lost) lose(what, richTextOf(before?.content ?? {}).slice(0, 80))
      const carried = carryBlock(block, said.text, { names, words, lose })
      placed.push({ ...carried, block, ids: carried.steps.map((_, at) => `n${count + at + 1}`), isSaid: false })
      count += carried.steps.length
    }
    if (groups.has(id)) loseIn('')('dropped', title)
    else groups.set(id, { title, placed })
  }
  if (count + 1 > flowLimits.nodes) return 'tooManyBlocks'

  /** The step for a block, or for what follows it in its group; undefined: the path ends there. */
  const entryOf = (
    target: { groupId: string; blockId: string | undefined } | undefined,
    seen = 0,
  ): string | undefined => {
    const group = target && groups.get(target.groupId)?.placed
    if (!target || !group || seen > maxJumps) return undefined
    const from = target.blockId === undefined ? 0 : group.findIndex(({ block }) => block.id === target.blockId)
    return from === -1 ? undefined : entryFrom(group, from, seen)
  }
  const entryFrom = (group: readonly Placed[], from: number, seen: number): string | undefined => {
    for (let i = from; i < group.length; i += 1) {
      const { ids, jumpsTo, block, isSaid } = group[i] as Placed
      if (ids[0]) return ids[0]
      if (jumpsTo) return entryOf(jumpsTo, seen + 1)
      const leads = isSaid ? undefined : leadOf(block)
      if (leads) return entryOf(leads, seen + 1)
    }
    return undefined
  }
  const leadOf = ({ id, edgeId }: TypebotBlock) => file.edges.get(edgeId ?? '') ?? file.edgesFrom.get(id)

  const nodes: FlowNode[] = [{ id: 'start', type: 'start', x: 0, y: 0 }]
  const edges: FlowEdge[] = []
  const connect = (from: string, output: string, to: string | undefined) => {
    if (to !== undefined) edges.push({ id: `e${edges.length + 1}`, from, output, to })
  }
  const targetOfWay = (group: readonly Placed[], i: number, at: number, to: Way['to']): string | undefined => {
    const { block, ids } = group[i] as Placed
    if (to === 'self') return ids[at]
    const next = () => (leadOf(block) ? entryOf(leadOf(block)) : entryFrom(group, i + 1, 0))
    if (to === 'next') return next()
    for (const key of to) {
      if (key.startsWith('#')) return ids[Number(key.slice(1))]
      const target = file.edges.get(key) ?? file.edgesFrom.get(key)
      if (target) return entryOf(target)
    }
    // An empty last key: an output without an edge continues where the block does.
    return to.at(-1) === '' ? next() : undefined
  }
  for (const event of file.events) loseIn('')('event', event)
  const triggers = triggersOf(file, loseIn(''))
  const entry = entryOf(file.start)
  if (!entry) loseIn('')('noStart')
  // A difference that belongs to no step gets a step at the start of the flow, where the author has to look at it.
  const elsewhere = lost.find(({ what, group }) => group === '' && ofWhole.has(what))
  if (elsewhere) {
    if (count + 2 > flowLimits.nodes) return 'tooManyBlocks'
    nodes.push({ ...lookHere(elsewhere.detail || elsewhere.what), id: 'n0', x: 0, y: 0 } as FlowNode)
    connect('start', 'next', 'n0')
  }
  connect(elsewhere ? 'n0' : 'start', 'next', entry)
  for (const { title, placed: group } of groups.values()) {
    for (const [i, { steps, ids }] of group.entries()) {
      for (const [at, { content, ways }] of steps.entries()) {
        const nodeId = ids[at] as string
        const name = title.trim().slice(0, flowLimits.name)
        const isFirst = i === group.findIndex(one => one.ids.length) && at === 0
        // Its name tells why the author has to look at it.
        nodes.push({ ...(name && isFirst ? { name } : {}), ...content, id: nodeId, x: 0, y: 0 } as FlowNode)
        for (const { output, to } of ways) connect(nodeId, output, targetOfWay(group, i, at, to))
      }
    }
  }
  if (edges.length > flowLimits.edges) return 'tooManyBlocks'
  const used = new Set(edges.map(({ from, output }) => `${from} ${output}`))
  const graph: FlowGraph = {
    edges,
    nodes: nodes.map(node => {
      const ends = outputsOf(node).filter(output => output !== 'error' && !used.has(`${node.id} ${output}`))
      return ends.length ? { ...node, ends } : node
    }),
  }
  const places = tidyPlaces(graph)
  return {
    draft: {
      name: (file.name || words.name).slice(0, flowLimits.name),
      triggers,
      graph: {
        ...graph,
        nodes: graph.nodes.map(node => ({ ...node, ...(places[node.id] ?? {}) })),
      },
    },
    lost,
  }
}

/** Differences of the whole flow that change what it does. */
const ofWhole: ReadonlySet<Lost['what']> = new Set(['event', 'startRule', 'dropped', 'noStart'])

/** The most consecutive jumps without a step in between. */
const maxJumps = 50
