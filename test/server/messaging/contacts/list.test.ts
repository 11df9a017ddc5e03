import t, { type Test } from 'tap'
import { seesAll } from '#server/identity/visibility/scope.ts'
import { selectContacts } from '#server/messaging/contacts/contact-list-store.ts'
import { selectByActivity, selectByName } from '#server/messaging/contacts/contact-sort-store.ts'
import { saveContactTerms } from '#server/messaging/search/contact-index.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import { contactsPerPage, type ListedContact, listedValueMaxChars } from '#shared/contacts/api.ts'
import { readVcards } from '#shared/people-files/vcard.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { copyFirstRow } from '#test/helpers/copied-rows.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const phoneOf = (i: number) => `54911555${String(10_000 + i)}`

const stage = async (t: Test) => {
  const backend = await startBackend(t)
  const { databases } = backend
  const owner = await aMember({ databases })
  const call = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH',
    path: string,
    body?: object,
    who: Pick<AMember, 'cookie'> = owner,
  ) => {
    const reply = await backend.inject({
      method,
      url: `/api${path}`,
      headers: { cookie: who.cookie },
      ...(body ? { payload: body } : {}),
    })
    return { status: reply.statusCode, body: reply.json() }
  }
  await call('POST', '/whatsapp/connection/sandbox')
  const says = async (i: number, name: string) => {
    await call('POST', '/sandbox/inbound', { from: phoneOf(i), text: 'Hola', name })
    await backend.settle()
  }
  const list = async (query = '', who?: AMember) => {
    const { body } = await call('GET', `/whatsapp/contacts${query}`, undefined, who)
    return (body.items as ListedContact[]).map(({ conversation }) => conversation.name)
  }
  const tag = async (label: string, ...phones: string[]) => {
    const { id } = (await call('POST', '/whatsapp/tags', { label })).body
    for (const phone of phones) await call('PUT', `/whatsapp/chats/${phone}/tags/${id}`)
    return id as string
  }
  return { backend, databases, owner, call, says, list, tag }
}

t.test('contacts are listed newest first and filtered by words, numbers, a tag and marketing consent', async t => {
  const { call, says, list, tag } = await stage(t)
  await says(1, 'Lucía Méndez')
  await says(2, 'Pedro Gil')
  await says(3, 'Ana Gil')
  t.same(await list(), ['Ana Gil', 'Pedro Gil', 'Lucía Méndez'])
  t.same(await list('?search=MENDEZ'), ['Lucía Méndez'])
  t.same(await list('?search=gil'), ['Ana Gil', 'Pedro Gil'])
  t.same(await list('?search=5551-0002'), ['Pedro Gil'])
  t.same(await list('?search=%20'), ['Ana Gil', 'Pedro Gil', 'Lucía Méndez'])
  t.same(await list('?search=nobody'), [])
  const vip = await tag('VIP', phoneOf(1), phoneOf(3))
  t.same(await list(`?tag=${vip}`), ['Ana Gil', 'Lucía Méndez'])
  t.same(await list(`?tag=${vip}&search=gil`), ['Ana Gil'])
  t.equal((await call('PUT', `/whatsapp/chats/${phoneOf(3)}/opt-out`, { reason: 'Lo pidió' })).status, 200)
  t.same(await list('?optedOut=true'), ['Ana Gil'])
  t.same(await list(`?optedOut=false&tag=${vip}`), ['Lucía Méndez'])
  t.equal((await call('GET', '/whatsapp/contacts?optedOut=perhaps')).status, 400)
  const { body } = await call('GET', '/whatsapp/contacts?search=Pedro')
  t.match(body, { next: null, items: [{ name: null, profileName: 'Pedro Gil', conversation: { phone: phoneOf(2) } }] })
})

t.test('listed contacts have the values of their fields, cut to what a column shows', async t => {
  const { call, says } = await stage(t)
  await says(1, 'Lucía Méndez')
  await says(2, 'Pedro Gil')
  const field = async (label: string) =>
    (await call('POST', '/whatsapp/contact-fields', { label, kind: 'text', options: [] })).body.id as string
  const [zone, note] = [await field('Zona'), await field('Detalle')]
  const fields = [
    { id: zone, value: 'Boedo' },
    { id: note, value: 'x'.repeat(listedValueMaxChars + 1) },
  ]
  t.equal((await call('PATCH', `/whatsapp/conversations/${phoneOf(1)}/contact`, { fields })).status, 200)
  const items = (await call('GET', '/whatsapp/contacts')).body.items as ListedContact[]
  t.same(items[0]?.fields, [], 'nothing is known of the other')
  t.same(new Map(items[1]?.fields.map(({ id, value }) => [id, value])).get(zone), 'Boedo')
  t.match(items[1]?.fields.find(({ id }) => id === note)?.value, /^x{79}…$/)
})

t.test('contacts of a saved segment are listed and exported, with the other filters', async t => {
  const { call, says, list, tag } = await stage(t)
  await says(1, 'Lucía Méndez')
  await says(2, 'Pedro Gil')
  await says(3, 'Ana Gil')
  const vip = await tag('VIP', phoneOf(1), phoneOf(3))
  await call('PUT', `/whatsapp/chats/${phoneOf(1)}/opt-out`, {})
  const save = async (label: string, filter: object) =>
    (await call('POST', '/whatsapp/segments', { label, filter })).body.id as string
  const vips = await save('VIP', { tags: { ids: [vip], match: 'any' } })
  const recent = await save('Recientes', { tags: { ids: [vip], match: 'any' }, wrote: { when: 'within', days: 1 } })
  const silent = await save('Callados', { wrote: { when: 'before', days: 30 } })
  t.same(await list(`?segment=${vips}`), ['Ana Gil', 'Lucía Méndez'])
  t.same(await list(`?segment=${recent}`), ['Ana Gil', 'Lucía Méndez'])
  t.same(await list(`?segment=${silent}`), [])
  t.same(await list(`?segment=${vips}&optedOut=false`), ['Ana Gil'])
  t.same(await list(`?segment=${vips}&search=gil`), ['Ana Gil'])
  const { body } = await call('GET', `/whatsapp/contacts/report?segment=${vips}&optedOut=true`)
  t.match(body.csv.trim().split('\r\n'), [String, /Lucía Méndez/])
  t.match(await call('GET', `/whatsapp/contacts?segment=${'0'.repeat(24)}`), {
    status: 400,
    body: { details: [{ field: 'query.segment' }] },
  })
})

t.test('all contacts that match are listed with what a change of many needs', async t => {
  const { databases, owner, call, says, tag } = await stage(t)
  await says(1, 'Lucía Méndez')
  await says(2, 'Pedro Gil')
  await says(3, 'Ana Gil')
  const vip = await tag('VIP', phoneOf(1), phoneOf(3))
  await call('PUT', `/whatsapp/chats/${phoneOf(1)}/opt-out`, {})
  const rows = (await call('GET', '/whatsapp/contacts')).body.items as ListedContact[]
  const matching = async (query = '', who?: AMember) =>
    (await call('GET', `/whatsapp/contacts/matching${query}`, undefined, who)).body
  t.same(await matching(), {
    items: rows.map(({ id, conversation }, i) => ({
      id,
      conversationId: conversation.id,
      phone: phoneOf(3 - i),
      optedOut: i === 2,
      tagIds: i === 1 ? [] : [vip],
    })),
    next: null,
  })
  const phones = async (query: string, who?: AMember) =>
    (await matching(query, who)).items.map(({ phone }: { phone: string }) => phone)
  t.same(await phones(`?tag=${vip}&optedOut=false`), [phoneOf(3)])
  t.same(await phones('?search=gil'), [phoneOf(3), phoneOf(2)])
  const ana = await aMember({ databases, org: owner.org, role: 'member' })
  await call('POST', '/members/content-permissions', { role: 'member', phoneTagId: vip, granted: true })
  await call('PUT', '/members/content-access', { conversations: true })
  t.same(await phones('', ana), [phoneOf(3), phoneOf(1)])
  const viewer = await aMember({ databases, org: owner.org, role: 'viewer' })
  t.equal((await call('GET', '/whatsapp/contacts/matching', undefined, viewer)).status, 403)
})

t.test('a member who may see none of a contact’s conversations does not see the contact', async t => {
  const { databases, owner, call, says, list, tag } = await stage(t)
  await says(1, 'Lucía Méndez')
  await says(2, 'Pedro Gil')
  const vip = await tag('VIP', phoneOf(1))
  const ana = await aMember({ databases, org: owner.org, role: 'member' })
  await call('POST', '/members/content-permissions', { role: 'member', phoneTagId: vip, granted: true })
  await call('PUT', '/members/content-access', { conversations: true })
  t.same(await list('', ana), ['Lucía Méndez'])
  t.same(await list('?search=Pedro', ana), [])
  t.same(await list(), ['Pedro Gil', 'Lucía Méndez'])
  t.equal((await call('GET', '/whatsapp/contacts/report', undefined, ana)).status, 403)
})

t.test('a long list comes in pages without duplicates; the CSV has its header row once', async t => {
  const { databases, call, owner, says, list } = await stage(t)
  await says(1, '=HYPERLINK("x")')
  const idOf = (i: number) => `0000${String(i).padStart(3, '0')}`
  const copy = (table: string, change: (i: number) => object) =>
    copyFirstRow(databases.write, table, owner.org.id, {
      count: contactsPerPage,
      change: i => ({ id: idOf(i), ...change(i) }),
    })
  await copy('contact', i => ({ name: `Nombre ${i}` }))
  await copy('conversation', i => ({ contact_id: idOf(i) }))
  const first = (await call('GET', '/whatsapp/contacts')).body
  t.equal(first.items.length, contactsPerPage)
  t.same(await list(`?after=${first.next}`), ['Nombre 0'])
  const { body } = await call('GET', '/whatsapp/contacts/report')
  const lines = (body.csv as string).trim().split('\r\n')
  t.equal(body.next, null)
  t.equal(lines.length, contactsPerPage + 2)
  t.match(lines[0], /^Name for the organization,Name on WhatsApp,Number,/)
  t.match(lines[1], /^,"'=HYPERLINK\(""x""\)",54 9 11 5551 0001,,,Accepts marketing,\d{4}-/)
  const { body: rest } = await call('GET', `/whatsapp/contacts/report?after=${first.next}`)
  t.match(rest.csv, /^Nombre 0,/)
  const { body: cards } = await call('GET', `/whatsapp/contacts/cards?after=${first.next}`)
  t.equal(
    cards.vcard,
    [
      'BEGIN:VCARD',
      'VERSION:3.0',
      'FN:Nombre 0',
      'N:;Nombre 0;;;',
      'TEL;TYPE=CELL:+5491155510001',
      'END:VCARD',
      '',
    ].join('\r\n'),
  )
  const all = (await call('GET', '/whatsapp/contacts/cards')).body
  const read = [...readVcards(all.vcard).entries()].filter(card => card !== undefined)
  t.equal(read.length, contactsPerPage + 1, 'what goes out can come in')
  const entries = (await call('GET', '/organization/audit')).body.items as { action: string }[]
  t.equal(entries.filter(({ action }) => action === 'contactsExported').length, 4)
})

t.test('all contacts of one name are listed page by page, also for a member who may see only the oldest', async t => {
  const { databases, owner, call, says, list, tag } = await stage(t)
  await says(1, 'Rosa Primera')
  const sample = await databases.read.selectFrom('conversation').selectAll().executeTakeFirstOrThrow()
  const count = 3 * contactsPerPage
  const idOf = (i: number) => `z${String(i).padStart(4, '0')}`
  await inTransaction(databases, async db => {
    for (let i = 0; i < count; i += 1) {
      const at = new Date(Date.UTC(2026, 0, 1, 0, 0, i)).toISOString()
      await db
        .insertInto('contact')
        .values({
          id: idOf(i),
          org_id: owner.org.id,
          name: `Rosa ${i}`,
          wa_id: `54911600${10_000 + i}`,
          created_at: at,
          updated_at: at,
        } as never)
        .execute()
      await db
        .insertInto('conversation')
        .values({ ...sample, id: idOf(i), contact_id: idOf(i), last_activity_at: at })
        .execute()
    }
    const named = Array.from({ length: count }, (_, i) => ({ contactId: idOf(i), names: `rosa ${i}`, isNew: true }))
    await saveContactTerms(db as OrgDb, owner.org.id, named)
  })
  const found: string[] = []
  for (let next: string | null | undefined; next !== null; ) {
    const { body } = await call('GET', `/whatsapp/contacts?search=rosa${next ? `&after=${next}` : ''}`)
    found.push(...(body.items as ListedContact[]).map(({ conversation }) => conversation.name))
    next = body.next as string | null
  }
  t.same(found, [...Array.from({ length: count }, (_, i) => `Rosa ${count - 1 - i}`), 'Rosa Primera'])
  const vip = await tag('VIP', phoneOf(1))
  t.same(await list(`?search=rosa&tag=${vip}`), ['Rosa Primera'])
  const ana = await aMember({ databases, org: owner.org, role: 'member' })
  await call('POST', '/members/content-permissions', { role: 'member', phoneTagId: vip, granted: true })
  await call('PUT', '/members/content-access', { conversations: true })
  t.same(await list('?search=rosa', ana), ['Rosa Primera'])
})

t.test('contacts are listed by name and by activity, page by page, and counted with the same filters', async t => {
  const { databases, owner, call, says, list, tag } = await stage(t)
  await says(1, 'Zoe Paz')
  await says(2, 'Óscar Gil')
  await says(3, 'ana Gil')
  await says(1, 'Zoe Paz')
  const count = async (query = '', who?: AMember) =>
    (await call('GET', `/whatsapp/contacts/count${query}`, undefined, who)).body
  t.same(await list('?sort=name'), ['ana Gil', 'Óscar Gil', 'Zoe Paz'], 'without regard to case and accents')
  t.same(await list('?sort=activity'), ['Zoe Paz', 'ana Gil', 'Óscar Gil'])
  t.same(await list('?sort=newest'), ['ana Gil', 'Óscar Gil', 'Zoe Paz'])
  t.same(await list('?sort=name&search=gil'), ['ana Gil', 'Óscar Gil'])
  t.same(await list('?sort=activity&search=nobody'), [])
  t.same(await count(), { count: 3, isMore: false })
  t.same(await count('?search=gil'), { count: 2, isMore: false })
  t.same(await count('?search=nobody'), { count: 0, isMore: false })
  const vip = await tag('VIP', phoneOf(1), phoneOf(3))
  t.same(await list(`?sort=activity&tag=${vip}`), ['Zoe Paz', 'ana Gil'])
  t.same(await count(`?tag=${vip}&search=gil`), { count: 1, isMore: false })
  await call('PUT', `/whatsapp/chats/${phoneOf(3)}/opt-out`, {})
  t.same(await list(`?sort=name&tag=${vip}&optedOut=false`), ['Zoe Paz'])
  t.same(await count('?optedOut=true'), { count: 1, isMore: false })
  const segment = (
    await call('POST', '/whatsapp/segments', { label: 'VIP', filter: { tags: { ids: [vip], match: 'any' } } })
  ).body.id
  t.same(await list(`?sort=name&segment=${segment}`), ['ana Gil', 'Zoe Paz'])
  t.same(await count(`?segment=${segment}&optedOut=false`), { count: 1, isMore: false })
  const ana = await aMember({ databases, org: owner.org, role: 'member' })
  await call('POST', '/members/content-permissions', { role: 'member', phoneTagId: vip, granted: true })
  await call('PUT', '/members/content-access', { conversations: true })
  t.same(await list('?sort=name', ana), ['ana Gil', 'Zoe Paz'], 'only those whom the viewer sees')
  t.same(await list('?sort=activity', ana), ['Zoe Paz', 'ana Gil'])
  t.same(await count('', ana), { count: 2, isMore: false })
  for (const query of ['?sort=size', '?sort=name&after=x', '?sort=activity&after=%20'])
    t.equal((await call('GET', `/whatsapp/contacts${query}`)).status, 400, query)

  // Same names and times: the id decides.
  const copies = contactsPerPage + 5
  const idOf = (i: number) => `copy${String(i).padStart(4, '0')}`
  await inTransaction(databases, async db => {
    const at = '2026-01-01T00:00:00.000Z'
    await copyFirstRow(db, 'contact', owner.org.id, {
      count: copies,
      change: i => ({ id: idOf(i), wa_id: phoneOf(100 + i), created_at: at, opt_out: null }),
    })
    await copyFirstRow(db, 'conversation', owner.org.id, {
      count: copies,
      change: i => ({ id: idOf(i), contact_id: idOf(i) }),
    })
  })
  for (const sort of ['newest', 'activity', 'name']) {
    const ids: string[] = []
    let pages = 0
    for (let next: string | null | undefined; next !== null; pages++) {
      const { body } = await call('GET', `/whatsapp/contacts?sort=${sort}${next ? `&after=${next}` : ''}`)
      ids.push(...(body.items as ListedContact[]).map(({ id }) => id))
      next = body.next as string | null
    }
    t.equal(pages, 2, sort)
    t.equal(new Set(ids).size, copies + 3, `${sort}: each once`)
    t.equal(ids.length, copies + 3, `${sort}: none twice`)
  }
})

t.test('the only contact of a tag is found at the end of a long list, in any order', async t => {
  const { databases, owner, says, list, tag } = await stage(t)
  await says(1, 'Zoe Paz')
  const vip = await tag('VIP', phoneOf(1))
  // More than one page checks.
  const copies = 10_500
  const idOf = (i: number) => `copy${String(i).padStart(5, '0')}`
  await inTransaction(databases, async db => {
    await copyFirstRow(db, 'contact', owner.org.id, {
      count: copies,
      change: i => ({ id: idOf(i), name: 'Ana Gil', search: 'ana gil', wa_id: `549114${100_000 + i}`, opt_out: null }),
    })
    await copyFirstRow(db, 'conversation', owner.org.id, {
      count: copies,
      change: i => ({ id: idOf(i), contact_id: idOf(i), last_activity_at: '2099-01-01T00:00:00.000Z' }),
    })
  })
  for (const sort of ['newest', 'activity', 'name']) t.same(await list(`?sort=${sort}&tag=${vip}`), ['Zoe Paz'], sort)
})

testOnSqlite('each list goes by an index, without sorting', async t => {
  const { databases, owner } = await stage(t)
  const viewer = { orgId: owner.org.id, scope: seesAll }
  for (const [filter, index] of [
    [{}, 'contact_list'],
    [{ after: 'x' }, 'contact_list'],
    [{ optedOut: true }, 'contact_opted_out'],
  ] as const) {
    const { sql, parameters } = selectContacts(databases.read, viewer, filter, 51).compile()
    const plan = databases.raw.read.prepare(`explain query plan ${sql}`).all(...parameters) as { detail: string }[]
    const details = plan.map(({ detail }) => detail).join('\n')
    t.match(details, new RegExp(`SEARCH contact USING INDEX ${index}`))
    t.match(details, /SEARCH conversation (EXISTS )?USING INDEX/)
    t.notMatch(details, /TEMP B-TREE/)
  }
})

testOnSqlite('a list by name or by activity is read by an index', async t => {
  const { databases, owner } = await stage(t)
  const planOf = ({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) =>
    (databases.raw.read.prepare(`explain query plan ${sql}`).all(...parameters) as { detail: string }[])
      .map(({ detail }) => detail)
      .join('\n')
  for (const after of [undefined, { key: 'a', id: 'x' }]) {
    const window = { after, ids: undefined, size: 51 }
    const byName = planOf(selectByName(databases.read, owner.org.id, window).compile())
    t.match(
      byName,
      after ? /INDEX contact_name \(org_id=\? AND <expr>>\?\)/ : /INDEX contact_name \(org_id=\?\)/,
      byName,
    )
    t.notMatch(byName, /TEMP B-TREE/)
    const byActivity = planOf(selectByActivity(databases.read, owner.org.id, window).compile())
    t.equal(byActivity.match(/INDEX conversation_list \(org_id=\? AND kind=\? AND archived=\?/g)?.length, 3, byActivity)
  }
})
