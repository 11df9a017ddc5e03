import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { type FlowGraph, indexGraph } from '#shared/flow-graph.ts'
import { runTurn } from '#shared/flow-run.ts'
import type { FlowInput, FlowWorld, SessionPlace } from '#shared/flow-turn.ts'
import { anyHeard, anyTellable } from '#test/helpers/any-flow.ts'
import { type Heard, type Shown, tell } from '#test/helpers/flow-reference.ts'

/** Bounded: whatever they are, they run the same everywhere. */
const runs = { numRuns: 5000, seed: 20261125 }
const world = (tagIds: readonly string[]): FlowWorld => ({
  now: '2026-11-02T15:00:00.000Z',
  timeZone: 'UTC',
  isOpen: true,
  builtIn: {
    'contacto.nombre': '',
    'contacto.telefono': '',
    'agente.nombre': '',
    'org.nombre': '',
    ultimo_mensaje: '',
  },
  tagIds,
  isWindowOpen: true,
  expiresAfterHours: 4,
  expiredText: null,
  knownTagIds: ['vip'],
  fillTemplate: () => 'templateGone',
})

/** The same conversation on the engine, one session with its rows in mind. */
const played = (graph: FlowGraph, inputs: readonly Heard[]): Shown => {
  const index = indexGraph(graph)
  const says: string[] = []
  const tags = new Set<string>()
  let variables: Record<string, string> = {}
  let place: SessionPlace = { nodeId: '', variables: {}, tries: 0 }
  let ends: Shown['ends'] = 'no'
  let isTimed = false
  const turn = (input: FlowInput): void => {
    const { steps, outcome } = runTurn(index, place, input, world([...tags]))
    for (const { effect, changes } of steps) {
      if (effect?.kind === 'text' || effect?.kind === 'options') says.push(effect.text)
      if (effect?.kind === 'tag') tags[effect.action === 'add' ? 'add' : 'delete'](effect.tagId)
      for (const [name, { after }] of Object.entries(changes)) variables = { ...variables, [name]: after }
    }
    if (outcome.kind !== 'waits') {
      ends = outcome.kind
      return
    }
    place = outcome.place
    isTimed = outcome.for === 'time'
  }
  turn({ kind: 'begin' })
  for (const input of inputs) {
    if (ends !== 'no') break
    if (input.kind === 'time') turn(input)
    else if (!isTimed) turn({ kind: 'message', text: input.text, isText: true, tapped: null })
  }
  return { says, tags: [...tags].sort(), variables, ends }
}

t.test('whatever is drawn and whatever is said, the engine does what the plain telling says', t => {
  const reached = new Set<string>()
  fc.assert(
    fc.property(anyTellable('vip'), anyHeard, (graph, inputs) => {
      const shown = tell(graph, inputs)
      reached.add(shown.ends)
      assert.deepEqual(played(graph, inputs), shown)
    }),
    runs,
  )
  t.same([...reached].sort(), ['expired', 'finished', 'handedOff', 'no'], 'every way to end was taken')
  t.end()
})
