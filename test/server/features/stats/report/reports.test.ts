import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { StatsReport } from '#shared/stats/report.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { startBackend, type TestBackend } from '#test/helpers/backend.ts'
import { handClock } from '#test/helpers/clock.ts'
import { plantConnection } from '#test/helpers/sandbox.ts'
import { aHistory, lines } from '#test/helpers/segment-history.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

/** A Wednesday. */
const now = '2026-03-18T15:00:00.000Z'
const nowMs = Date.parse(now)
const monday = '2026-03-23T11:00:00.000Z'
const minute = 60_000
const aNumber = {
  phoneNumberId: 'p1',
  wabaId: 'w1',
  phone: '5491155550101',
  verifiedName: 'Panadería',
  accessToken: '',
  appSecret: '',
  verifyToken: '',
}

/** Mails in the order in which they were written, as a mail program shows them. */
const mailsIn = (backend: TestBackend) => {
  const folder = join(backend.dataDir, 'mail')
  let names: string[] = []
  try {
    names = readdirSync(folder).sort()
  } catch {
    // Nothing was mailed yet.
  }
  return names.map(name => {
    const raw = readFileSync(join(folder, name), 'utf8')
    const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
    const header = (named: string) =>
      head
        .split('\r\n')
        .find(line => line.toLowerCase().startsWith(`${named}: `))
        ?.slice(named.length + 2)
    const decoded = Buffer.from(
      raw
        .replace(/=\r\n/g, '')
        .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      'latin1',
    ).toString('utf8')
    const html = decoded.indexOf('<!doctype html>')
    const text = decoded.slice(0, html).replace(/^.*text\/plain.*?\r\n\r\n/s, '')
    return {
      head,
      header,
      text: text.slice(0, text.lastIndexOf('----_')),
      html: decoded.slice(html, decoded.lastIndexOf('</html>')),
    }
  })
}

const stage = async (t: Test, env: Record<string, string> = {}) => {
  const backend = await startBackend(t, { clock: handClock(now), env })
  const { databases } = backend
  const owner = await aMember({ databases, name: 'Ana Prueba' })
  const { conversation, say, read } = aHistory(databases, owner.org.id)
  const as =
    (who: AMember, language = 'es') =>
    async (method: 'GET' | 'POST' | 'PUT', path: string, payload?: object) => {
      const headers = { cookie: who.cookie, 'x-organization': who.org.slug, 'accept-language': language }
      const reply = await backend.inject({ method, url: `/api/stats${path}`, headers, ...(payload ? { payload } : {}) })
      return { status: reply.statusCode, body: JSON.parse(reply.body), headers: reply.headers }
    }
  /** So many conversations of the week before, which somebody answered after half a minute. */
  const attend = async (who: string, count: number, startMs = Date.parse('2026-03-18T15:00:00.000Z')) => {
    for (let i = 0; i < count; i += 1) {
      const { id } = await conversation()
      await say(id, startMs + i * minute, lines.customer)
      await say(id, startMs + i * minute + 30_000, { direction: 'out', authorKind: 'person', authorId: who })
    }
    await read(1_000)
  }
  const set = async (recipients: readonly AMember[], rhythm: string | null = 'weekly') =>
    as(owner)('PUT', '/mail', { rhythm, recipients: recipients.map(who => ({ userId: who.user.id })) })
  /** As if the process had lived until then. */
  const liveUntil = async (iso: string) => {
    backend.clock.set(iso)
    await backend.settle()
  }
  return { backend, databases, owner, as, call: as(owner), attend, set, liveUntil, mails: () => mailsIn(backend) }
}

t.test('the report of a week goes out on Monday, once, to each in their language with what they may see', async t => {
  const { backend, databases, owner, as, call, attend, set, liveUntil, mails } = await stage(t)
  const beto = await aMember({ databases, org: owner.org, role: 'member', name: 'Beto' })
  const leaver = await aMember({ databases, org: owner.org, role: 'admin', name: 'Se fue' })
  const billing = await aMember({ databases, org: owner.org, role: 'billing', name: 'Pagos' })
  const dora = await aMember({ databases, org: owner.org, role: 'member', name: 'Dora' })
  // As if nobody had used the interface yet.
  await databases.write.updateTable('user').set({ language: null }).execute()
  await as(owner)('GET', '/mail')
  await as(beto, 'en')('GET', '/mail')
  const { body } = await set([owner, beto, leaver, billing])
  t.match(body, { rhythm: 'weekly', nextAt: monday, hasMailServer: false })
  t.same(
    (body as StatsReport).recipients.map(({ name, gets }) => [name, gets]),
    [
      ['Ana Prueba', true],
      ['Beto', true],
      ['Pagos', false],
      ['Se fue', true],
    ],
  )
  await attend(owner.user.id, 6)
  await attend(beto.user.id, 5, nowMs + 60 * minute)
  await attend(dora.user.id, 2, nowMs + 120 * minute)
  await databases.write.deleteFrom('member').where('userId', '=', leaver.user.id).execute()
  const { body: current } = await call('GET', '/mail')
  const recipients = (current as StatsReport).recipients.map(({ userId }) => ({ userId }))
  t.notOk(recipients.some(({ userId }) => userId === leaver.user.id))
  t.equal((await call('PUT', '/mail', { rhythm: 'weekly', recipients })).status, 200, 'what is shown can be saved')
  await liveUntil('2026-03-23T10:59:00.000Z')
  t.equal(mails().length, 0, 'not before eight')
  await liveUntil(monday)
  const sent = mails()
  t.same(sent.map(({ header }) => header('to')).toSorted(), [owner.user.email, beto.user.email].toSorted())
  const toOwner = sent.find(({ header }) => header('to') === owner.user.email)
  const toBeto = sent.find(({ header }) => header('to') === beto.user.email)
  for (const part of [toOwner?.text, toOwner?.html]) {
    t.match(part, /Conversaciones/)
    t.match(part, /16 mar 2026 al 22 mar 2026/)
    t.match(part, /13/)
    t.match(part, /Beto/)
    t.match(part, /30\ss/)
    t.match(part, /Dora.*2 casos.*2 de 2.*2 casos/s, 'a median of two cases would mislead')
  }
  for (const part of [toBeto?.text, toBeto?.html]) {
    t.match(part, /Conversations/)
    t.match(part, /only conversations assigned to you/)
    t.notMatch(part, /Ana Prueba/)
  }
  t.match(toBeto?.text, /Conversations: 5\r\n/)
  t.match(toOwner?.text, /Conversaciones: 13\r\n/)
  await liveUntil('2026-03-29T11:00:00.000Z')
  t.equal(mails().length, 2, 'once a week')
  await liveUntil('2026-03-30T11:00:00.000Z')
  t.equal(mails().length, 4)
  t.same(backend.errors(), [])
})

t.test(
  'each gets it in the language in which they used the interface last, else in that of the organization',
  async t => {
    const { backend, databases, owner, as, set, liveUntil, mails } = await stage(t)
    const [beto, carla] = [
      await aMember({ databases, org: owner.org, role: 'admin', name: 'Beto' }),
      await aMember({ databases, org: owner.org, role: 'admin', name: 'Carla' }),
    ]
    // As if nobody had used the interface yet.
    await databases.write.updateTable('user').set({ language: null }).execute()
    await set([owner, beto, carla])
    await as(beto, 'en')('GET', '/mail')
    await databases.write
      .updateTable('session')
      .set({ impersonatedBy: owner.user.id })
      .where('userId', '=', carla.user.id)
      .execute()
    await as(carla, 'en')('GET', '/mail')
    const languageOfMails = () => mails().map(({ header, html }) => [header('to'), /<html lang="(..)"/.exec(html)?.[1]])
    await liveUntil(monday)
    t.same(
      new Map(languageOfMails() as [string, string][]),
      new Map([
        [owner.user.email, 'es'],
        [beto.user.email, 'en'],
        // Who impersonated her does not choose it.
        [carla.user.email, 'es'],
      ]),
    )
    await databases.write
      .insertInto('org_settings')
      .values({ org_id: owner.org.id, language: 'en', updated_at: now })
      .execute()
    // Two hours later, because it is recorded with the use of the session.
    backend.clock.set('2026-03-23T13:00:00.000Z')
    await databases.write.updateTable('session').set({ updatedAt: monday }).execute()
    await as(beto, 'es')('GET', '/mail')
    await liveUntil('2026-03-30T11:00:00.000Z')
    t.same(
      new Map(languageOfMails().slice(3) as [string, string][]),
      new Map([
        [owner.user.email, 'es'],
        [beto.user.email, 'es'],
        [carla.user.email, 'en'],
      ]),
    )
  },
)

t.test('costs and the health of numbers stand in it, for who may see them', async t => {
  const { backend, databases, owner, as, set, liveUntil, mails } = await stage(t)
  const connectionId = await plantConnection(databases, owner.org.id, aNumber)
  const viewer = await aMember({ databases, org: owner.org, role: 'viewer', name: 'Vera' })
  await as(viewer)('GET', '/mail')
  await databases.write
    .insertInto('rate_card')
    .values({
      org_id: owner.org.id,
      currency: 'USD',
      valid_from: '2026-01-01',
      rates: JSON.stringify([{ country: 'AR', prices: { MARKETING: 0.0625 } }]),
      updated_at: now,
    })
    .execute()
  await databases.write
    .insertInto('sent_day')
    .values({
      org_id: owner.org.id,
      day: '2026-03-18',
      connection_id: connectionId,
      country: 'AR',
      category: 'marketing',
      charge: 'regular',
      source: 'bulk',
      template: 'promo',
      ...{ sent: 1_300, delivered: 1_234, read: 0, failed: 66, replied: 0, opted_out: 0 },
    })
    .execute()
  await set([owner, viewer])
  await liveUntil(monday)
  const mailTo = (who: AMember) => mails().find(({ header }) => header('to') === who.user.email)
  for (const part of [mailTo(owner)?.text, mailTo(owner)?.html]) {
    t.match(part, /Marketing/)
    t.match(part, /1234/)
    t.match(part, /77,13/, 'rounded, as the figure above it is')
    t.match(part, /\+54 9 11 5555 0101/)
    t.match(part, /USD/)
  }
  for (const part of [mailTo(viewer)?.text, mailTo(viewer)?.html]) {
    t.match(part, /\+54 9 11 5555 0101/)
    t.notMatch(part, /77,13|USD/)
  }
  t.same(backend.errors(), [])
})

t.test('text and HTML have the same figures', async t => {
  const { databases, owner, attend, set, liveUntil, mails } = await stage(t)
  await plantConnection(databases, owner.org.id, aNumber)
  await set([owner])
  await attend(owner.user.id, 7)
  await liveUntil(monday)
  const [mail] = mails()
  const words = (html: string) =>
    html
      .replace(/<style>.*?<\/style>|<title>.*?<\/title>/gs, '')
      .replace(/<[^>]+>/g, ' ')
      .replace(/&amp;/g, '&')
      .match(/\d[\d.,]*(?: ?%)?/g)
      ?.toSorted()
  const text = mail?.text.replace(/https?:\S+/g, '') ?? ''
  const figures = (some: string[] | undefined) => [...new Set(some)].toSorted()
  t.same(figures(words(mail?.html ?? '')), figures(words(text)))
  t.notMatch(mail?.html, /<img|<script|url\(/i)
})

t.test('a link in the mail unsubscribes with one click, and asks first otherwise', async t => {
  const { backend, owner, call, set, liveUntil, mails } = await stage(t)
  await set([owner])
  await liveUntil(monday)
  const [mail] = mails()
  t.equal(mail?.header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
  const address = new URL(/^<(.+)>$/.exec(mail?.header('list-unsubscribe') ?? '')?.[1] ?? '')
  const url = address.pathname + address.search
  const token = address.searchParams.get('token') ?? ''

  const looked = await backend.inject({ method: 'GET', url })
  t.equal(looked.statusCode, 303)
  t.equal(looked.headers.location, `/unsubscribe/statistics?${new URLSearchParams({ token })}`)
  t.ok(mail?.html.includes('/unsubscribe/statistics?'))
  const asked = () => backend.inject({ method: 'GET', url: `/api/stats/mail/subscription?${address.searchParams}` })
  t.same((await asked()).json(), { organization: owner.org.name, isSubscribed: true }, 'looking unsubscribes nobody')

  for (const headers of [
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'multipart/form-data; boundary=x' },
  ]) {
    const reply = await backend.inject({ method: 'POST', url, headers, payload: 'List-Unsubscribe=One-Click' })
    t.equal(reply.statusCode, 200, 'without a cookie, and a second time')
  }
  t.same((await asked()).json(), { organization: owner.org.name, isSubscribed: false })
  t.match((await call('GET', '/mail')).body.recipients, [{ gets: false }])
  await set([owner])
  t.match((await call('GET', '/mail')).body.recipients, [{ gets: false }], 'saving again does not undo it')
  await liveUntil('2026-03-30T11:00:00.000Z')
  t.equal(mails().length, 1)
  await set([])
  await set([owner])
  t.match((await call('GET', '/mail')).body.recipients, [{ gets: true }], 'choosing again does')

  const last = token.at(-2) === 'A' ? 'B' : 'A'
  for (const wrong of [token.slice(0, -2) + last + token.at(-1), owner.org.id, 'x', `${token}A`]) {
    const payload = { token: wrong }
    t.equal((await backend.inject({ method: 'POST', url: '/api/stats/mail/subscription', payload })).statusCode, 404)
    const other = `/api/stats/mail/unsubscribe?${new URLSearchParams(payload)}`
    t.equal((await backend.inject({ method: 'POST', url: other })).statusCode, 404)
  }
  t.match((await call('GET', '/mail')).body.recipients, [{ gets: true }])
})

t.test('markup in the names of organizations and people stays text', async t => {
  const { databases, owner, attend, set, liveUntil, mails } = await stage(t)
  const evil = 'Pan\r\nBcc: x@evil.example\r\n\r\n<img src=x onerror=alert(1)> https://evil.example'
  await databases.write.updateTable('organization').set({ name: evil }).where('id', '=', owner.org.id).execute()
  await databases.write
    .updateTable('user')
    .set({ name: '<b>Ana</b> evil.example' })
    .where('id', '=', owner.user.id)
    .execute()
  await set([owner])
  await attend(owner.user.id, 5)
  await liveUntil(monday)
  const [mail] = mails()
  t.notMatch(mail?.head, /^bcc:/im)
  t.equal(mail?.header('to'), owner.user.email)
  t.notMatch(mail?.html, /<img|<b>Ana/)
  t.notMatch(mail?.text, /https:\/\/evil|evil\.example/)
})

t.test('who lacks the second factor that the organization demands gets nothing', async t => {
  const { databases, owner, set, liveUntil, mails } = await stage(t)
  await set([owner])
  const demand = async (isDemanded: number) =>
    databases.write
      .insertInto('org_settings')
      .values({ org_id: owner.org.id, second_factor_required: isDemanded, updated_at: now } as never)
      .onConflict(conflict => conflict.column('org_id').doUpdateSet({ second_factor_required: isDemanded } as never))
      .execute()
  await demand(1)
  await liveUntil(monday)
  t.equal(mails().length, 0)
  await demand(0)
  await liveUntil('2026-03-30T11:00:00.000Z')
  t.equal(mails().length, 1)
})

t.test('who cannot sign in by the single sign-on that the organization demands gets nothing', async t => {
  const { databases, owner, set, liveUntil, mails } = await stage(t)
  const [outsider, known] = [
    await aMember({ databases, org: owner.org, role: 'admin', name: 'Sin identidad' }),
    await aMember({ databases, org: owner.org, role: 'admin', name: 'Conocida' }),
  ]
  await set([owner, outsider, known])
  const provider = 'provider'
  await databases.write
    .insertInto('sso_provider')
    .values({
      ...{ id: provider, org_id: owner.org.id, name: 'x', domain: 'example.com', issuer: 'https://x.example' },
      ...{ client_id: 'x', client_secret: 'x', authorization_endpoint: 'x', token_endpoint: 'x' },
      ...{ user_info_endpoint: 'x', jwks_endpoint: 'x', token_authentication: 'client_secret_post' },
      ...{ email_claim: 'email', name_claim: 'name', role: 'member', team_id: null, domain_token: 'x' },
      ...{ domain_verified_at: now, created_at: now, updated_at: now },
    })
    .execute()
  await databases.write
    .insertInto('sso_identity')
    .values({ provider_id: provider, user_id: known.user.id, subject: 'x', created_at: now })
    .execute()
  await databases.write
    .insertInto('sso_demand')
    .values({ org_id: owner.org.id, exempt_user_id: owner.user.id, created_at: now })
    .execute()
  await liveUntil(monday)
  t.same(
    mails()
      .map(({ header }) => header('to'))
      .toSorted(),
    [owner.user.email, known.user.email].toSorted(),
  )
})

t.test('nobody mails it to a person whom they impersonate', async t => {
  const { backend, databases, owner, call, mails } = await stage(t)
  await databases.write
    .updateTable('session')
    .set({ impersonatedBy: owner.user.id })
    .where('userId', '=', owner.user.id)
    .execute()
  t.match(await call('POST', '/mail/send'), { status: 403, body: { code: 'STATS_REPORT_NOT_WHILE_IMPERSONATING' } })
  t.match(await call('POST', '/report', {}), { status: 403, body: { code: 'STATS_EXPORTS_NOT_WHILE_IMPERSONATING' } })
  await backend.settle()
  t.equal(mails().length, 0)
})

t.test('a member asks for one now, some minutes apart', async t => {
  const { backend, databases, owner, as, mails } = await stage(t)
  const beto = await aMember({ databases, org: owner.org, role: 'member', name: 'Beto' })
  const call = as(beto)
  const first = await call('POST', '/mail/send')
  t.match(first, { status: 202, body: { to: beto.user.email } })
  await backend.settle()
  t.equal(mails().length, 1)
  const [mail] = mails()
  t.equal(mail?.header('list-unsubscribe'), undefined)
  t.match(mail?.text, /porque lo pediste/)
  const again = await call('POST', '/mail/send')
  t.equal(again.status, 429)
  t.equal(again.headers['retry-after'], '600')
  backend.clock.advance(10 * minute)
  t.equal((await call('POST', '/mail/send')).status, 202)
  t.equal((await call('PUT', '/mail', { rhythm: 'weekly', recipients: [] })).status, 403, 'and sets nothing')
  t.same((await call('GET', '/mail')).body.recipients, [], 'nor sees who gets it')
})

t.test('only members are recipients, and each once', async t => {
  const { databases, owner, call } = await stage(t)
  const stranger = await aMember({ databases })
  for (const ids of [[stranger.user.id], [owner.user.id, owner.user.id], ['nobody']]) {
    const recipients = ids.map(userId => ({ userId }))
    const { status, body } = await call('PUT', '/mail', { rhythm: 'weekly', recipients })
    t.equal(status, 400)
    t.match(body.details[0].field, /^body\.recipients\.\d\.userId$/)
  }
  const { body } = await call('PUT', '/mail', { rhythm: 'yearly', recipients: [] })
  t.match(body.details[0].field, 'body.rhythm')
})

t.test('it follows the clock of the organization, and stops when it is switched off', async t => {
  const { backend, databases, owner, call, set, liveUntil, mails } = await stage(t)
  await set([owner])
  const change = async (timeZone: string) => {
    const reply = await backend.inject({
      method: 'PATCH',
      url: '/api/organization/settings',
      headers: { cookie: owner.cookie, 'x-organization': owner.org.slug },
      payload: { timeZone },
    })
    t.equal(reply.statusCode, 200, reply.body)
    await backend.settle()
  }
  await change('Asia/Tokyo')
  t.equal((await call('GET', '/mail')).body.nextAt, '2026-03-22T23:00:00.000Z')
  await liveUntil('2026-03-22T23:00:00.000Z')
  t.equal(mails().length, 1)
  await change('America/Argentina/Buenos_Aires')
  await liveUntil('2026-03-23T11:00:00.000Z')
  t.equal(mails().length, 1, 'the same week is not mailed again')
  await liveUntil('2026-03-30T11:00:00.000Z')
  t.equal(mails().length, 2)
  const off = await set([owner], null)
  t.match([off.status, JSON.stringify(off.body)], [200, /"rhythm":null,"nextAt":null/])
  await liveUntil('2026-04-06T11:00:00.000Z')
  t.equal(mails().length, 2)
  t.same(await databases.read.selectFrom('job').select('kind').where('kind', 'like', 'stats.report%').execute(), [])
})

t.test('a mail server that is away is tried again, and nobody gets it twice', async t => {
  const { backend, databases, owner, set, liveUntil } = await stage(t, {
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'Recado <recado@example.com>',
  })
  t.match((await set([owner])).body, { hasMailServer: true })
  await liveUntil(monday)
  const recipient = () =>
    databases.read.selectFrom('stats_report_recipient').select('sent_period').executeTakeFirstOrThrow()
  const job = () =>
    databases.read
      .selectFrom('job')
      .select(['state', 'attempts', 'reason'])
      .where('kind', '=', 'stats.reportMail')
      .execute()
  t.match(await job(), [{ state: 'retrying', reason: 'MAIL_UNAVAILABLE' }])
  t.same(await recipient(), { sent_period: null })
  // As if it had been handed to the mail server, and the process had died.
  await databases.write.updateTable('stats_report_recipient').set({ sent_period: 'weekly 2026-03-16' }).execute()
  backend.clock.advance(60 * minute)
  await backend.settle()
  t.same(await job(), [])
})
