import t, { type Test } from 'tap'
import { selectOwn, selectShared } from '#server/features/ready-answers/store.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import { maxOwnAnswers, type ReadyAnswer } from '#shared/ready-answers/api.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const stage = async (t: Test) => {
  const backend = await startBackend(t)
  const { databases } = backend
  const owner = await aMember({ databases })
  const ana = await aMember({ databases, org: owner.org, role: 'member' })
  const bea = await aMember({ databases, org: owner.org, role: 'member' })
  const call = async (
    who: Pick<AMember, 'cookie'>,
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path = '',
    body?: object,
  ) => {
    const reply = await backend.inject({
      method,
      url: `/api/whatsapp/ready-answers${path}`,
      headers: { cookie: who.cookie },
      ...(body ? { payload: body } : {}),
    })
    return { status: reply.statusCode, body: reply.json() }
  }
  const create = async (who: AMember, answer: Partial<ReadyAnswer>) =>
    (await call(who, 'POST', '', { title: 'Horarios', shortcut: 'horarios', text: 'De 9 a 18 h.', ...answer })).body
  const shortcuts = async (who: AMember) =>
    ((await call(who, 'GET')).body.items as ReadyAnswer[]).map(one => one.shortcut)
  return { databases, owner, ana, bea, call, create, shortcuts }
}

t.test('everybody sees shared answers; only the author sees a private one', async t => {
  const { databases, owner, ana, bea, create, shortcuts } = await stage(t)
  t.match(await create(ana, { shortcut: 'Envios', title: '  Envíos  y  retiros ', shared: true }), {
    shortcut: 'envios',
    title: 'Envíos y retiros',
    shared: true,
    own: true,
  })
  await create(ana, { shortcut: 'banco' })
  t.same(await shortcuts(ana), ['banco', 'envios'])
  t.same(await shortcuts(bea), ['envios'])
  t.same(await shortcuts(owner), ['envios'])
  const emitted = await databases.read
    .selectFrom('event')
    .select('audience')
    .where('type', '=', 'readyAnswers')
    .orderBy('seq')
    .execute()
  t.same(
    emitted.map(({ audience }) => audience && JSON.parse(audience)),
    [null, [ana.user.id]],
    'open pages of those who have it are told',
  )
})

t.test('the author edits an answer; of other members’ answers managers may edit shared ones', async t => {
  const { owner, ana, bea, call, create, shortcuts } = await stage(t)
  const shared = await create(ana, { shortcut: 'envios', shared: true })
  const own = await create(ana, { shortcut: 'banco' })
  const path = `/${shared.id}`
  t.match(await call(bea, 'PATCH', path, { text: 'No' }), { status: 403, body: { code: 'READY_ANSWERS_NOT_YOURS' } })
  t.match(await call(bea, 'DELETE', path), { status: 403 })
  for (const who of [bea, owner]) {
    t.match(await call(who, 'PATCH', `/${own.id}`, { text: 'No' }), { status: 404 })
    t.match(await call(who, 'DELETE', `/${own.id}`), { status: 404 })
  }
  t.match(await call(owner, 'PATCH', path, { text: 'Enviamos los jueves.' }), {
    status: 200,
    body: { text: 'Enviamos los jueves.', shortcut: 'envios', own: false },
  })
  t.match(await call(owner, 'PATCH', path, { shared: false }), {
    status: 400,
    body: { details: [{ field: 'body.shared' }] },
  })
  t.match(await call(ana, 'PATCH', path, { shared: false }), { status: 200 })
  t.same(await shortcuts(bea), [])
  t.match(await call(ana, 'DELETE', path), { status: 200 })
  t.same(await shortcuts(ana), ['banco'])
})

t.test('a duplicate shortcut, an unknown variable and an empty title are refused by name', async t => {
  const { ana, bea, call, create } = await stage(t)
  await create(ana, { shortcut: 'envios', shared: true })
  const good = { title: 'Uno', shortcut: 'uno', text: 'Hola {{ contacto.nombre | cliente }}' }
  t.match(await call(bea, 'POST', '', { ...good, shortcut: 'ENVIOS' }), {
    status: 409,
    body: { code: 'READY_ANSWERS_SHORTCUT_TAKEN', details: [{ field: 'body.shortcut' }] },
  })
  for (const [field, value] of [
    ['shortcut', 'dos palabras'],
    ['shortcut', '/'],
    ['title', '  '],
    ['title', 'a\u202eb'],
    ['text', ' '],
    ['text', 'Hola {{contacto.edad}}'],
  ] as const)
    t.match(
      await call(bea, 'POST', '', { ...good, [field]: value }),
      { status: 400, body: { details: [{ field: `body.${field}` }] } },
      `${field} ${value}`,
    )
  t.equal((await call(bea, 'POST', '', good)).status, 201)
})

t.test('the number of private answers per member is limited', async t => {
  const { databases, owner, ana, call, create } = await stage(t)
  await inTransaction(databases, async trx => {
    for (let i = 0; i < maxOwnAnswers; i += 1)
      await trx
        .insertInto('ready_answer')
        .values({
          id: newId(),
          org_id: owner.org.id,
          author_id: ana.user.id,
          shared: 0,
          shortcut: `r${i}`,
          title: 'Una',
          text: 'Hola',
        })
        .execute()
  })
  t.match(await create(ana, {}), { code: 'READY_ANSWERS_TOO_MANY' })
  const shared = await create(ana, { shared: true })
  t.match(await call(ana, 'PATCH', `/${shared.id}`, { shared: false }), { status: 409 })
  t.match(await call(ana, 'PATCH', `/${shared.id}`, { text: 'Otra' }), { status: 200 })
})

testOnSqlite('both lists go by one index', async t => {
  const { databases } = await stage(t)
  for (const query of [selectShared(databases.read, 'o'), selectOwn(databases.read, 'o', 'a')]) {
    const { sql, parameters } = query.compile()
    const plan = databases.raw.read.prepare(`explain query plan ${sql}`).all(...parameters) as { detail: string }[]
    t.match(plan.map(({ detail }) => detail).join('\n'), /SEARCH ready_answer USING INDEX ready_answer_had/)
  }
})
