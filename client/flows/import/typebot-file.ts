/**
 * A Typebot export, as far as it is used here. The file is not trusted: anything of an unexpected shape is ignored.
 * @see docs.typebot.io, and `packages/blocks` of the repository baptisteArno/typebot.io
 */
export interface TypebotBlock {
  readonly id: string
  readonly type: string
  readonly options: Json
  readonly content: Json
  readonly items: readonly Json[]
  readonly edgeId: string | undefined
}
interface TypebotGroup {
  readonly id: string
  readonly title: string
  readonly blocks: readonly TypebotBlock[]
}
interface Target {
  readonly groupId: string
  readonly blockId: string | undefined
}
export interface TypebotFile {
  readonly name: string
  readonly groups: readonly TypebotGroup[]
  /** The edges by id, and by their origin: a block, or an item of it. */
  readonly edges: ReadonlyMap<string, Target>
  readonly edgesFrom: ReadonlyMap<string, Target>
  /** Names by id. */
  readonly variables: ReadonlyMap<string, string>
  /** The first block. */
  readonly start: Target | undefined
  /** The kinds of events besides the start. */
  readonly events: readonly string[]
  readonly whatsApp: Json
}

export type Json = Readonly<Record<string, unknown>>

const maxBlocks = 2000

export const asObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')
const asId = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined)

const blockOf = (value: unknown): TypebotBlock => {
  const block = asObject(value)
  return {
    id: asText(block.id),
    type: asText(block.type),
    options: asObject(block.options),
    content: asObject(block.content),
    items: asList(block.items).map(asObject),
    edgeId: asId(block.outgoingEdgeId),
  }
}

const targetOf = (value: unknown): Target | undefined => {
  const { groupId, blockId } = asObject(value)
  const id = asId(groupId)
  return id === undefined ? undefined : { groupId: id, blockId: asId(blockId) }
}

export const itemKey = (blockId: string, itemId: string): string => `${blockId} ${itemId}`

/** Why a file is refused. */
export type TypebotRefusal = 'unreadable' | 'notTypebot' | 'tooManyBlocks'

/** The content of a file; a refusal if it is not a Typebot export, or larger than a flow may be. */
export function readTypebot(text: string): TypebotFile | TypebotRefusal {
  let found: Json
  try {
    found = asObject(JSON.parse(text))
  } catch {
    return 'unreadable'
  }
  const bot = Array.isArray(found.groups) ? found : asObject(found.typebot)
  if (!Array.isArray(bot.groups) || !Array.isArray(bot.edges)) return 'notTypebot'
  // Some exports have no version: then groups with blocks identify them.
  const isKnown =
    bot.version == null
      ? bot.groups.some(group => Array.isArray(asObject(group).blocks))
      : /^[3-6](?:\.|$)/.test(String(bot.version))
  if (!isKnown) return 'notTypebot'
  const groups = bot.groups.map(value => {
    const group = asObject(value)
    return { id: asText(group.id), title: asText(group.title), blocks: asList(group.blocks).map(blockOf) }
  })
  if (groups.reduce((sum, { blocks }) => sum + blocks.length, 0) > maxBlocks) return 'tooManyBlocks'
  const edges = new Map<string, Target>()
  const edgesFrom = new Map<string, Target>()
  for (const value of bot.edges) {
    const { id, from, to } = asObject(value)
    const target = targetOf(to)
    if (!target) continue
    const { blockId, itemId, eventId } = asObject(from)
    if (asId(id)) edges.set(asText(id), target)
    const begins = asId(blockId) ?? asId(eventId)
    if (begins) edgesFrom.set(asId(itemId) ? itemKey(begins, asText(itemId)) : begins, target)
  }
  const events = asList(bot.events).map(asObject)
  const [start] = events.filter(({ type }) => type === 'start')
  // Before version 6 the start was a block in a group of its own.
  const first = groups.flatMap(({ blocks }) => blocks).find(({ type }) => type === 'start')
  const startEdge = start ? asText(start.outgoingEdgeId) : (first?.edgeId ?? '')
  return {
    name: asText(bot.name).trim(),
    groups,
    edges,
    edgesFrom,
    variables: new Map(
      asList(bot.variables)
        .slice(0, maxBlocks)
        .map(asObject)
        .map(({ id, name }) => [asText(id), asText(name)]),
    ),
    start: edges.get(startEdge) ?? edgesFrom.get(asText(start?.id) || (first?.id ?? '')),
    events: events.filter(({ type }) => type !== 'start').map(({ type }) => asText(type)),
    whatsApp: asObject(asObject(bot.settings).whatsApp),
  }
}
