import t, { type Test } from 'tap'
import { flowPhone, flowStage, graphOf } from '#test/helpers/flow-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const dayMs = 24 * 60 * 60 * 1000

/** An organization with a published flow that sends `bienvenida`, and a customer who has written. */
const stage = async (t: Test) => {
  const graph = graphOf([{ id: 'm', type: 'message', text: 'bienvenida' }], [['s', 'next', 'm']])
  const all = await flowStage(t, graph)
  const { backend, owner, call } = all
  const db = backend.databases.read
  await all.say('Buenas')
  const ask = (action: string, data: object, more: object = {}) =>
    call('POST', '/whatsapp/messages', {
      type: 'actionRecado',
      message: '¿Seguimos?',
      labelRecado: 'Dale',
      numberTel: flowPhone,
      isHuman: false,
      action,
      data,
      ...more,
    })
  const send = async (action: string, data: object) => {
    const { status, body } = await ask(action, data)
    t.equal(status, 202, JSON.stringify(body))
    await backend.settle()
    return body as { id: string; interactive: { buttons: { id: string; title: string }[] } }
  }
  const tap = async (choiceId: string, from = flowPhone) => {
    backend.clock.advance(1000)
    const sent = await call('POST', '/sandbox/inbound', {
      ...{ from, type: 'button_reply', name: 'Lucía', choiceId, choiceTitle: 'Dale' },
    })
    t.ok(sent.status < 300, JSON.stringify(sent.body))
    await backend.settle()
  }
  const texts = async (type: string) =>
    (
      await db
        .selectFrom('message')
        .select('text')
        .where('org_id', '=', owner.org.id)
        .where('type', '=', type)
        .where('direction', '!=', 'in')
        .orderBy('seq')
        .execute()
    ).map(({ text }) => text)
  const release = () =>
    backend.databases.write
      .updateTable('conversation')
      .set({ control: 'none' })
      .where('org_id', '=', owner.org.id)
      .execute()
  const control = async () =>
    (await db.selectFrom('conversation').select('control').where('org_id', '=', owner.org.id).executeTakeFirstOrThrow())
      .control
  return { ...all, db, ask, send, tap, texts, release, control }
}

const buttonOf = ({ interactive }: { interactive: { buttons: { id: string }[] } }) => interactive.buttons[0]?.id ?? ''

t.test('a confirmation is recorded at the first tap only, and only from the contact it was sent to', async t => {
  const { send, tap, texts, backend } = await stage(t)
  const sent = await send('confirm', { key: 'pedido-42' })
  const id = buttonOf(sent)
  t.match(id, new RegExp(`^a\\.${sent.id}\\.[\\w-]{43}$`))
  t.notMatch(JSON.stringify(sent), 'pedido-42', 'its parameters stay on the server')
  await tap(`${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}`)
  await tap(`a.${sent.id}`)
  await tap('a.')
  await tap(id, '5491155559999')
  t.strictSame(await texts('note'), [], 'forged ones and those of others do nothing')
  await tap(id)
  t.strictSame(await texts('note'), ['Confirmó «pedido-42» con el botón «Dale».'])
  await tap(id)
  t.equal((await texts('note')).length, 1, 'once')
  t.same(backend.errors(), [])
})

t.test('a tap in another organization has no effect', async t => {
  const here = await stage(t)
  const there = await stage(t)
  await there.tap(buttonOf(await here.send('confirm', { key: 'k' })))
  t.strictSame(await there.texts('note'), [])
})

t.test('a tap more than thirty days later gets a polite answer and does nothing', async t => {
  const { send, tap, texts, backend } = await stage(t)
  const sent = await send('confirm', { key: 'k' })
  const id = buttonOf(sent)
  const at = new Date(backend.clock.now().getTime() - 30 * dayMs - 1000).toISOString()
  await backend.databases.write.updateTable('message').set({ at }).where('id', '=', sent.id).execute()
  await tap(id)
  await tap(id)
  t.strictSame(await texts('note'), [])
  t.strictSame(await texts('text'), ['Ese botón ya venció. Escribinos y seguimos por acá.'])
})

t.test('a tap adds the tag; a tag deleted meanwhile is reported', async t => {
  const { call, send, tap, texts, db, owner } = await stage(t)
  const make = async (label: string) => (await call('POST', '/whatsapp/tags', { label })).body
  const tag = await make('Interesada')
  const id = buttonOf(await send('add_tag', { tagId: tag.id }))
  await tap(id)
  const on = () => db.selectFrom('contact_tag').select('tag_id').where('org_id', '=', owner.org.id).execute()
  t.strictSame(await on(), [{ tag_id: tag.id }])
  const gone = await make('Otra')
  const other = buttonOf(await send('add_tag', { tagId: gone.id }))
  await call('DELETE', `/whatsapp/tags/${gone.id}`)
  await tap(other)
  t.match((await texts('note'))[0], /^Tocó «Dale», que pone una etiqueta/)
})

t.test('a tap starts the flow if nobody has the conversation, otherwise the team is notified', async t => {
  const { flow, send, tap, texts, release } = await stage(t)
  const held = buttonOf(await send('start_flow', { flowId: flow }))
  await tap(held)
  t.strictSame(await texts('text'), [], 'a customer who waits for a person keeps waiting')
  t.match((await texts('note'))[0], /^Tocó «Dale», que inicia un flujo, y no se inició/)
  await release()
  await tap(held)
  t.strictSame(await texts('text'), [], 'that tap was it')
  await release()
  const free = buttonOf(await send('start_flow', { flowId: flow }))
  await tap(free)
  await tap(free)
  t.strictSame(await texts('text'), ['bienvenida'])
  t.equal((await texts('note')).length, 1)
})

t.test('a tap that asks for a person hands the conversation to one', async t => {
  const { send, tap, release, control } = await stage(t)
  const id = buttonOf(await send('handoff', {}))
  await release()
  await tap(id)
  t.equal(await control(), 'needsHuman')
})

t.test('a link action is sent as a link button', async t => {
  const { ask } = await stage(t)
  const { status, body } = await ask('open_url', { url: 'https://pagos.example/1' })
  t.equal(status, 202)
  t.strictSame(body.interactive, { link: { title: 'Dale', url: 'https://pagos.example/1' } })
})

t.test('a product is refused if the account has no catalogue', async t => {
  const { ask, db } = await stage(t)
  const before = await db.selectFrom('message').select('id').execute()
  const { status, body } = await ask('product', { catalogId: '194836987003835', productRetailerId: 'AZUL-42' })
  t.match({ status, body }, { status: 409, body: { code: 'INBOX_NO_CATALOGUE' } })
  t.same(await db.selectFrom('message').select('id').execute(), before, 'nothing is stored')
})

t.test('an invalid action is refused by its field, in both languages', async t => {
  const { ask, call, backend, owner } = await stage(t)
  const refused = async (field: string, ...asked: Parameters<typeof ask>) => {
    const { status, body } = await ask(...asked)
    t.equal(status, 400, JSON.stringify(body))
    t.match(JSON.stringify(body), `"body.${field}"`)
    return JSON.stringify(body)
  }
  for (const name of ['teleport', 'toString'])
    t.match(await refused('action', name, {}), `The action “${name}” doesn't exist`)
  await refused('data.name', 'webhook', { name: 'crm' })
  const spanish = await backend.inject({
    method: 'POST',
    url: '/api/whatsapp/messages',
    headers: { cookie: owner.cookie, 'accept-language': 'es' },
    payload: {
      ...{ type: 'actionRecado', message: 'x', labelRecado: 'x', action: 'teleport', data: {} },
      numberTel: flowPhone,
    },
  })
  t.match(spanish.body, 'No hay ninguna acción «teleport»')
  await refused('data.catalogId', 'product', { productRetailerId: 'AZUL-42' })
  await refused('data.productRetailerId', 'product', { catalogId: '1' })
  await refused('data.url', 'open_url', { url: 'http://pagos.example' })
  await refused('data.url', 'open_url', { url: 'https://127.0.0.1/' })
  await refused('data.key', 'confirm', {})
  await refused('data.more', 'confirm', { key: 'k', more: 1 })
  await refused('data.tagId', 'add_tag', { tagId: 'none' })
  await refused('data.flowId', 'start_flow', { flowId: 'none' })
  await refused('data.teamId', 'handoff', { teamId: 'none' })
  await refused('labelRecado', 'confirm', { key: 'k' }, { labelRecado: 'x'.repeat(21) })
  await refused('labelRecado', 'confirm', { key: 'k' }, { labelRecado: undefined })
  await refused('message', 'confirm', { key: 'k' }, { message: 'x'.repeat(1025) })
  t.match(await refused('data', 'confirm', { key: 'k'.repeat(4096) }), '4096')
  const closed = await call('POST', '/whatsapp/messages', {
    ...{ type: 'actionRecado', message: 'x', labelRecado: 'x', action: 'confirm', data: { key: 'k' } },
    numberTel: '5491155550000',
  })
  t.match(
    closed,
    { status: 409, body: { code: 'INBOX_ACTION_WINDOW_CLOSED' } },
    'the window is closed to who never wrote',
  )
  t.match(closed.body.message, 'template', 'and what can be sent is said')
})

t.test('the first tap starts the flow whose trigger names the action, and its event reports it', async t => {
  const { call, flow, send, tap, texts, release, db, owner } = await stage(t)
  const begins = async (revision: number, ids: string[]) => {
    const triggers = [{ id: 'button', kind: 'action', ids }]
    await call('PUT', `/whatsapp/flows/${flow}`, { revision, triggers })
    t.equal((await call('POST', `/whatsapp/flows/${flow}/publish`, {})).status, 200)
  }
  await begins(1, ['add_tag', 'confirm turno-7'])
  await release()
  const other = await send('confirm', { key: 'turno-8' })
  await release()
  await tap(buttonOf(other))
  t.strictSame(await texts('text'), [], 'another confirmation is not the one that is named')
  await release()
  const sent = await send('confirm', { key: 'turno-7' })
  await release()
  await tap(buttonOf(sent))
  t.strictSame(await texts('text'), ['bienvenida'])
  await release()
  await tap(buttonOf(sent))
  t.strictSame(await texts('text'), ['bienvenida'], 'once')
  await begins(2, [])
  await release()
  await tap(buttonOf(sent))
  t.strictSame(await texts('text'), ['bienvenida'], 'not even where any button would do')
  const events = await db
    .selectFrom('event')
    .select('data')
    .where('org_id', '=', owner.org.id)
    .where('type', '=', 'message')
    .orderBy('seq')
    .execute()
  t.strictSame(
    events.flatMap(({ data }) => JSON.parse(data).action ?? []),
    [
      { name: 'confirm', messageId: other.id, isFirst: true, key: 'turno-8' },
      ...[true, false, false].map(isFirst => ({ name: 'confirm', messageId: sent.id, isFirst, key: 'turno-7' })),
    ],
  )
})
