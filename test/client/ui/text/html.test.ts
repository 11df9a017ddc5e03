import fc from 'fast-check'
import t from 'tap'
import { attribute, html } from '#client/ui/text/html.ts'

t.test('user-written text is escaped at every position', async t => {
  const hostile = `<img src=x onerror=alert(1)>"'&`
  t.equal(
    html`<b title="${hostile}">${hostile}</b>`.__html,
    '<b title="&lt;img src=x onerror=alert(1)&gt;&quot;&#x27;&amp;">&lt;img src=x onerror=alert(1)&gt;&quot;&#x27;&amp;</b>',
  )
})

t.test('no text opens a tag or leaves its quotes', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      const inside = html`<i title="${text}">${text}</i>`.__html.slice('<i title="'.length, -'</i>'.length)
      const [quoted, ...rest] = inside.split('">')
      return rest.length === 1 && !/[<>"']/.test(`${quoted}${rest[0]}`)
    }),
  )
})

t.test('nested markup stays markup, and lists are joined', async t => {
  const parts = ['a', '<'].map(text => html`<i>${text}</i>`)
  t.equal(html`<p>${parts}${html`<br>`}</p>`.__html, '<p><i>a</i><i>&lt;</i><br></p>')
})

t.test('missing values render nothing, zero is rendered', async t => {
  t.equal(html`<p>${null}${undefined}${false}${''}${0}</p>`.__html, '<p>0</p>')
})

t.test('an attribute without a value is omitted', async t => {
  t.equal(
    html`<time${attribute('datetime', undefined)}${attribute('title', 'a"b')}></time>`.__html,
    '<time title="a&quot;b"></time>',
  )
})
