import t from 'tap'
import { indexSlice } from '#server/messaging/search/indexing.ts'
import { snippetOf } from '#server/messaging/search/snippet.ts'
import { type AnInbox, anInbox } from '#test/helpers/inbox.ts'
import { aMessage, lucia } from '#test/helpers/items.ts'

const phone = lucia.waId as string
const pedro = { waId: '5491155559999', profileName: 'Pedro Medialuna' }
const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 12, 0, second)).toISOString()
const readIn = async (stage: AnInbox) => {
  while (await indexSlice(stage.databases));
}
const search = (stage: AnInbox, query: { q: string; before?: string; phone?: string }) =>
  stage.inbox.searchMessages(stage.ana.member, { query })
const said = (items: readonly { snippet: readonly { text: string }[] }[]) =>
  items.map(({ snippet }) => snippet.map(({ text }) => text).join(''))

t.test('a search finds messages by their words and conversations by name, also archived ones', async t => {
  const stage = await anInbox()
  await stage.apply(
    aMessage({ sender: lucia, words: 'Quiero doce MEDIALUNAS de manteca', at: at(1) }),
    aMessage({ sender: pedro, words: 'Buenas', at: at(2) }),
  )
  await stage.connect()
  await stage.inbox.archiveChat(stage.ana.member, { body: { phoneNumber: phone } })
  for (const isReadIn of [false, true]) {
    if (isReadIn) await readIn(stage)
    const found = await search(stage, { q: 'medialún' })
    t.match(found, {
      items: [
        {
          direction: 'in',
          type: 'text',
          at: at(1),
          snippet: [
            { text: 'Quiero doce ', found: false },
            { text: 'MEDIALUNAS', found: true },
            { text: ' de manteca', found: false },
          ],
          conversation: { phone, archived: true },
        },
      ],
      conversations: [{ phone: pedro.waId }],
      hasMore: false,
    })
  }
  t.same((await search(stage, { q: 'me' })).items, [], 'two letters ask for names only')
  t.equal((await search(stage, { q: 'me' })).conversations.length, 2)
})

t.test('result pages follow each other newest first, also while half of the messages are not indexed yet', async t => {
  const stage = await anInbox()
  const words = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) =>
      aMessage({ sender: i % 2 ? lucia : pedro, words: `pan ${from + i}`, at: at((from + i) % 60) }),
    )
  await stage.apply(...words(0, 50))
  await readIn(stage)
  await stage.apply(...words(50, 70))
  const seen: string[] = []
  let before: string | undefined
  const sizes: number[] = []
  for (;;) {
    const page = await search(stage, { q: 'pan', ...(before ? { before } : {}) })
    seen.push(...said(page.items))
    sizes.push(page.items.length)
    if (before) t.same(page.conversations, [])
    before = page.items.at(-1)?.id
    if (!page.hasMore) break
  }
  t.same(sizes, [30, 30, 10])
  t.same(
    seen,
    Array.from({ length: 70 }, (_, i) => `pan ${69 - i}`),
  )
  const one = await search(stage, { q: 'pan', phone })
  t.equal(one.items.length, 30)
  t.ok(one.items.every(({ conversation }) => conversation.phone === phone))
  t.same(one.conversations, [])
})

t.test('invalid filters are refused by name, and nonsense finds nothing', async t => {
  const stage = await anInbox()
  await stage.apply(aMessage({ sender: lucia, words: 'Hola' }))
  await t.rejects(async () => search(stage, { q: 'hola', before: 'nowhere' }), {
    code: 'APP_VALIDATION',
    fields: ['query.before'],
  })
  await t.rejects(async () => search(stage, { q: 'hola', phone: '5491100000000' }), { code: 'INBOX_CHAT_NOT_FOUND' })
  for (const q of ['"', '* OR *', '%%%', '\u0000\u0000\u0000', '🎉🎉🎉', '((((', 'de: etiqueta:', ' '.repeat(9)])
    t.match(await search(stage, { q }), { items: [], hasMore: false }, q)
})

t.test('a page around a message has it in the middle, and pages continue on both sides without gaps', async t => {
  const stage = await anInbox()
  await stage.apply(...Array.from({ length: 160 }, (_, i) => aMessage({ at: at(Math.floor(i / 3)), words: String(i) })))
  const read = (query: { before?: string; after?: string; around?: string }) =>
    stage.inbox.listMessages(stage.ana.member, { params: { phone }, query })
  const numbers = ({ items }: Awaited<ReturnType<typeof read>>) => items.map(({ text }) => Number(text))
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
  const newest = await read({})
  t.equal(newest.hasNewer, undefined)
  const older = await read({ before: newest.items[0]?.id ?? '' })
  const target = older.items.find(({ text }) => text === '80')?.id ?? ''
  const around = await read({ around: target })
  t.same(numbers(around), range(55, 104))
  t.match(around, { hasMore: true, hasNewer: true })
  const after = await read({ after: around.items.at(-1)?.id ?? '' })
  t.same(numbers(after), range(105, 154))
  t.match(after, { hasMore: true, hasNewer: true })
  const end = await read({ after: after.items.at(-1)?.id ?? '' })
  t.same(numbers(end), range(155, 159))
  t.equal(end.hasNewer, false)
  const last = await read({ around: newest.items.at(-1)?.id ?? '' })
  t.match(last, { hasMore: true, hasNewer: false })
  t.equal(numbers(last).at(-1), 159)
  t.match(await read({ after: newest.items.at(-1)?.id ?? '' }), { items: [], hasNewer: false })
  await t.rejects(async () => read({ around: 'nowhere' }), { code: 'APP_VALIDATION', fields: ['query.around'] })
  await t.rejects(async () => read({ around: target, before: target }), { code: 'APP_VALIDATION' })
})

t.test('a page from a point in time starts with the first message after it', async t => {
  const stage = await anInbox()
  await stage.apply(...Array.from({ length: 120 }, (_, i) => aMessage({ at: at(Math.floor(i / 2)), words: String(i) })))
  const read = (query: { since?: string; before?: string }) =>
    stage.inbox.listMessages(stage.ana.member, { params: { phone }, query })
  const numbers = ({ items }: Awaited<ReturnType<typeof read>>) => items.map(({ text }) => Number(text))
  const first = await read({ since: at(0) })
  t.match(first, { hasMore: false, hasNewer: true })
  t.equal(numbers(first)[0], 0)
  const middle = await read({ since: new Date(Date.parse(at(30)) - 1).toISOString() })
  t.match(middle, { hasMore: true, hasNewer: true })
  t.equal(numbers(middle)[0], 60)
  t.equal(numbers(middle).length, 50)
  t.match(await read({ since: new Date(Date.parse(at(59)) + 1).toISOString() }), {
    items: [],
    hasMore: true,
    hasNewer: false,
  })
  await t.rejects(async () => read({ since: '2026-99-99T00:00:00Z' }), {
    code: 'APP_VALIDATION',
    fields: ['query.since'],
  })
  await t.rejects(async () => read({ since: at(0), before: first.items[0]?.id ?? '' }), { code: 'APP_VALIDATION' })
})

t.test('a snippet shows the first match with its surroundings', async t => {
  const text = (parts: ReturnType<typeof snippetOf>) =>
    parts.map(part => (part.found ? `[${part.text}]` : part.text)).join('')
  t.equal(text(snippetOf('el pan,\n  Pan y PANES', ['pan'])), 'el [pan], [Pan] y [PANES]')
  const long = text(snippetOf(`${'bla '.repeat(100)}aquí está ${'ble '.repeat(100)}`, ['aqui']))
  t.match(long, /^…(bla )+\[aquí\] está (ble )+…$/)
  t.ok(long.length < 200)
  t.equal(text(snippetOf('nada', ['pan'])), 'nada')
  t.same(snippetOf('', ['pan']), [])
  t.match(text(snippetOf('x'.repeat(60_000), ['xx'])), /^\[x{180}\]…$/)
  for (let i = 0; i < 60; i += 1)
    t.ok(text(snippetOf(`${'🎉'.repeat(i)} pan ${'ñ'.repeat(400)}`, ['pan'])).isWellFormed())
})

t.test('operators filter results, combined and without words, in one conversation or in all', async t => {
  const stage = await anInbox()
  await stage.apply(
    aMessage({ sender: lucia, words: 'Quiero una torta', at: '2026-11-18T02:59:00.000Z' }),
    aMessage({ sender: lucia, words: 'La torta es para hoy', at: at(1) }),
    aMessage({ sender: pedro, words: 'Otra torta', at: at(3) }),
  )
  await stage.connect()
  const body = { type: 'text', message: 'Sale la torta', numberTel: phone, isHuman: true }
  await stage.inbox.sendMessage(stage.ana.member, { body })
  const found = async (q: string, more: { phone?: string } = {}) => said((await search(stage, { q, ...more })).items)
  for (const isReadIn of [false, true]) {
    if (isReadIn) await readIn(stage)
    t.same(await found('torta de:pedro'), ['Otra torta'])
    t.same(await found('de:lucia'), ['La torta es para hoy', 'Quiero una torta'])
    t.same(await found('from:nobody torta'), [])
    t.same(await found('de:lucia after:2026-11-17 before:2026-11-21'), ['La torta es para hoy'], 'days of Argentina')
    t.same(await found('torta de:lucia before:2026-11-20'), ['Quiero una torta'])
    t.same(await found('antes:18/11/2026'), ['Quiero una torta'])
    t.same(await found(`agente:"${stage.ana.user.name}"`), ['Sale la torta'])
    t.same(await found('agente:bot torta'), [])
    t.same(await found('estado:cola'), ['Sale la torta'])
    t.same(await found('tipo:texto otra'), ['Otra torta'])
    t.same(await found('tipo:foto'), [])
    t.same(await found('tipo:texto', { phone }), ['Sale la torta', 'La torta es para hoy', 'Quiero una torta'])
    t.same(await found('torta estado:recibido', { phone }), ['La torta es para hoy', 'Quiero una torta'])
    t.same(await found('tipo:nada torta'), [], 'what means nothing is words')
    t.same(await found('torta -otra'), ['Sale la torta', 'La torta es para hoy', 'Quiero una torta'])
    t.same(await found('torta -hoy -otra de:lucia'), ['Quiero una torta'])
    t.same(await found('de:lucia -quie'), ['La torta es para hoy'], 'the beginning of a word')
  }
})

t.test('a tag filters messages and conversations, and alone lists the conversations that have it', async t => {
  const stage = await anInbox()
  await stage.apply(
    aMessage({ sender: lucia, words: 'Quiero una torta', at: at(1) }),
    aMessage({ sender: pedro, words: 'Otra torta', at: at(2) }),
  )
  await stage.connect()
  const tag = { id: 'vip', org_id: stage.orgId, label: 'Cliente VÍP', hue: 0, created_at: at(0) }
  await stage.databases.write.insertInto('tag').values(tag).execute()
  await stage.inbox.tagChat(stage.ana.member, { params: { phone, tagId: 'vip' } })
  for (const q of ['torta etiqueta:"cliente vip"', 'tag:cliente torta'])
    t.same(said((await search(stage, { q })).items), ['Quiero una torta'], q)
  t.match(await search(stage, { q: 'tag:cliente' }), { items: [], conversations: [{ phone }] })
  t.match(await search(stage, { q: 'tag:cliente pedro' }), { items: [], conversations: [] })
  t.match(await search(stage, { q: 'tag:nadie torta' }), { items: [], conversations: [] })
  await stage.inbox.archiveChat(stage.ana.member, { body: { phoneNumber: phone } })
  t.match(await search(stage, { q: 'estado:archivada' }), { items: [], conversations: [{ phone, archived: true }] })
  t.same(said((await search(stage, { q: 'torta estado:abierta' })).items), ['Otra torta'])
  const listed = async (search: string, archived: boolean) =>
    (await stage.inbox.listConversations(stage.ana.member, { query: { search, archived } })).items.map(row => row.phone)
  t.same(await listed('torta tag:cliente', true), [phone], 'the narrowed list, too')
  t.same(await listed('tag:cliente', true), [phone])
  t.same(await listed('tag:cliente', false), [])
  t.same(await listed('tipo:texto', false), [pedro.waId])
})

t.test('pages of a search without words follow each other', async t => {
  const stage = await anInbox()
  const words = Array.from({ length: 70 }, (_, i) => aMessage({ sender: lucia, words: `pan ${i}`, at: at(i % 60) }))
  await stage.apply(...words)
  for (const query of [{ q: 'tipo:texto' }, { q: 'de:lucia' }, { q: 'tipo:texto', phone }]) {
    const seen: string[] = []
    for (let before: string | undefined; ; ) {
      const page = await search(stage, { ...query, ...(before ? { before } : {}) })
      seen.push(...said(page.items))
      t.equal(page.partial, undefined)
      before = page.items.at(-1)?.id
      if (!page.hasMore) break
    }
    const all = Array.from({ length: 70 }, (_, i) => `pan ${69 - i}`)
    t.same(seen, all, JSON.stringify(query))
  }
})
