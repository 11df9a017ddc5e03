import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { getSettings as getExported } from '#server/features/exports/store.ts'
import { pictureOf } from '#server/platform/storage/picture.ts'
import { builtInVariables } from '#shared/flows/variables.ts'
import { pictureMaxBytes } from '#shared/media/pictures.ts'
import { weekdays } from '#shared/orgs/business-hours.ts'
import { defaultCountry } from '#shared/orgs/setting-fields.ts'
import { answerVariables } from '#shared/ready-answers/api.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'

/** 1 × 1 pixel in each format, made with ImageMagick. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)
const jpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD/wAALCAABAAIBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AVN//2Q==',
  'base64',
)
const webp = Buffer.from('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAUAmJaQAA3AA/v02aAA=', 'base64')

const stage = async (t: Test) => {
  const backend = await startBackend(t)
  const owner = await aMember({ databases: backend.databases })
  const call = async (
    method: 'GET' | 'PATCH' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    who: AMember = owner,
  ) => {
    const reply = await backend.inject({
      method,
      url: `/api/organization/${path}`,
      headers: { cookie: who.cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    return { status: reply.statusCode, body: reply.json() as Record<string, unknown> }
  }
  const upload = (bytes: Buffer) => call('PUT', 'logo', { dataBase64: bytes.toString('base64') })
  const files = () => {
    const folder = join(backend.dataDir, 'logos')
    return existsSync(folder) ? readdirSync(folder).filter(name => name !== '.partial') : []
  }
  return { backend, owner, call, upload, files }
}

t.test('an organization that chose nothing has the defaults, and a change leaves the rest', async t => {
  const { call, backend, owner } = await stage(t)
  const defaults = {
    timeZone: 'America/Argentina/Buenos_Aires',
    language: 'es',
    country: defaultCountry,
    filesLimitBytes: null,
    promiseMinutes: 15,
    bulkApprovalFrom: null,
    assignOnReply: true,
    windowTemplate: null,
    website: null,
  }
  t.same((await call('GET', 'settings')).body, defaults)
  t.equal(await backend.parts.orgSettings.findChosen(owner.org.id, 'language'), undefined, 'never chosen')
  t.same((await call('PATCH', 'settings', { country: 'UY' })).body, { ...defaults, country: 'UY' })
  const changed = {
    timeZone: 'Europe/Madrid',
    language: 'en',
    country: 'UY',
    filesLimitBytes: null,
    promiseMinutes: 15,
    bulkApprovalFrom: null,
    assignOnReply: true,
    windowTemplate: null,
    website: null,
  }
  t.same((await call('PATCH', 'settings', { timeZone: 'Europe/Madrid', language: 'en' })).body, changed)
  t.same((await call('GET', 'settings')).body, changed)
  t.equal(await backend.parts.orgSettings.read(owner.org.id, 'timeZone'), 'Europe/Madrid')
  t.equal(await backend.parts.orgSettings.readCallingCode(owner.org.id), '598')
})

t.test('a zone, language or country nobody knows is refused by its field', async t => {
  const { call } = await stage(t)
  for (const [field, value] of [
    ['timeZone', 'Mars/Olympus'],
    ['country', 'ZQ'],
    ['country', 'ar'],
    ['language', 'fr'],
  ] as const) {
    const { status, body } = await call('PATCH', 'settings', { [field]: value })
    t.equal(status, 400, `${field} ${value}`)
    t.match(body.details, [{ field: `body.${field}` }])
  }
})

t.test('a website is kept, written down, exported and mentioned; anything but an https address is refused', async t => {
  const { backend, owner, call } = await stage(t)
  const { read } = backend.databases
  const mentioned = () => backend.parts.orgSettings.readVariables(owner.org.id)
  t.same(await mentioned(), { 'org.nombre': owner.org.name, 'org.sitio_web': '' })
  const website = `https://www.panadería.com.ar/${'a'.repeat(256 - 29)}`
  t.equal(website.length, 256)
  t.match(await call('PATCH', 'settings', { website }), { status: 200, body: { website } })
  for (const wrong of [
    `${website}a`,
    'http://www.example.com',
    'javascript:alert(1)',
    'https://localhost',
    'https://',
    'https://ana:secreto@example.com',
    'https://example.com/a b',
    '',
    7,
  ]) {
    const { status, body } = await call('PATCH', 'settings', { website: wrong })
    t.equal(status, 400, String(wrong))
    t.match(body.details, [{ field: 'body.website' }])
  }
  t.same(await mentioned(), { 'org.nombre': owner.org.name, 'org.sitio_web': website })
  t.match(await getExported(read, owner.org.id), { website })
  const [entry] = (await call('GET', 'audit')).body.items as { changes: unknown }[]
  t.same(entry?.changes, [{ fact: 'website', before: null, after: website }])
  t.ok(answerVariables.includes('org.sitio_web') && builtInVariables.includes('org.sitio_web'))
  t.match(await call('PATCH', 'settings', { website: null }), { status: 200, body: { website: null } })
  t.equal((await mentioned())['org.sitio_web'], '')
})

t.test('members read the settings, and only those who may update the organization change them', async t => {
  const { backend, owner, call } = await stage(t)
  const member = await aMember({ databases: backend.databases, org: owner.org, role: 'member' })
  t.equal((await call('GET', 'settings', undefined, member)).status, 200)
  t.equal((await call('PATCH', 'settings', { country: 'UY' }, member)).status, 403)
  t.equal((await call('PUT', 'logo', { dataBase64: png.toString('base64') }, member)).status, 403)
  t.equal((await call('DELETE', 'logo', undefined, member)).status, 403)
})

const weekOf = (spans: { from: string; to: string }[]) =>
  Object.fromEntries(weekdays.map(day => [day, day === 'monday' ? spans : []]))

t.test('hours are stored in order, in local time, and open tabs are notified', async t => {
  const { backend, owner, call } = await stage(t)
  const timeZone = 'America/Argentina/Buenos_Aires'
  const { read } = backend.databases
  const { isOpenAt } = backend.parts.businessHours
  t.same((await call('GET', 'business-hours')).body, { hours: null, timeZone, isOpen: true, opensAt: null })
  t.equal(await isOpenAt(owner.org.id, '2026-11-22T04:00:00.000Z'), true, 'without hours it is always open')
  const [morning, afternoon] = [
    { from: '09:00', to: '13:00' },
    { from: '16:00', to: '20:00' },
  ]
  const exceptions = [{ date: '2026-12-25', spans: [] }]
  const hours = { week: weekOf([afternoon, morning]), exceptions }
  const kept = { week: weekOf([morning, afternoon]), exceptions }
  t.match(await call('PUT', 'business-hours', { hours }), { status: 200, body: { hours: kept, timeZone } })
  t.equal(await isOpenAt(owner.org.id, '2026-11-23T12:00:00.000Z'), true)
  t.equal(await isOpenAt(owner.org.id, '2026-11-23T17:00:00.000Z'), false)
  await call('PATCH', 'settings', { timeZone: 'UTC' })
  t.match(
    (await call('GET', 'business-hours')).body,
    { hours: kept, timeZone: 'UTC' },
    'the rest of the settings stays',
  )
  t.equal(await isOpenAt(owner.org.id, '2026-11-23T17:00:00.000Z'), true, 'in another time zone')
  t.match((await call('PUT', 'business-hours', { hours: null })).body, { hours: null, timeZone: 'UTC', isOpen: true })
  const emitted = await read.selectFrom('event').select('type').where('org_id', '=', owner.org.id).execute()
  t.same([...new Set(emitted.map(({ type }) => type))], ['organization'])
})

t.test('overlapping or invalid hours are refused by day and change nothing', async t => {
  const { backend, owner, call } = await stage(t)
  const hours = (spans: { from: string; to: string }[]) => ({ week: weekOf(spans), exceptions: [] })
  for (const [field, body] of [
    [
      'body.hours.week.monday',
      hours([
        { from: '09:00', to: '13:00' },
        { from: '12:00', to: '18:00' },
      ]),
    ],
    ['body.hours.week.monday', hours([{ from: '09:00', to: '09:00' }])],
    ['body.hours.exceptions.0', { week: weekOf([]), exceptions: [{ date: '2026-02-30', spans: [] }] }],
  ] as const) {
    const answer = await call('PUT', 'business-hours', { hours: body })
    t.equal(answer.status, 400)
    t.match(answer.body.details, [{ field }])
  }
  t.equal((await call('PUT', 'business-hours', { hours: hours([{ from: '9:00', to: '24:00' }]) })).status, 400)
  t.match((await call('GET', 'business-hours')).body, { hours: null })
  const member = await aMember({ databases: backend.databases, org: owner.org, role: 'member' })
  t.equal((await call('GET', 'business-hours', undefined, member)).status, 200)
  t.equal((await call('PUT', 'business-hours', { hours: null }, member)).status, 403)
})

t.test('a logo is stored, public with nosniff, and replaces the previous one', async t => {
  const { backend, upload, call, files } = await stage(t)
  const { status, body } = await upload(png)
  t.equal(status, 200)
  const address = String(body.logo)
  t.match(address, /^\/logos\/[0-9a-z]{24}\.png$/)
  const seen = await backend.inject({ url: address })
  t.equal(seen.statusCode, 200)
  t.same(seen.rawPayload, png)
  t.match(seen.headers, {
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'cache-control': /immutable/,
    'content-security-policy': /sandbox/,
  })
  t.equal(
    (await backend.inject({ url: address, headers: { 'if-none-match': String(seen.headers.etag) } })).statusCode,
    304,
  )

  const second = String((await upload(webp)).body.logo)
  t.match(second, /\.webp$/)
  t.equal((await backend.inject({ url: address })).statusCode, 404)
  t.same(files(), [second.slice('/logos/'.length)])
  t.same((await call('DELETE', 'logo')).body, { logo: null })
  t.same(files(), [])
})

t.test('files that are not pictures and pictures that are too large get different errors', async t => {
  const { upload, call, files } = await stage(t)
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  for (const bytes of [
    svg,
    Buffer.from('MZ'),
    png.subarray(0, 20),
    Buffer.from('GIF89a'),
    Buffer.from([0xff, 0xd8, 0xff]),
  ])
    t.match(await upload(bytes), { status: 400, body: { code: 'ORGS_LOGO_NOT_IMAGE' } })
  t.match(await call('PUT', 'logo', { dataBase64: 'ñ not base64' }), { body: { code: 'ORGS_LOGO_NOT_IMAGE' } })
  const heavy = Buffer.concat([png, Buffer.alloc(pictureMaxBytes)])
  t.match(await upload(heavy), { status: 413, body: { code: 'ORGS_LOGO_TOO_LARGE' } })
  t.equal((await upload(Buffer.alloc(5 * pictureMaxBytes))).status, 413)
  const wide = Buffer.from(png)
  wide.writeUInt32BE(50_000, 16)
  t.match(
    await upload(wide),
    { status: 413, body: { code: 'ORGS_LOGO_TOO_LARGE' } },
    'a small file with huge dimensions',
  )
  t.same(files(), [])
})

t.test('an organization that uses the picture of another cannot delete it', async t => {
  const { backend, upload, call, files } = await stage(t)
  const address = String((await upload(png)).body.logo)
  const stranger = await aMember({ databases: backend.databases, orgName: 'Ajena' })
  const claim = { organizationId: stranger.org.id, data: { logo: address } }
  const claimed = await backend.inject({
    method: 'POST',
    url: '/api/auth/organization/update',
    headers: { cookie: stranger.cookie, 'content-type': 'application/json' },
    payload: JSON.stringify(claim),
  })
  t.equal(claimed.statusCode, 200)
  t.same((await call('DELETE', 'logo', undefined, stranger)).body, { logo: null })
  t.equal((await backend.inject({ url: address })).statusCode, 200)
  t.same((await call('DELETE', 'logo')).body, { logo: null })
  t.same(files(), [], 'no organization uses it any more')
})

t.test('exactly a megabyte is not too big', async t => {
  const { upload } = await stage(t)
  t.equal((await upload(Buffer.concat([png, Buffer.alloc(pictureMaxBytes - png.length)]))).status, 200)
})

t.test('no name reaches outside the folder', async t => {
  const { backend } = await stage(t)
  for (const name of ['..%2Fsecret', '%2e%2e%2fsecret', 'secret', '.hidden.png', 'aaaaaaaaaaaaaaaaaaaaaaaa.svg'])
    t.equal((await backend.inject({ url: `/logos/${name}` })).statusCode, 404, name)
})

t.test('unused logos are deleted after a day', async t => {
  const { backend, owner, upload, files } = await stage(t)
  const kept = String((await upload(png)).body.logo).slice('/logos/'.length)
  const orphan = 'zzzzzzzzzzzzzzzzzzzzzzzz.png'
  const folder = join(backend.dataDir, 'logos')
  writeFileSync(join(folder, orphan), png)
  const { pruneLogos } = backend.parts.orgSettings
  t.equal(await pruneLogos(new Date()), 0, 'it may be about to be stored in a row')
  const longAgo = Date.now() / 1000 - 2 * 86_400
  for (const name of [kept, orphan]) utimesSync(join(folder, name), longAgo, longAgo)
  t.equal(await pruneLogos(new Date()), 1)
  t.same(files(), [kept])
  await backend.databases.write.deleteFrom('organization').where('id', '=', owner.org.id).execute()
  t.equal(await pruneLogos(new Date()), 1, 'a logo of a deleted organization')
})

t.test('a picture is recognized by its bytes, with its dimensions', async t => {
  t.match(pictureOf(png), { type: 'image/png', width: 1, height: 1 })
  t.match(pictureOf(jpeg), { type: 'image/jpeg', extension: 'jpg', width: 2, height: 1 })
  t.match(pictureOf(webp), { type: 'image/webp', width: 1, height: 1 })
  t.equal(pictureOf(Buffer.alloc(0)), undefined)
  for (let end = 0; end < jpeg.length; end += 1) pictureOf(jpeg.subarray(0, end))
  for (let end = 0; end < webp.length; end += 1) pictureOf(webp.subarray(0, end))
  t.pass('no cut-off file throws')
})

t.test('invitation mails use the organization’s language, phone search its country', async t => {
  const { backend, owner, call } = await stage(t)
  await call('PATCH', 'settings', { language: 'en', country: 'UY' })
  await backend.inject({
    method: 'POST',
    url: '/api/auth/organization/invite-member',
    headers: { cookie: owner.cookie, 'content-type': 'application/json', 'accept-language': 'es' },
    payload: JSON.stringify({ email: 'marta@example.com', role: 'member', organizationId: owner.org.id }),
  })
  const folder = join(backend.dataDir, 'mail')
  const letters = readdirSync(folder).map(name => readFileSync(join(folder, name), 'utf8'))
  t.match(letters[0], /Subject: You were invited|Subject: .*invited/i)

  const inside = { cookie: owner.cookie, 'content-type': 'application/json' }
  await backend.inject({ method: 'POST', url: '/api/whatsapp/connection/sandbox', headers: { cookie: owner.cookie } })
  const said = await backend.inject({
    method: 'POST',
    url: '/api/sandbox/inbound',
    headers: inside,
    payload: JSON.stringify({ from: '5491155550199', name: 'Argentina', type: 'text', text: 'hola' }),
  })
  t.match(said.json(), { status: 200 })
  await backend.settle()
  const found = async () => {
    const url = `/api/whatsapp/conversations?search=${encodeURIComponent('011 15 5555-0199')}`
    return (await backend.inject({ url, headers: { cookie: owner.cookie } })).json().items.length
  }
  t.equal(await found(), 0)
  await call('PATCH', 'settings', { country: 'AR' })
  t.equal(await found(), 1)
})
