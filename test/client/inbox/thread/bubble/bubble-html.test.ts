import t from 'tap'
import {
  aboveHtml,
  belowHtml,
  formattedHtml,
  isLoneEmoji,
  linkedHtml,
} from '#client/inbox/thread/bubble/bubble-html.ts'
import type { InboxT } from '#client/inbox/words.ts'
import type { Message } from '#shared/inbox/messages.ts'

const words = ((key: string) => key) as unknown as InboxT
const zone = 'America/Argentina/Buenos_Aires'
const hostile = '<script>alert("1")</script>'

const message = (facts: Partial<Message>): Message => ({
  id: 'm1',
  wamid: 'w1',
  direction: 'in',
  type: 'text',
  text: 'hola',
  at: '2026-11-20T17:05:00.000Z',
  status: 'received',
  ...facts,
})

t.test('http and https addresses are links, without final punctuation', async t => {
  t.equal(
    linkedHtml('mirá https://a.example/x?b=1&c=2.').__html,
    'mirá <a href="https://a.example/x?b=1&amp;c=2" target="_blank" rel="noopener noreferrer nofollow">https://a.example/x?b=1&amp;c=2</a>.',
  )
})

t.test('a closing bracket belongs to the address that opened it', async t => {
  const links = (text: string) => [...formattedHtml(text).__html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
  const wiki = 'https://es.wikipedia.org/wiki/Foo_(bar)'
  for (const text of [wiki, `mirá ${wiki}.`, `(${wiki})`, `(en ${wiki}), y`, `[${wiki}]`])
    t.same(links(text), [wiki], text)
  t.same(links('(https://a.example/x)'), ['https://a.example/x'])
  t.same(links('https://a.example/a[0]? https://b.example/{c}}'), ['https://a.example/a[0]', 'https://b.example/{c}'])
  t.same(links('https:// www. https://)'), [])
  const from = performance.now()
  linkedHtml(`https://a.example/${')'.repeat(60_000)}`)
  t.ok(performance.now() - from < 5_000, 'in a time that grows with the text')
})

t.test('code, lists and quotes are rendered as in WhatsApp', async t => {
  const item = (marker: string, text: string) =>
    `<span class="wa-item" role="listitem"><span>${marker}</span><span>${text}</span></span>`
  const list = (...items: string[]) => `<span class="wa-list" role="list">${items.join('')}</span>`
  for (const [text, markup] of [
    ['usá `npm start` ya', 'usá <code>npm start</code> ya'],
    ['```\nuno\n* dos\n```', '<code class="wa-code">uno\n* dos</code>'],
    ['```\nuno\n```\ny dos', '<code class="wa-code">uno</code>y dos'],
    ['Traé:\n* pan\n- *queso*', `Traé:${list(item('•', 'pan'), item('•', '<strong>queso</strong>'))}`],
    ['3. tres\n4. cuatro\nlisto', `${list(item('3.', 'tres'), item('4.', 'cuatro'))}listo`],
    ['> dijo _esto_\n> y esto\nsí', '<q class="wa-quote">dijo <em>esto</em>\ny esto</q>sí'],
    ['2026. ya\n*no es lista*\n-menos\n`', '2026. ya\n<strong>no es lista</strong>\n-menos\n`'],
    ['> <b>', '<q class="wa-quote">&lt;b&gt;</q>'],
  ] as const)
    t.equal(formattedHtml(text).__html, markup, text)
})

t.test('addresses with www. and email addresses are links, as in WhatsApp', async t => {
  const hrefs = (text: string) => [...formattedHtml(text).__html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
  t.strictSame(hrefs('Www.panes.example, o https://a.example/?m=x@y.example y escribí a ana_maria_p@panes.example.'), [
    'https://Www.panes.example',
    'https://a.example/?m=x@y.example',
    'mailto:ana_maria_p@panes.example',
  ])
  t.strictSame(hrefs('@ana a@b a@.x www. www.'), [])
  t.strictSame(hrefs('javascript:alert(1)@x <b>a@b.c</b>'), ['mailto:a@b.c'])
  const from = performance.now()
  formattedHtml(`${'a.'.repeat(30_000)} ${'a@'.repeat(30_000)}`)
  t.ok(performance.now() - from < 5_000, 'in a time that grows with the text')
})

t.test('nothing else becomes a link or a tag', async t => {
  for (const text of ['javascript:alert(1)', 'data:text/html,x', hostile, 'ftp://a.example'])
    t.notMatch(linkedHtml(text).__html, /<a|<script/)
  t.notMatch(linkedHtml(`https://a.example/"onmouseover="x`).__html, '"onmouseover')
})

t.test('WhatsApp’s formatting is applied, nested and next to punctuation', async t => {
  for (const [text, markup] of [
    ['*ya* está', '<strong>ya</strong> está'],
    ['(_mañana_), *a _las_ 9*', '(<em>mañana</em>), <strong>a <em>las</em> 9</strong>'],
    ['~900~ 800', '<s>900</s> 800'],
    ['```a *b*```', '<code>a *b*</code>'],
    ['2*3*4, snake_case_name, * no *, *ni\nasí*, **', '2*3*4, snake_case_name, * no *, *ni\nasí*, **'],
    ['*<b>*', '<strong>&lt;b&gt;</strong>'],
  ] as const)
    t.equal(formattedHtml(text).__html, markup, text)
})

t.test('formatting never breaks a link, and a whole link can be formatted', async t => {
  const link = (address: string) =>
    `<a href="${address}" target="_blank" rel="noopener noreferrer nofollow">${address}</a>`
  t.equal(formattedHtml('https://a.example/_x_/y_').__html, `${link('https://a.example/_x_/y_')}`)
  t.equal(formattedHtml('_ver https://a.example/_x_').__html, `_ver ${link('https://a.example/_x_')}`)
  t.equal(formattedHtml('*https://a.example/x *').__html, `*${link('https://a.example/x')} *`)
  t.equal(
    formattedHtml('*ver https://a.example/x ya*').__html,
    `<strong>ver ${link('https://a.example/x')} ya</strong>`,
  )
})

t.test('a text of formatting characters only is parsed in negligible time', async t => {
  for (const sign of ['*', '_a', '~ ', '```', '`a', '* ', '1. \n', '*_~`', 'https://a.b/_', 'https://a.b/ _a_ '])
    for (const length of [8192, 65_536]) {
      const text = sign.repeat(length / sign.length)
      t.equal(formattedHtml(text).__html.replace(/<[^>]*>/g, '').length <= text.length, true, sign)
    }
})

t.test('names, quotes, advertisements and reactions are escaped', async t => {
  const said = message({
    author: { kind: 'person', name: hostile },
    replyTo: { id: 'm0', text: hostile, direction: 'out', by: hostile },
    referral: { sourceId: 'a', headline: hostile, welcome: hostile, picture: hostile },
    reactions: [{ by: 'contact', emoji: hostile }],
  } as Partial<Message>)
  t.notMatch(aboveHtml(said, words).__html + belowHtml(said, false, zone, words).__html, '<script')
})

t.test('a quote names its author', async t => {
  const quoting = (facts: object) =>
    aboveHtml(message({ replyTo: { id: 'm0', text: 'ya sale', ...facts } } as Partial<Message>), words, 'Bruno').__html
  t.match(quoting({ direction: 'out', by: 'Martina' }), '<b dir="auto">Martina</b>')
  t.match(quoting({ direction: 'out' }), '<b dir="auto">quote.us</b>')
  t.match(quoting({ direction: 'in' }), '<b dir="auto">Bruno</b>')
})

t.test('a time is shown in the reader’s time zone', async t =>
  t.match(belowHtml(message({}), false, zone, words).__html, '>14:05</time>'),
)

t.test('consecutive messages name their author once', async t => {
  const said = message({ author: { kind: 'person', name: 'Ana' } } as Partial<Message>)
  t.match(belowHtml(said, false, zone, words).__html, 'Ana')
  t.notMatch(belowHtml(said, true, zone, words).__html, 'Ana')
})

t.test('a customer’s message to Meta’s agent is not shown as the agent’s', async t => {
  const below = (facts: Partial<Message>) =>
    belowHtml(message({ metaAgent: true, ...facts }), false, zone, words).__html
  t.match(below({}), 'author.toMetaAgent')
  const reply = below({ direction: 'out', author: { kind: 'metaAgent', name: '' } as Message['author'] })
  t.match(reply, 'author.metaAgent')
  t.notMatch(reply, 'author.toMetaAgent')
})

t.test('one to three emojis alone are shown large, counted as people count them', async t => {
  const family = '👨‍👩‍👧‍👦'
  for (const text of ['👍', '❤️', '👍🏽', '🇦🇷', '🇦🇷🇨🇱🇺🇾', family, `${family}${family}`, '🏳️‍🌈👩🏽‍🚒', '😀😃😄'])
    t.ok(isLoneEmoji(text), text)
  for (const text of ['', '😀😃😄😁', '🇦🇷🇨🇱🇺🇾🇧🇷', 'sí 👍', '12', '#', '👍 👍', `${'👍🏽'.repeat(4)}`])
    t.notOk(isLoneEmoji(text), text)
  const graphemes = new Intl.Segmenter()
  for (const text of ['👍🏽❤️🇦🇷', '👩🏽‍🚒👍', '🇦🇷👍🏿', '☺️☺️'])
    t.equal(isLoneEmoji(text), [...graphemes.segment(text)].length <= 3, text)
})

t.test('a text with very many formatted parts is formatted up to a limit, the rest is plain', async t => {
  const units = ['*_', '*a*', '`a`', '- `\n', '> a\nb\n', 'www.a ', '*www.a* ', 'a@b.example ', '+54 11 4444 5555 ']
  for (const unit of units) {
    const text = unit.repeat(Math.floor(4096 / unit.length))
    const { __html } = formattedHtml(text, '5491155550100')
    const drawn = __html.match(/<(?:a|code|em|q|s|strong)\b|role="listitem"/g)?.length ?? 0
    t.ok(drawn <= 510, `${JSON.stringify(unit)}: ${drawn}`)
    t.equal(formattedHtml(`${text}<b>`).__html.endsWith('&lt;b&gt;'), true, 'nothing is lost, nothing is let through')
  }
  const lines = Array.from({ length: 120 }, (_, i) => `- *pan ${i}*`).join('\n')
  t.equal(formattedHtml(lines).__html.match(/<strong>/g)?.length, 120, 'a list of prices is drawn whole')
})

t.test('right-to-left names and words are isolated from their surroundings', async t => {
  const author = { kind: 'person', id: 'u1', name: 'مريم' } as Message['author']
  t.match(
    belowHtml(message({ direction: 'out', author }), false, zone, words).__html,
    '<span class="cut" dir="auto">مريم</span>',
  )
  const replyTo = { id: 'm0', type: 'text', text: 'שלום', direction: 'out', by: 'مريم' } as Message['replyTo']
  const quoted = aboveHtml(message({ replyTo }), words).__html
  t.match(quoted, '<b dir="auto">مريم</b>')
  t.match(quoted, 'dir="auto">שלום')
  const referral = { sourceType: 'ad', headline: 'مخبز', welcome: 'أهلا' } as unknown as Message['referral']
  t.equal(aboveHtml(message({ referral }), words).__html.match(/dir="auto"/g)?.length, 2)
})
