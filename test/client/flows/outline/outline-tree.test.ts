import t from 'tap'
import { alignedPlaces, tidyPlaces } from '#client/flows/canvas/layout.ts'
import { edgesWithLine } from '#client/flows/canvas/lines.ts'
import { roughSize } from '#client/flows/canvas/rough-size.ts'
import { readDraft, writeDraft } from '#client/flows/editor/draft/draft.ts'
import {
  addNote,
  changeNode,
  changeNote,
  colorSteps,
  connect,
  disconnect,
  movePlaces,
  removeParts,
} from '#client/flows/editor/draft/operations.ts'
import { compareGraphs } from '#client/flows/editor/versions/compare.ts'
import { variableNameOf } from '#client/flows/forms/variable-name.ts'
import { exportedText, forbiddenNameIn, importedDraft, textOfFile } from '#client/flows/import/exchange.ts'
import { outlineOf, stepsInOrder } from '#client/flows/outline/outline-tree.ts'
import { starterKeys } from '#client/flows/starter-plans.ts'
import { starterOf } from '#client/flows/starters.ts'
import { readGraph, showGraph } from '#shared/flows/exchange.ts'
import type { FlowGraph, FlowNode } from '#shared/flows/graph.ts'
import { flowLimits } from '#shared/flows/limits.ts'
import { problemsOf } from '#shared/flows/problems/problems.ts'
import { languages } from '#shared/kernel/language.ts'

const nothing = {
  tagIds: [],
  teamIds: [],
  memberIds: [],
  hasOtherDefault: false,
  sendIds: [],
  templates: [],
  secrets: [],
  flowId: 'self',
  flows: [],
}
const { graph } = starterOf('welcome', 'es')

t.test('no starter has a problem, in either language', async t => {
  for (const language of languages)
    for (const key of starterKeys) {
      const draft = starterOf(key, language)
      t.same(problemsOf(draft, nothing), [], `${key} in ${language}`)
    }
})

t.test('the outline lists each step once; a second path refers to it', async t => {
  const lead = starterOf('lead', 'es').graph
  const outline = outlineOf(lead)
  t.same(
    outline.main.steps.map(({ node }) => node.id),
    ['start', 'hello', 'what', 'email', 'team'],
  )
  const what = outline.main.steps.find(({ node }) => node.id === 'what')
  t.same(
    what?.branches.map(({ place, tail }) => [place.output, tail.kind]),
    [
      ['next', 'continues'],
      ['invalid', 'joins'],
      ['timeout', 'joins'],
    ],
    'the usual way on stands before the exceptions',
  )
  t.same(new Set(stepsInOrder(outline)).size, lead.nodes.length)
})

t.test('the end of a path whose last step has exceptions is said once, before them', async t => {
  const { main } = outlineOf(disconnect(starterOf('lead', 'es').graph, { from: 'email', output: 'next' }, true))
  const last = main.steps.at(-1)
  t.equal(last?.node.id, 'email')
  t.match(last?.branches[0], { place: { output: 'next' }, steps: [], tail: { kind: 'ends' } })
  t.equal(main.tail.kind, 'closed')
})

t.test('unconnected steps are separate, even if they form a loop', async t => {
  const loop = connect(disconnect(graph, { from: 'menu', output: 'hours' }), { from: 'hours', output: 'next' }, 'hours')
  t.same(
    outlineOf(loop).loose.map(({ steps }) => steps.map(({ node }) => node.id)),
    [['bye'], ['hours']],
  )
})

t.test('tidying lets no step cover another, nor come before its predecessor', async t => {
  for (const key of starterKeys) {
    const { graph } = starterOf(key, 'es')
    const places = tidyPlaces(graph)
    t.equal(new Set(graph.nodes.map(({ id }) => `${places[id]?.x} ${places[id]?.y}`)).size, graph.nodes.length)
    // Exceptions are labels where other lines reach their step, so they need no place to their right.
    for (const { from, output, to } of edgesWithLine(graph)) {
      const [a = { x: 0, y: 0 }, b = { x: 0, y: 0 }] = [places[from], places[to]]
      const isBelow = output === 'next' && a.x === b.x && a.y < b.y
      t.ok(a.x < b.x || isBelow, `${key}: ${from} ${to}`)
    }
    const boxes = graph.nodes.map(node => ({ ...places[node.id], ...roughSize(node).measured }))
    for (const [i, one] of boxes.entries())
      for (const other of boxes.slice(i + 1))
        if (one.x === other.x)
          t.ok(Math.abs((one.y ?? 0) - (other.y ?? 0)) > Math.min(one.height, other.height), `${key}: apart`)
  }
})

t.test('versions are compared by content and connections, not by position', async t => {
  const changed = connect(
    removeParts(changeNode(graph, 'hours', { text: 'Siempre.' }), ['bye']),
    { from: 'menu', output: 'other' },
    'person',
  )
  const moved = { ...changed, nodes: changed.nodes.map(node => ({ ...node, x: node.x + 5 })) }
  t.same(
    compareGraphs(graph, moved).flatMap(({ change, id, leadsElsewhere }) =>
      change === 'same' ? [] : `${change} ${id}${leadsElsewhere ? ' leads' : ''}`,
    ),
    ['changed menu leads', 'changed hours leads', 'removed bye'],
  )
  t.same(
    compareGraphs(moved, graph).flatMap(({ change, id }) => (change === 'added' ? id : [])),
    ['bye'],
  )
  const same = compareGraphs(graph, graph)
  t.equal(same.length, graph.nodes.length, 'every step stands there once')
  t.ok(same.every(({ change }) => change === 'same'))
})

t.test('notes are added, moved and removed like steps, and steps get their group’s colour', async t => {
  const noted = addNote(graph, { x: 1, y: 2 })
  const id = noted.notes?.[0]?.id as string
  const written = changeNote(noted, id, 'Preguntar a ventas')
  t.match(movePlaces(written, { [id]: { x: 5, y: 6 } }).notes, [{ text: 'Preguntar a ventas', x: 5, y: 6 }])
  t.same(removeParts(written, [id]).notes, [])
  const colored = colorSteps(graph, ['menu', 'hours'], 'blue')
  t.same(
    colored.nodes.flatMap(node => (node.color ? `${node.id} ${node.color}` : [])),
    ['menu blue', 'hours blue'],
  )
  t.same(colorSteps(colored, ['menu', 'hours'], undefined), graph)
  t.same(readGraph(showGraph(colored)), colored, 'and the color is kept')
  const full = Array.from({ length: flowLimits.notes }).reduce<FlowGraph>(one => addNote(one, { x: 0, y: 0 }), graph)
  t.equal(addNote(full, { x: 0, y: 0 }), full, 'no more than a flow may have')
})

t.test('an export is imported unchanged; other files are refused', async t => {
  const flow = starterOf('hours', 'en')
  const imported = importedDraft(exportedText(flow))
  t.same(imported && readDraft(imported), flow)
  for (const text of [
    '',
    '[]',
    'null',
    '{"name":"x"}',
    '{"format":"recado-flow","version":1,"name":" ","graph":{},"triggers":[]}',
  ])
    t.equal(importedDraft(text), undefined, text)
})

t.test('a forbidden property name is found at any depth; ordinary ones are not', async t => {
  t.equal(forbiddenNameIn(JSON.parse('{"a":[{"b":{"__proto__":{"x":1}}}]}')), '__proto__')
  t.equal(forbiddenNameIn(JSON.parse('{"constructor":{"prototype":{}}}')), 'constructor.prototype')
  for (const text of ['{"constructor":"Ana"}', '{"prototype":1}', '[]', 'null', '"__proto__"'])
    t.equal(forbiddenNameIn(JSON.parse(text)), undefined, text)
  t.equal(forbiddenNameIn(readDraft(writeDraft(starterOf('welcome', 'es')))), undefined)
})

t.test('Latin-1 and UTF-8 files keep their accents, with or without a byte order mark', async t => {
  t.equal(await textOfFile(new Blob([Buffer.from('Señal', 'latin1')])), 'Señal')
  t.equal(await textOfFile(new Blob(['Señal 👋'])), 'Señal 👋')
  t.equal(await textOfFile(new Blob(['\ufeffSeñal'])), 'Señal')
})

t.test('any text becomes a valid variable name', async t => {
  t.equal(variableNameOf('Número de pedido'), 'numero_de_pedido')
  t.equal(variableNameOf('2º nombre'), 'nombre')
  t.equal(variableNameOf('???'), '')
})

t.test('selected steps are aligned in order without overlapping', async t => {
  const at = (id: string, x: number, y: number): FlowNode => ({ id, type: 'message', text: id, x, y })
  const graph = { nodes: [at('a', 0, 200), at('b', 40, 0), at('c', 20, 20), at('d', 900, 900)], edges: [] }
  t.same(alignedPlaces(graph, ['a', 'b', 'c'], 'column'), {
    b: { x: 0, y: 0 },
    c: { x: 0, y: 125 },
    a: { x: 0, y: 250 },
  })
  t.same(alignedPlaces(graph, ['a', 'b', 'c'], 'row'), {
    a: { x: 0, y: 0 },
    c: { x: 328, y: 0 },
    b: { x: 656, y: 0 },
  })
})

t.test('a file of millions of values is checked to its end', async t => {
  t.equal(forbiddenNameIn({ graph: Array(2_000_000).fill(0) }), undefined)
})
