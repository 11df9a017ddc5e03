import t, { type Test } from 'tap'
import { createStatsExports } from '#server/features/stats/export/exports.ts'
import type { WritingParts } from '#server/features/stats/export/writing.ts'
import type { AnyKind, Job, Outcome } from '#server/platform/jobs/job.ts'
import { phoneKey } from '#shared/kernel/phone.ts'
import { exportKeptDays, exportsPerAuthor, type StatsExport } from '#shared/stats/export.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { startBackend, type TestBackend } from '#test/helpers/backend.ts'
import { handClock } from '#test/helpers/clock.ts'
import { aHistory, lines } from '#test/helpers/segment-history.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const now = '2026-03-20T15:00:00.000Z'
const nowMs = Date.parse(now)
const minute = 60_000
const day = 24 * 60 * minute

const callsOf = (backend: TestBackend, who: AMember) => {
  const call = async (method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) => {
    const headers = { cookie: who.cookie, 'x-organization': who.org.slug, 'accept-language': 'es' }
    const reply = await backend.inject({ method, url: `/api${path}`, headers, ...(payload ? { payload } : {}) })
    return { status: reply.statusCode, body: JSON.parse(reply.body), headers: reply.headers }
  }
  const begin = async (filter: object = {}) => call('POST', '/stats/report', filter)
  const make = async (filter: object = {}): Promise<StatsExport> => {
    const { status, body } = await begin(filter)
    if (status !== 202) throw new Error(JSON.stringify(body))
    await backend.settle()
    return (await call('GET', `/stats/report/${body.id}`)).body
  }
  /** As a link of the page asks: by cookie alone. */
  const fetchFile = (url: string) =>
    backend.inject({ method: 'GET', url, headers: { cookie: who.cookie, 'accept-language': 'es' } })
  const rowsOf = async ({ url }: StatsExport) => {
    const { body, statusCode } = await fetchFile(url ?? '')
    if (statusCode !== 200) throw new Error(body)
    return body.replace('\ufeff', '').trimEnd().split('\r\n')
  }
  return { call, begin, make, fetchFile, rowsOf }
}

/** Segments that began a minute after each other, each of another customer. */
const stage = async (t: Test, count = 3) => {
  const backend = await startBackend(t, { clock: handClock(now) })
  const owner = await aMember({ databases: backend.databases })
  const history = aHistory(backend.databases, owner.org.id)
  const contacts: string[] = []
  for (let i = 0; i < count; i += 1) {
    const { id, contactId } = await history.conversation({ waId: `54911555${10_000 + i}` })
    contacts.push(contactId)
    await history.say(id, nowMs - 3 * day + i * minute, lines.customer)
    await history.say(id, nowMs - 3 * day + i * minute + 20_000, lines.ana)
  }
  await history.read(1_000)
  return { backend, databases: backend.databases, owner, contacts, ...history, ...callsOf(backend, owner) }
}

t.test('a file has a row for each segment, newest first, and no formula', async t => {
  const { databases, contacts, make, rowsOf, fetchFile, call } = await stage(t)
  const names = ['\uff1dcmd()', '\t=1+1', '+A1']
  for (const [i, id] of contacts.entries())
    await databases.write
      .updateTable('contact')
      .set({ name: names[i] as string })
      .where('id', '=', id)
      .execute()
  const one = await make({ days: 7 })
  t.match(one, { state: 'done', rows: 3, done: 3, from: '2026-03-14', to: '2026-03-20', isOwn: false, unknown: [] })
  t.equal(one.expiresAt, new Date(nowMs + exportKeptDays * day).toISOString())
  const rows = await rowsOf(one)
  t.equal(
    rows[0],
    'Id;Número;Nombre;Etiquetas;A cargo de;Equipo;Origen;Empezó;Primera respuesta (s);Espera más larga (s);Terminó;Mensajes del cliente;Mensajes nuestros;Estado',
  )
  t.same(
    rows.slice(1).map(row => row.split(';').slice(1, 3)),
    [
      ['5491155510002', "'+A1"],
      ['5491155510001', `"'\t=1+1"`],
      ['5491155510000', "'\uff1dcmd()"],
    ],
  )
  t.match(rows[1], /;2026-03-17T15:02:00\.000Z;20;20;2026-03-17T15:02:20\.000Z;1;1;/)
  const { headers } = await fetchFile(one.url ?? '')
  t.match(headers['content-disposition'], /-conversaciones-2026-03-14-2026-03-20\.csv"$/)
  t.same((await call('GET', '/stats/report')).body.items.length, 1)
})

t.test('an export filtered by an unknown team is empty and says so', async t => {
  const { make, rowsOf, begin } = await stage(t)
  const one = await make({ team: 'of another organization', days: 7 })
  t.match(one, { state: 'done', rows: 0, unknown: ['team'] })
  t.equal((await rowsOf(one)).length, 1, 'only the names of the columns')
  for (const [filter, field, words] of [
    [{ from: '2026-03-20', to: '2026-03-01' }, 'body.to', /./],
    [{ from: '2016-03-20' }, 'body.to', /366/],
    [{ from: '2027-03-20' }, 'body.from', /./],
    [{ from: '2026-02-31' }, 'body.from', /./],
    [{ tag: '' }, 'body.tag', /./],
    [{ other: 1 }, 'body.other', /./],
  ] as const) {
    const { status, body } = await begin(filter)
    t.equal(status, 400, JSON.stringify(filter))
    t.match(body.details[0], { field, message: words })
  }
})

t.test('each person has one export at a time, which only they see and stop', async t => {
  const { backend, databases, owner, begin, call, fetchFile, make } = await stage(t)
  const colleague = callsOf(backend, await aMember({ databases, org: owner.org, role: 'admin' }))
  // As if its job were still writing, which else takes milliseconds.
  const { id } = await make()
  await databases.write.updateTable('stats_export').set({ state: 'running' }).where('id', '=', id).execute()
  await databases.write.deleteFrom('stats_export_part').execute()
  const refused = await Promise.all([begin(), begin()])
  t.same(
    refused.map(({ status }) => status),
    [409, 409],
  )
  const stopped = await call('POST', `/stats/report/${id}/stop`)
  t.match(stopped.body, { state: 'stopped', url: null })
  await backend.settle()
  t.match((await call('GET', `/stats/report/${id}`)).body, { state: 'stopped' })
  t.same(await databases.read.selectFrom('stats_export_part').selectAll().execute(), [])
  const done = await make()
  for (const path of [`/stats/report/${done.id}`, `/stats/report/${done.id}/file`])
    t.equal((await colleague.call('GET', path)).status, 404)
  t.equal((await colleague.call('POST', `/stats/report/${done.id}/stop`)).status, 404)
  t.equal((await colleague.call('DELETE', `/stats/report/${done.id}`)).status, 404)
  t.same((await colleague.call('GET', '/stats/report')).body.items, [])
  t.equal((await call('DELETE', `/stats/report/${done.id}`)).status, 200)
  t.equal((await fetchFile(done.url ?? '')).statusCode, 404)
})

t.test('who may not export data gets what they have themselves', async t => {
  const { backend, databases, owner, conversation, say, read } = await stage(t)
  const beto = await aMember({ databases, org: owner.org, role: 'member', name: 'Beto' })
  const viewer = await aMember({ databases, org: owner.org, role: 'viewer' })
  const { id } = await conversation()
  await say(id, nowMs - day, lines.customer)
  await say(id, nowMs - day + 1000, { direction: 'out', authorKind: 'person', authorId: beto.user.id })
  await read(1_000)
  const { make, rowsOf, fetchFile } = callsOf(backend, beto)
  const one = await make()
  t.match(one, { rows: 1, isOwn: true })
  const [, own] = await rowsOf(one)
  t.match(own, /;Beto;/)
  t.match(await make({ member: 'ana' }), { rows: 0, unknown: ['member'] })
  t.match(await make({ member: 'none' }), { rows: 0 })
  t.match(await callsOf(backend, viewer).make(), { rows: 0, isOwn: true })

  await databases.write.updateTable('member').set({ role: 'admin' }).where('userId', '=', beto.user.id).execute()
  t.equal((await fetchFile(one.url ?? '')).statusCode, 409, 'what they see has changed since')
  await databases.write.deleteFrom('member').where('userId', '=', beto.user.id).execute()
  t.equal((await fetchFile(one.url ?? '')).statusCode, 403)
})

t.test('an export fails if its owner has lost the right before it is written', async t => {
  const { backend, databases, owner } = await stage(t)
  const leaver = await aMember({ databases, org: owner.org, role: 'admin' })
  const { begin } = callsOf(backend, leaver)
  await backend.parts.jobs.stop()
  const { body } = await begin()
  await databases.write.deleteFrom('member').where('userId', '=', leaver.user.id).execute()
  const other = await startBackend(t, { databases, clock: backend.clock })
  await other.settle()
  const row = await databases.read.selectFrom('stats_export').selectAll().where('id', '=', body.id).executeTakeFirst()
  t.match(row, { state: 'failed', failure: 'noRights', bytes: 0 })
})

t.test('an erased contact is in no file any more', async t => {
  const { backend, databases, owner, contacts, make, rowsOf, call } = await stage(t)
  const before = await make()
  for (const [i, contact_id] of contacts.entries()) {
    const value = `54911555${10_000 + i}`
    const row = { org_id: owner.org.id, contact_id, kind: 'phone', match_key: phoneKey(value), value, seen_at: now }
    await databases.write
      .insertInto('contact_identity')
      .values(row as never)
      .execute()
  }
  const erase = async (i: number) => {
    const number = `54911555${10_000 + i}`
    const reply = await call('POST', `/whatsapp/conversations/${number}/erasure`, { confirm: number, reason: 'asked' })
    if (reply.status >= 300) throw new Error(JSON.stringify(reply.body))
    await backend.settle()
    backend.clock.advance(minute)
    await backend.settle()
  }
  await erase(0)
  t.equal(
    (
      await databases.read
        .selectFrom('contact')
        .where('id', '=', contacts[0] as string)
        .select('id')
        .execute()
    ).length,
    0,
  )
  t.match((await call('GET', `/stats/report/${before.id}`)).body, { state: 'failed', failure: 'erased', url: null })
  const rows = await rowsOf(await make())
  t.equal(rows.length, 4, 'the count stays')
  t.notMatch(rows.join(), /5491155510000/)
  t.match(rows[3], /^[0-9a-z]{24};;;;/, 'without number and name')
})

t.test('files are deleted after some days, and old ones when more are made', async t => {
  const { backend, databases, make, call, fetchFile } = await stage(t)
  const first = await make()
  for (let i = 0; i < exportsPerAuthor; i += 1) {
    backend.clock.advance(minute)
    await make()
  }
  t.equal((await call('GET', '/stats/report')).body.items.length, exportsPerAuthor)
  t.equal((await call('GET', `/stats/report/${first.id}`)).status, 404)
  const last = (await call('GET', '/stats/report')).body.items[0] as StatsExport
  backend.clock.advance(exportKeptDays * day + minute)
  t.equal((await fetchFile(last.url ?? '')).statusCode, 404, 'before it is deleted, too')
  await backend.settle()
  t.same(await databases.read.selectFrom('stats_export').select('id').execute(), [])
  t.same(await databases.read.selectFrom('stats_export_part').select('export_id').execute(), [])
})

/** The job in hand, run as the caller says. */
const jobInHand = (backend: TestBackend, rowsPerPart: number) => {
  let kind: AnyKind | undefined
  const jobs = {
    register: (given: never) => {
      kind = given
      return { add: async () => 0, wake: () => {} } as never
    },
  } as WritingParts['jobs']
  const { parts } = backend
  createStatsExports({
    ...(parts as never as WritingParts & { ids(): string }),
    ...partsOf(backend),
    jobs,
    rowsPerPart,
  })
  return (job: Partial<Job>, signal: AbortSignal): Promise<Outcome | undefined> =>
    (kind as AnyKind).run(job as Job, { ready: undefined, signal })
}

const partsOf = ({ parts }: TestBackend) => ({
  findCurrentRights: parts.auth.findCurrentRights,
  findOrganization: async () => ({ name: 'Org', slug: 'org' }),
})

t.test('an interrupted job goes on behind the last part, and makes the same file', async t => {
  const { backend, databases, owner, make, rowsOf, call } = await stage(t, 25)
  const whole = await rowsOf(await make())
  await backend.parts.jobs.stop()
  const { body } = await call('POST', '/stats/report', {})
  const run = jobInHand(backend, 10)
  const job = { orgId: owner.org.id, payload: { exportId: body.id }, attempts: 1 }
  const look = () => databases.read.selectFrom('stats_export').selectAll().where('id', '=', body.id).executeTakeFirst()
  let looks = 0
  const dies = {
    // Alive while it counts and writes the first part.
    get aborted() {
      looks += 1
      return looks > 2
    },
  } as AbortSignal
  t.match(await run(job, dies), { kind: 'released' })
  t.match(await look(), { state: 'running', row_count: 25, done: 10, parts: 1 })
  await run(job, new AbortController().signal)
  t.match(await look(), { state: 'done', row_count: 25, done: 25, parts: 3 })
  const made = (await call('GET', `/stats/report/${body.id}`)).body as StatsExport
  t.same(await rowsOf(made), whole)
})

t.test('what is stopped or erased while a part is made is not added to', async t => {
  const { backend, databases, owner, call } = await stage(t, 25)
  await backend.parts.jobs.stop()
  const { body } = await call('POST', '/stats/report', {})
  const run = jobInHand(backend, 10)
  const job = { orgId: owner.org.id, payload: { exportId: body.id }, attempts: 1 }
  const look = () => databases.read.selectFrom('stats_export').selectAll().where('id', '=', body.id).executeTakeFirst()
  await run(job, AbortSignal.abort())
  const { body: stopped } = await call('POST', `/stats/report/${body.id}/stop`)
  t.equal(stopped.state, 'stopped')
  t.equal(await run(job, new AbortController().signal), undefined)
  t.match(await look(), { state: 'stopped', parts: 0, bytes: 0 })
})

t.test('two processes that have the same job write each row once', async t => {
  const { backend, databases, owner, call, make, rowsOf } = await stage(t, 25)
  const whole = await rowsOf(await make())
  await backend.parts.jobs.stop()
  const { body } = await call('POST', '/stats/report', {})
  const job = { orgId: owner.org.id, payload: { exportId: body.id }, attempts: 1 }
  const runs = [jobInHand(backend, 10), jobInHand(backend, 7)]
  const state = async () =>
    (await databases.read.selectFrom('stats_export').select('state').where('id', '=', body.id).executeTakeFirst())
      ?.state
  for (let looks = 0; looks < 10 && (await state()) === 'running'; looks += 1)
    await Promise.all(runs.map(run => run(job, new AbortController().signal)))
  const made = (await call('GET', `/stats/report/${body.id}`)).body as StatsExport
  t.match(made, { state: 'done', rows: 25, done: 25 })
  t.same(await rowsOf(made), whole)
})
