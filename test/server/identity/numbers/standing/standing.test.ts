import t from 'tap'
import { readStored } from '#server/identity/numbers/standing/facts.ts'
import { createStandingReading } from '#server/identity/numbers/standing/refreshing.ts'
import { findStanding } from '#server/identity/numbers/standing/store.ts'
import { listConnections } from '#server/identity/numbers/store.ts'
import { vendorActor } from '#server/platform/events/actors.ts'
import { createJobs } from '#server/platform/jobs/jobs.ts'
import { WhatsAppError } from '#server/whatsapp/provider.ts'
import type { NumberStanding } from '#shared/numbers/standing.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend, type TestBackend } from '#test/helpers/backend.ts'
import { pixel } from '#test/helpers/neighbours.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const hourMs = 3_600_000

const stage = async (backend: TestBackend) => {
  const owner = await aMember({ databases: backend.databases })
  const call = async (method: 'GET' | 'POST' | 'PATCH' | 'PUT', path: string, payload?: object, language = 'es') => {
    const reply = await backend.inject({
      method,
      url: `/api${path}`,
      headers: { cookie: owner.cookie, origin: 'http://localhost:3000', 'accept-language': language },
      ...(payload ? { payload } : {}),
    })
    return { status: reply.statusCode, json: reply.json() }
  }
  await call('POST', '/whatsapp/connection/sandbox')
  return { owner, call, org: owner.org.id }
}

const checkOf = (standing: NumberStanding, id: string) => standing.checks.find(one => one.id === id)

/** Reads the armed state of the simulator. A second reading within seconds would be cached. */
const readAgain = async (backend: TestBackend, call: Awaited<ReturnType<typeof stage>>['call'], language?: string) => {
  backend.clock.advance(10_000)
  const { json } = await call('POST', '/whatsapp/connection/standing', undefined, language)
  return json as NumberStanding
}

t.test('checks are unknown before the first reading, and known after it', async t => {
  const backend = await startBackend(t)
  const { call } = await stage(backend)
  const { json: before } = await call('GET', '/whatsapp/connection/standing')
  // The limit may be known already, because sending asks for it.
  t.match(before, { readAt: null, quality: null, token: { lasts: null } })
  t.match(checkOf(before as NumberStanding, 'token'), { state: 'unknown', says: /Todavía no se sabe/ })
  backend.clock.advance(6_000)
  await backend.settle()
  const { json } = await call('GET', '/whatsapp/connection/standing')
  t.match(json, { quality: 'high', limit: { people: -1, used: 0 }, token: { lasts: true, expiresAt: null } })
  const standing = json as NumberStanding
  t.same(
    standing.checks.filter(({ state }) => state !== 'good').map(({ id, state }) => `${id} ${state}`),
    // No webhook has arrived.
    ['webhookHeard warning'],
  )
  t.match(await call('GET', '/whatsapp/connection/profile'), { status: 200, json: { about: '', picture: null } })
  t.same(backend.errors(), [])
})

t.test('each fault is found, explained in both languages, and has the steps to fix it', async t => {
  const backend = await startBackend(t)
  const { call } = await stage(backend)
  const troubles: [string, object, string, string, RegExp, RegExp][] = [
    ['token', { tokenDays: 9 }, 'warning', 'tokenDays', /Vence en 9 días/, /expires in 9 days/],
    ['quality', { quality: 'YELLOW' }, 'warning', 'quality', /Media/, /Medium/],
    ['quality', { quality: 'RED' }, 'bad', 'quality', /Baja/, /Low/],
    ['quality', { quality: 'UNKNOWN' }, 'unknown', 'quality', /todavía no la midió/, /Not rated by Meta yet/],
    ['registered', { registered: false }, 'bad', 'registered', /No está registrado \(estado PENDING\)/, /PENDING/],
    ['name', { nameStatus: 'DECLINED' }, 'bad', 'nameStatus', /rechazó/, /declined/],
    ['name', { nameStatus: 'PENDING_REVIEW' }, 'warning', 'nameStatus', /todavía no lo aprobó/, /hasn't approved/],
    ['payment', { paymentFails: true }, 'bad', 'paymentFails', /no pudo cobrar/, /couldn't charge/],
    ['webhookFields', { accountUpdates: false }, 'warning', 'accountUpdates', /account_update/, /account_update/],
  ]
  for (const [id, behaviour, state, , es, en] of troubles) {
    const { json: usual } = await call('GET', '/sandbox')
    await call('PATCH', '/sandbox', behaviour)
    const found = checkOf(await readAgain(backend, call), id)
    t.match(found, { state, says: es }, `${id} ${JSON.stringify(behaviour)}`)
    if (state !== 'unknown') t.ok(found?.press.length && found.href?.startsWith('https://'), `${id}: what to press`)
    const { json: english } = await call('GET', '/whatsapp/connection/standing', undefined, 'en')
    t.match(checkOf(english as NumberStanding, id)?.says, en)
    const [name] = Object.keys(behaviour) as [string]
    await call('PATCH', '/sandbox', { [name]: (usual as { behaviour: Record<string, unknown> }).behaviour[name] })
  }
  t.same(backend.errors(), [])
})

t.test('an unsubscribed app is subscribed by one call', async t => {
  const backend = await startBackend(t)
  const { call, org } = await stage(backend)
  await backend.databases.write.updateTable('sandbox_number').set({ subscribed: 0 }).where('org_id', '=', org).execute()
  t.match(checkOf(await readAgain(backend, call), 'subscription'), { state: 'bad', mend: 'subscribe' })
  const { json } = await call('POST', '/whatsapp/connection/subscription')
  t.match(checkOf(json as NumberStanding, 'subscription'), { state: 'good', mend: null })
})

t.test('after Meta revoked the token the other checks are unknown, not bad', async t => {
  const backend = await startBackend(t)
  const { call, org } = await stage(backend)
  await backend.databases.write
    .updateTable('sandbox_number')
    .set({ token_hash: 'of another token' })
    .where('org_id', '=', org)
    .execute()
  const standing = await readAgain(backend, call)
  t.match(checkOf(standing, 'token'), { state: 'bad', mend: 'token', says: /El simulador no lo acepta/ })
  for (const id of ['permissions', 'account', 'quality', 'registered', 'payment', 'subscription'])
    t.match(checkOf(standing, id), { state: 'unknown', says: /No se puede saber/ }, id)
  t.equal(standing.quality, null)
})

t.test('owners and admins are notified once of what gets worse', async t => {
  const backend = await startBackend(t)
  const { call } = await stage(backend)
  backend.clock.advance(6_000)
  await backend.settle()
  await call('PATCH', '/sandbox', { quality: 'YELLOW', tokenDays: 10, messagingLimit: 'TIER_2K' })
  await backend.settle()
  backend.clock.advance(7 * hourMs)
  await backend.settle()
  backend.clock.advance(7 * hourMs)
  await backend.settle()
  const { json } = await call('GET', '/notify')
  const titles = (json as { title: string }[]).map(({ title }) => title).sort()
  t.same(titles, [
    'Bajó el límite de WhatsApp',
    'Bajó la calidad de un número',
    'El token de acceso de WhatsApp vence pronto',
  ])
})

t.test('a failed reading causes no second notification, and later faults are still notified', async t => {
  const backend = await startBackend(t)
  const { call, org } = await stage(backend)
  backend.clock.advance(6_000)
  await backend.settle()
  const readable = async (isSo: boolean) => {
    const { write } = backend.databases
    const { token_hash: own } = await write
      .selectFrom('sandbox_number')
      .select('token_hash')
      .where('org_id', '=', org)
      .executeTakeFirstOrThrow()
    const next = isSo ? own.replace(/^not /, '') : `not ${own}`
    await write.updateTable('sandbox_number').set({ token_hash: next }).where('org_id', '=', org).execute()
    await readAgain(backend, call)
  }
  const titles = async () =>
    ((await call('GET', '/notify')).json as { title: string }[])
      .map(({ title }) => title)
      .filter(title => /calidad|límite|vence pronto/.test(title))
      .sort()
  const low = { quality: 'RED', tokenDays: 10, messagingLimit: 'TIER_2K' }
  await call('PATCH', '/sandbox', low)
  await readAgain(backend, call)
  const first = await titles()
  t.equal(first.length, 3)
  await readable(false)
  t.equal(
    checkOf((await call('GET', '/whatsapp/connection/standing')).json as NumberStanding, 'quality')?.state,
    'unknown',
  )
  await readable(true)
  t.same(await titles(), first, 'one notification for the same faults')
  await call('PATCH', '/sandbox', { quality: 'GREEN', messagingLimit: 'TIER_10K' })
  await readAgain(backend, call)
  await readable(false)
  await call('PATCH', '/sandbox', { ...low, tokenDays: 3 })
  await readable(true)
  t.equal((await titles()).length, 6, 'a new fault is notified')
})

t.test('the limit read from Meta applies from then on', async t => {
  const backend = await startBackend(t)
  const { call } = await stage(backend)
  backend.clock.advance(6_000)
  await backend.settle()
  t.equal((await readAgain(backend, call)).limit.people, -1)
  await call('PATCH', '/sandbox', { messagingLimit: 'TIER_2K' })
  await backend.settle()
  await backend.databases.write.updateTable('wa_connection').set({ messaging_limit: 250 }).execute()
  t.equal((await readAgain(backend, call)).limit.people, 2000)
  const { messaging_limit: kept } = await backend.databases.read
    .selectFrom('wa_connection')
    .select('messaging_limit')
    .executeTakeFirstOrThrow()
  t.equal(kept, 2000)
})

t.test('a reading that fails on our side is retried like one that Meta did not answer', async t => {
  const backend = await startBackend(t)
  await stage(backend)
  backend.clock.advance(6_000)
  await backend.settle()
  const keep = (facts: string) => backend.databases.write.updateTable('number_standing').set({ facts }).execute()
  const dueInMs = async () => {
    const { due_at: dueAt } = await backend.databases.read
      .selectFrom('job')
      .select('due_at')
      .where('kind', '=', 'numbers.standing')
      .where('state', '=', 'scheduled')
      .executeTakeFirstOrThrow()
    return Date.parse(dueAt) - backend.clock.now().getTime()
  }
  t.equal(await dueInMs(), 6 * hourMs)
  await keep('{')
  backend.clock.advance(6 * hourMs)
  await backend.settle()
  t.match(backend.errors(), [{ msg: 'reading the facts of a number failed' }])
  t.equal(backend.errors().length, 1)
  t.equal(await dueInMs(), hourMs / 2)
  await keep('{}')
  backend.clock.advance(hourMs / 2)
  await backend.settle()
  t.equal(await dueInMs(), 6 * hourMs)
  t.equal(backend.errors().length, 1)
})

const newsItem = (field: string, value: unknown) => ({
  kind: 'management' as const,
  wabaId: 'w',
  field,
  value,
  at: '2026-11-20T12:00:00.000Z',
})

t.test('account news is shown on the page, and urgent news is notified once', async t => {
  const backend = await startBackend(t)
  const { call, org } = await stage(backend)
  const tell = (...items: ReturnType<typeof newsItem>[]) =>
    backend.parts.writes.run(org, vendorActor, write => backend.parts.standing.taker.apply(write, items))
  const alert = newsItem('account_alerts', {
    entity_type: 'BUSINESS',
    alert_info: { alert_severity: 'CRITICAL', alert_status: 'ACTIVE', alert_type: 'PAUSED', alert_description: 'Look' },
  })
  await tell(alert, newsItem('payment_configuration_update', { configuration_name: 'mp', status: 'Needs Testing' }))
  await tell(alert)
  await tell(newsItem('account_settings_update', { phone_number_settings: { phone_number_id: '1', calling: {} } }))
  await tell(newsItem('account_update', { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'ADULT' } }))
  await tell(
    newsItem('security', { event: 'PIN_RESET_REQUEST' }),
    newsItem('account_review_update', { decision: 'REJECTED' }),
    newsItem('errors', [{ code: 130429, title: 'Rate limit' }]),
  )
  const { json } = await call('GET', '/whatsapp/connection/standing')
  const says = (json as NumberStanding).news.map(one => `${one.level}: ${one.says}`)
  t.same(says.toSorted(), [
    'bad: Aviso de Meta, algo que Recado todavía no conoce («PAUSED»): Look',
    'bad: Meta rechazó la cuenta',
    'bad: Según Meta, la cuenta no cumplió sus normas (contenido para adultos)',
    'info: Cambió la configuración del número: llamadas',
    'warning: Alguien pidió restablecer el PIN de la verificación en dos pasos',
    'warning: Cobros con mp: falta probarlos',
    'warning: WhatsApp informó un error: Rate limit (código 130429)',
  ])
  const { json: notices } = await call('GET', '/notify')
  const titles = (notices as { title: string }[]).map(({ title }) => title)
  t.equal(titles.filter(title => title === 'Aviso de Meta sobre tu número').length, 6)
  // A reading keeps the news.
  await readAgain(backend, call)
  const { json: after } = await call('GET', '/whatsapp/connection/standing')
  t.equal((after as NumberStanding).news.length, says.length)
  for (let i = 0; i < 30; i += 1) await tell(newsItem('flows', { event: 'FLOW_STATUS_CHANGE', message: `nº ${i}` }))
  const { json: many } = await call('GET', '/whatsapp/connection/standing')
  t.equal((many as NumberStanding).news.length, 20, 'the newest ones')
})

t.test('after a refused token every page says so, until Meta takes it again', async t => {
  const backend = await startBackend(t)
  const { call, org } = await stage(backend)
  await readAgain(backend, call)
  const [connection] = await listConnections(backend.databases.read, org)
  await backend.parts.numbers.markReauthorise(org, connection?.id as string, '190')
  const { json: refused } = await call('GET', '/whatsapp/connection/standing')
  t.match(checkOf(refused as NumberStanding, 'token'), { state: 'bad', says: /El simulador no lo acepta/ })
  t.match(refused, { token: { refused: true, lasts: null } })
  const again = await readAgain(backend, call)
  t.match(again.token, { refused: false, lasts: true })
  t.match((await call('GET', '/verify/waba')).json, { status: 'connected' })
})

t.test('a webhook about the account causes a new reading at once', async t => {
  const backend = await startBackend(t)
  const { call, org } = await stage(backend)
  backend.clock.advance(6_000)
  await backend.settle()
  await call('PATCH', '/sandbox', { quality: 'RED' })
  await backend.parts.writes.run(org, vendorActor, async write => {
    await backend.parts.standing.taker.apply(write, [newsItem('account_review_update', { decision: 'APPROVED' })])
  })
  backend.clock.advance(6_000)
  await backend.settle()
  t.match(await call('GET', '/whatsapp/connection/standing'), { json: { quality: 'low' } })
})

t.test('the profile is changed at Meta, field by field, with its picture', async t => {
  const backend = await startBackend(t)
  const { call } = await stage(backend)
  const profile = {
    about: 'Pan recién hecho',
    address: 'Av. San Martín 2140',
    description: 'Panadería de barrio\ndesde 1984.',
    email: 'hola@donluis.example',
    websites: ['https://donluis.example/', 'https://pan.example'],
    vertical: 'GROCERY',
  }
  t.match(await call('PATCH', '/whatsapp/connection/profile', profile), { status: 200, json: profile })
  t.match(await call('PATCH', '/whatsapp/connection/profile', { email: '', websites: [] }), {
    status: 200,
    json: { ...profile, email: '', websites: [] },
  })
  const { json } = await call('PUT', '/whatsapp/connection/profile/picture', { dataBase64: pixel })
  t.equal((json as { picture: string }).picture, `data:image/png;base64,${pixel}`)
  t.match(await call('GET', '/whatsapp/connection/profile'), { json: { about: profile.about, picture: /^data:/ } })

  for (const [body, field] of [
    [{ about: '   ' }, 'body.about'],
    [{ about: 'x'.repeat(140) }, 'body.about'],
    [{ email: 'no es un correo' }, 'body.email'],
    [{ websites: ['donluis.example'] }, 'body.websites.0'],
    [{ websites: ['https://a.example', 'https://b.example', 'https://c.example'] }, 'body.websites'],
    [{ vertical: 'PAN' }, 'body.vertical'],
  ] as const)
    t.match(await call('PATCH', '/whatsapp/connection/profile', body), { status: 400, json: { details: [{ field }] } })
  t.match(
    await call('PUT', '/whatsapp/connection/profile/picture', {
      dataBase64: Buffer.from('<svg/>').toString('base64'),
    }),
    { status: 400, json: { code: 'NUMBERS_PICTURE_REFUSED', details: [{ field: 'body.dataBase64' }] } },
  )
  const { json: audit } = await call('GET', '/organization/audit')
  const changed = (audit as { items: { action: string; changes: { fact: string; after: string | null }[] }[] }).items
  t.match(
    changed.findLast(({ action }) => action === 'profileChanged')?.changes.find(({ fact }) => fact === 'about'),
    { after: profile.about },
  )
  t.same(backend.errors(), [])
})

t.test('a profile that Meta refuses: with one changed field the error names it, with several it does not', async t => {
  const backend = await startBackend(t)
  const { call } = await stage(backend)
  const refused = async (body: object) => {
    const { status, json } = await call('PATCH', '/whatsapp/connection/profile', body)
    const { code, details = [] } = json as { code: string; details?: { field: string }[] }
    return { status, code, fields: details.map(({ field }) => field) }
  }
  const code = 'NUMBERS_PROFILE_REFUSED'
  const odd = { websites: ['https://[nobody].example'] }
  t.same(await refused(odd), { status: 400, code, fields: ['body.websites'] })
  t.same(await refused({ about: 'Pan', ...odd }), { status: 400, code, fields: [] })
})

t.test('a large picture is shown as soon as it was accepted', async t => {
  const backend = await startBackend(t)
  const { call } = await stage(backend)
  const put = async (dataBase64: string) => {
    const { status, json } = await call('PUT', '/whatsapp/connection/profile/picture', { dataBase64 })
    return { status, picture: (json as { picture: string }).picture }
  }
  await put(pixel)
  const large = Buffer.concat([Buffer.from(pixel, 'base64'), Buffer.alloc(600_000)]).toString('base64')
  t.same(await put(large), { status: 200, picture: `data:image/png;base64,${large}` })
  await readAgain(backend, call)
  t.match(await call('GET', '/whatsapp/connection/profile'), { json: { picture: `data:image/png;base64,${large}` } })
  t.same(await put(pixel), { status: 200, picture: `data:image/png;base64,${pixel}` })
  t.same(backend.errors(), [])
})

t.test('members who may not manage connections see and change nothing; developers may', async t => {
  const backend = await startBackend(t)
  const { call, owner } = await stage(backend)
  t.equal((await call('GET', '/whatsapp/connection/standing')).status, 200)
  const ask = async (role: string, method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) => {
    const person = await aMember({ databases: backend.databases, org: owner.org, role })
    const headers = { cookie: person.cookie, origin: 'http://localhost:3000' }
    return (await backend.inject({ method, url: `/api${path}`, headers, ...(payload ? { payload } : {}) })).statusCode
  }
  t.equal(await ask('developer', 'GET', '/whatsapp/connection/standing'), 200)
  t.equal(await ask('developer', 'POST', '/whatsapp/connection/standing'), 200)
  t.equal(await ask('developer', 'PATCH', '/whatsapp/connection/profile', { about: 'x' }), 200)
  t.equal(await ask('member', 'GET', '/whatsapp/connection/standing'), 403)
  t.equal(await ask('member', 'POST', '/whatsapp/connection/standing'), 403)
  t.equal(await ask('member', 'PATCH', '/whatsapp/connection/profile', { about: 'x' }), 403)
})

t.test('a later request gets a reading that began after it', async t => {
  const backend = await startBackend(t)
  const { org } = await stage(backend)
  const [known] = await listConnections(backend.databases.read, org)
  const silent = new WhatsAppError({ code: 'TIMEOUT', message: 'silent', retry: 'later' })
  /** Every call rejects. */
  const deaf = new Proxy({}, { get: () => async () => Promise.reject(silent) })
  const answers: ((quality: 'high' | 'low') => void)[] = []
  const reader = { quality: () => new Promise(resolve => answers.push(resolve)) }
  const { read, readFresh } = createStandingReading(
    {
      ...backend,
      ...backend.parts,
      log: backend.app.log,
      writes: backend.parts.writes,
      jobs: createJobs(backend.parts),
      numbers: { findClient: async () => ({ number: deaf }), findByConnectionId: async () => ({}) },
      readerFor: () => new Proxy(reader, { get: (own, name) => Reflect.get(own, name) ?? Reflect.get(deaf, name) }),
      profileFor: () => deaf,
      reach: async () => Promise.reject(silent),
    } as unknown as Parameters<typeof createStandingReading>[0],
    async () => ({}) as never,
  )
  const quality = async () => readStored(await findStanding(backend.databases.read, org, known?.id as string))?.quality
  const byItself = read(known as never)
  backend.clock.advance(1_000)
  const atOnce = readFresh(known as never)
  backend.clock.advance(4_000)
  const later = readFresh(known as never)
  const until = async (count: number) => {
    while (answers.length < count) await new Promise(resolve => setTimeout(resolve, 1))
  }
  await until(1)
  answers[0]?.('low')
  await Promise.all([byItself, atOnce])
  await until(2)
  t.same(await quality(), { value: 'low' })
  answers[1]?.('high')
  await later
  t.same(await quality(), { value: 'high' })
  t.equal(answers.length, 2, 'concurrent requests share one')
})
