import t from 'tap'
import { html } from '#client/ui/text/html.ts'
import { createKeptHtml } from '#client/ui/text/kept-html.ts'

/** Draws a thing for a reader, and how often that was really done. */
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

t.test('the same thing for the same reader is drawn once', async t => {
  const { draw, drawn } = aPainter()
  const lucia = { name: 'Lucía' }
  t.equal(draw(lucia, 'es'), '<b>Lucía</b> es')
  t.equal(draw(lucia, 'es'), '<b>Lucía</b> es')
  t.equal(drawn(), 1)
})

t.test('another reader gets their own, and so does who comes back', async t => {
  const { draw } = aPainter()
  const lucia = { name: 'Lucía' }
  t.same(
    [draw(lucia, 'es'), draw(lucia, 'en'), draw(lucia, 'es')],
    ['<b>Lucía</b> es', '<b>Lucía</b> en', '<b>Lucía</b> es'],
  )
})

t.test('two things that look alike are two things', async t => {
  const { draw, drawn } = aPainter()
  draw({ name: 'Lucía' }, 'es')
  draw({ name: 'Lucía' }, 'es')
  t.equal(drawn(), 2)
})

t.test('what is kept is not copied along with a thing, nor seen by whoever prints or compares it', async t => {
  const { draw } = aPainter()
  const lucia = { name: 'Lucía' }
  draw(lucia, 'es')
  t.equal(draw({ ...lucia, name: 'Otra' }, 'es'), '<b>Otra</b> es')
  t.equal(JSON.stringify(lucia), '{"name":"Lucía"}')
  t.same(lucia, { name: 'Lucía' })
  t.equal(draw(structuredClone(lucia), 'es'), '<b>Lucía</b> es')
})
