import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { advanceSession } from '#server/features/flows/step/advance-session.ts'
import type { FlowInput, FlowWorld, SessionPosition } from '#server/features/flows/step/advance-types.ts'
import type { FlowNodeType } from '#shared/flows/graph.ts'
import { joinFlows } from '#shared/flows/subflows.ts'
import { allTypes, anyHeard, anyTellable } from '#test/helpers/any-flow.ts'
import { type Heard, type Shown, serviceAt, type Tellable, tell, templateSays } from '#test/helpers/flow-reference.ts'

/** A fixed number of runs with a fixed seed: the same cases everywhere. */
const runs = { numRuns: 5000, seed: 20261125 }
const hourMs = 3_600_000
const begun = Date.parse('2026-11-02T15:00:00.000Z')

/** The same conversation on the engine, one session with its rows in memory. */
const played = ({ graph, others, isOpen }: Tellable, inputs: readonly Heard[], reached: Set<FlowNodeType>): Shown => {
  const flows = [...others].map(([flowId, graph]) => ({ flowId, version: 1, graph }))
  const { index } = joinFlows(graph, flows, new Map(flows.map(({ flowId }) => [flowId, 1])))
  const says: string[] = []
  const tags = new Set<string>()
  let variables: Record<string, string> = {}
  let place: SessionPosition = { nodeId: '', variables: {}, tries: 0 }
  let ends: Shown['ends'] = 'no'
  let isTimed = false
  let [now, due, windowUntil] = [begun, begun, begun + 24 * hourMs]
  const world = (): FlowWorld => ({
    now: new Date(now).toISOString(),
    customerId: 'c1',
    timeZone: 'UTC',
    isOpen,
    builtIn: {
      'contacto.nombre': '',
      'contacto.telefono': '',
      'agente.nombre': '',
      'org.nombre': '',
      ultimo_mensaje: '',
    },
    tagIds: [...tags],
    isWindowOpen: now < windowUntil,
    expiresAfterHours: 4,
    expiredText: null,
    knownTagIds: ['vip'],
    listLabel: 'Ver opciones',
    fillTemplate: ({ template: name, language, values }) => {
      const text = templateSays(values['body.1'] ?? '')
      const shown = { id: 'i', name, language, header: null, footer: null, buttons: [] }
      return values['body.1'] ? { id: 'i', message: {}, text, shown } : 'templateValues'
    },
  })
  const advance = (input: FlowInput): void => {
    const { steps, outcome } = advanceSession(index, place, input, world())
    for (const { nodeId, effect, changes } of steps) {
      reached.add(index.node(nodeId)?.type ?? 'start')
      if (effect?.kind === 'text' || effect?.kind === 'options') says.push(effect.text)
      if (effect?.kind === 'template') says.push(effect.ready.text)
      if (effect?.kind === 'tag') tags[effect.action === 'add' ? 'add' : 'delete'](effect.tagId)
      for (const [name, { after }] of Object.entries(changes)) variables = { ...variables, [name]: after }
    }
    if (outcome.kind !== 'waits') {
      ends = outcome.kind
      return
    }
    place = outcome.place
    isTimed = outcome.for === 'time'
    due = Date.parse(outcome.until)
    const node = index.node(place.nodeId)
    if (outcome.for !== 'call' || node?.type !== 'http') return
    advance({ kind: 'call', result: { kind: 'answered', ms: 1, tries: 1, ...serviceAt(node.url) } })
  }
  advance({ kind: 'begin' })
  for (const input of inputs) {
    if (ends !== 'no') break
    now = input.kind === 'time' ? due : now + 1000
    if (input.kind === 'time') advance(input)
    else {
      windowUntil = now + 24 * hourMs
      if (!isTimed) advance({ kind: 'message', text: input.text, isText: true, tapped: null })
    }
  }
  return { says, tags: [...tags].sort(), variables, ends }
}

t.test('for any drawing and messages the engine does what the reference implementation says', t => {
  const [ends, types] = [new Set<string>(), new Set<FlowNodeType>()]
  fc.assert(
    fc.property(
      anyTellable({ tagId: 'vip', flowIds: ['one', 'two'] }),
      anyHeard,
      fc.boolean(),
      (flow, inputs, isOpen) => {
        const whole = { ...flow, isOpen }
        const shown = tell(whole, inputs)
        ends.add(shown.ends)
        assert.deepEqual(played(whole, inputs, types), shown)
      },
    ),
    runs,
  )
  t.same([...ends].sort(), ['expired', 'finished', 'handedOff', 'no'], 'every way to end was taken')
  t.same([...types].sort(), allTypes, 'every kind of node was gone through')
  t.end()
})
