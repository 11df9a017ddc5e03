import { type Static, type TProperties, Type } from 'typebox'
import { flowLimits } from './limits.ts'
import { nodeFields } from './nodes/all.ts'
import { closed, PartId, VariableName } from './nodes/fields.ts'
import { stepColors } from './nodes/kind.ts'
import { triggerLimits } from './triggers/triggers.ts'

/**
 * A flow as programs write and read it, in calls, exports and imports: the shape of React Flow. It is stored as it was
 * written; server and editor convert it to the graph of `graph.ts`. @see reactflow.dev/api-reference/types/node and
 * …/edge
 */

const Coordinate = Type.Number({ minimum: -1_000_000, maximum: 1_000_000 })
const Position = Type.Object({ x: Coordinate, y: Coordinate }, closed)

/** Fields of every node: its name, and the handles at which the flow is meant to end although nothing follows. */
const common = {
  name: Type.Optional(Type.String({ maxLength: flowLimits.name })),
  color: Type.Optional(Type.Enum(stepColors, { description: 'Of its group on the canvas.' })),
  ends: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 20 })),
}
const nodeOf = <const K extends string, F extends TProperties>(type: K, fields: F) =>
  Type.Object({
    id: PartId,
    type: Type.Literal(type),
    position: Type.Optional(Position),
    data: Type.Optional(Type.Object({ ...common, ...fields }, closed)),
  })
type NodeSchemas = { [T in keyof typeof nodeFields]: ReturnType<typeof nodeOf<T, (typeof nodeFields)[T]>> }
export type WireNode = { [T in keyof NodeSchemas]: Static<NodeSchemas[T]> }[keyof NodeSchemas]

/** A node. Its handles are the outputs of its kind. */
const WireNodeSchema = Type.Unsafe<WireNode>(
  Type.Union(Object.entries(nodeFields).map(([type, fields]) => nodeOf(type, fields))),
)

const WireEdge = Type.Object({
  id: Type.Optional(Type.String({ maxLength: 200 })),
  source: PartId,
  sourceHandle: Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength: 40 }), Type.Null()], { description: 'Absent: `next`.' }),
  ),
  target: PartId,
})

const WireNote = Type.Object({ id: PartId, position: Type.Optional(Position), text: Type.String({ maxLength: 1000 }) })

/** The graph. Only the first edge counts for each node and handle; fields added by React Flow are dropped. */
export const WireGraph = Type.Object(
  {
    nodes: Type.Array(WireNodeSchema, { maxItems: flowLimits.nodes }),
    edges: Type.Array(WireEdge, { maxItems: flowLimits.edges }),
    notes: Type.Optional(Type.Array(WireNote, { maxItems: flowLimits.notes, description: 'Written on the canvas.' })),
  },
  // A viewport also has a position on the screen.
  { additionalProperties: true },
)
export type WireGraph = Static<typeof WireGraph>

const keywordMatches = ['equals', 'starts', 'contains', 'pattern'] as const
const changedTag = { changedTagId: Type.String({ maxLength: 64 }) }
const triggerOf = <const K extends string, F extends Parameters<typeof Type.Object>[0]>(kind: K, fields: F) =>
  Type.Object(
    {
      id: Type.Optional(PartId),
      kind: Type.Literal(kind),
      oncePerContact: Type.Optional(
        Type.Boolean({ description: 'True: not for contacts who have been in this flow before.' }),
      ),
      hours: Type.Optional(
        Type.Enum(['inside', 'outside'], { description: 'Only inside, or only outside, business hours.' }),
      ),
      tagId: Type.Optional(Type.String({ maxLength: 64, description: 'Only for who carries this tag.' })),
      ...fields,
    },
    closed,
  )

/** The trigger of a flow, see `FlowTrigger`. Without an id it gets one from its position in the list. */
export const WireTrigger = Type.Union([
  triggerOf('keyword', {
    match: Type.Enum(keywordMatches),
    words: Type.Array(Type.String({ maxLength: triggerLimits.keywordChars }), {
      maxItems: triggerLimits.words,
      description: 'Any of them.',
    }),
  }),
  triggerOf('firstMessage', {}),
  triggerOf('reopened', { afterHours: Type.Integer({ minimum: 1, maximum: 8760 }) }),
  triggerOf('action', {
    ids: Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: triggerLimits.words }),
  }),
  triggerOf('ad', {
    ids: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      maxItems: triggerLimits.words,
      description: "Meta's ids of advertisements; empty: any.",
    }),
  }),
  triggerOf('campaign', {
    sendId: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'A bulk send; absent: any.' })),
    withinDays: Type.Integer({ minimum: 1, maximum: triggerLimits.answerDays }),
  }),
  triggerOf('tagAdded', changedTag),
  triggerOf('tagRemoved', changedTag),
  triggerOf('webhook', {
    variables: Type.Optional(
      Type.Array(VariableName, {
        maxItems: triggerLimits.variables,
        description: 'Names of variables that a call may set; absent: none.',
      }),
    ),
  }),
  triggerOf('manual', {}),
  triggerOf('default', {}),
])
export type WireTrigger = Static<typeof WireTrigger>
