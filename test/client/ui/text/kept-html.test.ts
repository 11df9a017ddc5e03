import t from 'tap'
import { html } from '#client/ui/text/html.ts'
import { createKeptHtml } from '#client/ui/text/kept-html.ts'

/** Renders an object for a reader, and counts the actual renderings. */
const aPainter = () => {
  const keep = createKeptHtml<{ readonly name: string }>()
  let drawn = 0
  const draw = (thing: { readonly name: string }, reader: string) =>
    keep(thing, [reader], () => {
      drawn += 1
      return html`<b>${thing.name}</b> ${reader}`
    }).__html
  return { draw, drawn: () => drawn }
}

t.test('the same object for the same reader is rendered once', async t => {
  const { draw, drawn } = aPainter()
  const lucia = { name: 'Lucía' }
  t.equal(draw(lucia, 'es'), '<b>Lucía</b> es')
  t.equal(draw(lucia, 'es'), '<b>Lucía</b> es')
  t.equal(drawn(), 1)
})

t.test('another reader gets a separate rendering, and so does a later visit', async t => {
  const { draw } = aPainter()
  const lucia = { name: 'Lucía' }
  t.same(
    [draw(lucia, 'es'), draw(lucia, 'en'), draw(lucia, 'es')],
    ['<b>Lucía</b> es', '<b>Lucía</b> en', '<b>Lucía</b> es'],
  )
})

t.test('two equal objects are rendered separately', async t => {
  const { draw, drawn } = aPainter()
  draw({ name: 'Lucía' }, 'es')
  draw({ name: 'Lucía' }, 'es')
  t.equal(drawn(), 2)
})

t.test('the cached rendering is neither copied with the object nor visible when printing or comparing it', async t => {
  const { draw } = aPainter()
  const lucia = { name: 'Lucía' }
  draw(lucia, 'es')
  t.equal(draw({ ...lucia, name: 'Otra' }, 'es'), '<b>Otra</b> es')
  t.equal(JSON.stringify(lucia), '{"name":"Lucía"}')
  t.same(lucia, { name: 'Lucía' })
  t.equal(draw(structuredClone(lucia), 'es'), '<b>Lucía</b> es')
})
