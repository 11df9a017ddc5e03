import t from 'tap'
import { readCopied } from '#client/flows/editor/draft/clipboard.ts'
import { starterKeys } from '#client/flows/starter-plans.ts'
import { starterOf } from '#client/flows/starters.ts'
import { showGraph } from '#shared/flows/exchange.ts'

const textOf = (parts: object) => JSON.stringify({ format: 'recado-steps', version: 1, ...parts })

t.test('the steps of every starter are unchanged after copying and pasting', t => {
  for (const key of starterKeys) {
    const { graph } = starterOf(key, 'es')
    const nodes = graph.nodes.filter(({ type }) => type !== 'start')
    const held = new Set(nodes.map(({ id }) => id))
    const edges = graph.edges.filter(({ from, to }) => held.has(from) && held.has(to))
    t.same(readCopied(textOf(showGraph({ nodes, edges }))), { nodes, edges }, key)
  }
  t.end()
})

t.test('foreign or invalid clipboard content is not pasted', t => {
  const step = { id: 'a', type: 'message', position: { x: 0, y: 0 }, data: { text: 'Hola' } }
  t.equal(readCopied(textOf({ nodes: [step], edges: [] }))?.nodes.length, 1)
  for (const text of [
    '',
    'recado-steps',
    '[]',
    'null',
    '{"format":"recado-flow","nodes":[],"edges":[]}',
    textOf({}),
    textOf({ nodes: {}, edges: [] }),
    textOf({ nodes: [null], edges: [] }),
    textOf({ nodes: [{ ...step, type: 'start' }], edges: [] }),
    textOf({ nodes: [{ ...step, type: 'nope' }], edges: [] }),
    textOf({ nodes: [{ ...step, data: { text: { x: 1 } } }], edges: [] }),
    textOf({ nodes: [{ ...step, type: 'buttons', data: { options: [{ title: { x: 1 } }] } }], edges: [] }),
    textOf({ nodes: [{ ...step, position: { x: 'a', y: 0 } }], edges: [] }),
    textOf({ nodes: Array.from({ length: 501 }, (_, i) => ({ ...step, id: `n${i}` })), edges: [] }),
    textOf({ nodes: [step], edges: [] }).replace('"text"', '"__proto__":{"x":1},"text"'),
  ])
    t.equal(readCopied(text), undefined, text.slice(0, 80))
  const edges = [{ id: 'e', source: 'a', sourceHandle: 'next', target: 'elsewhere' }]
  t.same(readCopied(textOf({ nodes: [step], edges }))?.edges, [], 'a way to what is not there is left out')
  t.end()
})
