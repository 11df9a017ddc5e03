import t from 'tap'
import { countChanges } from '#client/flows/editor/versions/compare.ts'
import { readGraph } from '#shared/flows/exchange.ts'

const graph = (text: string, x: number) =>
  readGraph({
    nodes: [
      { id: 's', type: 'start', position: { x, y: 0 }, data: {} },
      { id: 'm', type: 'message', position: { x, y: 100 }, data: { text } },
    ],
    edges: [{ id: 'e', from: 's', output: 'next', to: 'm' }],
  } as never)

t.test('changes are counted by step, and moving a step is none', async t => {
  const published = { graph: graph('Hola', 0), triggers: [] }
  t.equal(countChanges(published, { graph: graph('Hola', 0), triggers: [] }), 0)
  t.equal(countChanges(published, { graph: graph('Hola', 80), triggers: [] }), 0)
  t.equal(countChanges(published, { graph: graph('Buenas', 0), triggers: [] }), 1)
  const started = [{ id: 't', type: 'firstMessage' }] as never
  t.equal(countChanges(published, { graph: graph('Buenas', 0), triggers: started }), 2)
})
