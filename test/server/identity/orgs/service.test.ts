import t from 'tap'
import { isPictureAddress, orgNameOf, slugFault } from '#server/identity/orgs/rules.ts'
import { createOrgs } from '#server/identity/orgs/service.ts'
import { findOrgOfMember, listInboxesOfPerson, listOrgsOfPerson } from '#server/identity/orgs/store.ts'
import { createScopes } from '#server/identity/visibility/scopes.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { reservedSlugs } from '#shared/orgs/api.ts'
import { aMember, aPerson } from '#test/helpers/actors.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'

const some = async (t: { teardown(fn: () => unknown): void }) => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  return { databases, orgs: createOrgs({ databases, scopes: createScopes({ databases }) }) }
}

t.test('the viewer has the person’s organizations by name, with roles, and the active one', async t => {
  const { databases, orgs } = await some(t)
  const ana = await aMember({ databases, orgName: 'Zapatería', role: 'admin' })
  const bea = await aMember({ databases, orgName: 'Almacén' })
  await aMember({ databases, orgName: 'Ajena' })
  await databases.write
    .insertInto('member')
    .values({
      id: 'second',
      organizationId: bea.org.id,
      userId: ana.user.id,
      role: 'something-new',
      createdAt: new Date().toISOString(),
    })
    .execute()
  const viewer = await orgs.getViewer(ana.person, {})
  const { id, name, email } = ana.user
  t.same(viewer.user, { id, name, email, image: null, signature: '', role: 'user' })
  t.same(
    viewer.organizations.map(org => [org.name, org.role]),
    [
      ['Almacén', 'viewer'],
      ['Zapatería', 'admin'],
    ],
  )
  t.equal(viewer.active?.id, ana.org.id)
})

t.test('a person without organizations gets none, and a left organization is not active', async t => {
  const { databases, orgs } = await some(t)
  const { person } = await aPerson({ databases })
  t.match(await orgs.getViewer(person, {}), { organizations: [], active: null })
  const ana = await aMember({ databases, role: 'member' })
  await databases.write.deleteFrom('member').where('userId', '=', ana.user.id).execute()
  t.equal((await orgs.getViewer(ana.person, {})).active, null)
  t.equal(await orgs.memberOf(ana.person), undefined, 'from the next request on')
})

t.test('another organization and a missing one get the same answer', async t => {
  const { databases, orgs } = await some(t)
  const [ana, eva] = [await aMember({ databases }), await aMember({ databases })]
  for (const org of [eva.org.id, eva.org.slug, 'nowhere', '']) t.equal(await orgs.memberOf(ana.person, org), undefined)
  t.equal(await findOrgOfMember(databases.read, ana.user.id, eva.org.id), undefined)
  t.same(
    (await listOrgsOfPerson(databases.read, ana.user.id)).map(org => org.id),
    [ana.org.id],
  )
})

t.test("an address that spells another organization's id does not shadow it", async t => {
  const { databases, orgs } = await some(t)
  const victim = await aMember({ databases })
  const trick = await aMember({ databases, slug: victim.org.id })
  await databases.write
    .insertInto('member')
    .values({
      id: 'both',
      organizationId: trick.org.id,
      userId: victim.user.id,
      role: 'viewer',
      createdAt: new Date().toISOString(),
    })
    .execute()
  t.equal((await orgs.memberOf(victim.person, victim.org.id))?.orgId, victim.org.id)
})

t.test('an address is free or says why not', async t => {
  const { databases, orgs } = await some(t)
  const { person, org } = await aMember({ databases })
  const check = (slug: string) => orgs.checkSlug(person, { params: { slug } })
  t.same(await check('panaderia'), { available: true, reason: null })
  t.same(await check(org.slug), { available: false, reason: 'taken' })
  t.same(await check('Panaderia'), { available: false, reason: 'invalid' })
  t.same(await check('recado'), { available: false, reason: 'reserved' })
})

t.test('every reserved word that could be an address is refused, and bounds are those of the contract', async t => {
  for (const word of reservedSlugs) t.ok(slugFault(word), word)
  t.equal(slugFault(newId()), 'reserved', 'a slug cannot look like an id')
  t.equal(slugFault('panaderiadonluisrosarios'), undefined)
  for (const slug of ['abc', 'a'.repeat(40), 'a-b', '123', 'a--b']) t.equal(slugFault(slug), undefined, slug)
  for (const slug of ['ab', 'a'.repeat(41), '-ab', 'ab-', 'a_b', 'ñandu', 'a b', '', 'abc\n'])
    t.equal(slugFault(slug), 'invalid', JSON.stringify(slug))
  t.equal(orgNameOf('  Pan   y \t Vino '), 'Pan y Vino')
  t.equal(orgNameOf('👍👍'), '👍👍')
  t.equal(orgNameOf('👩‍👩‍👧 Ñandú'), '👩‍👩‍👧 Ñandú')
  for (const name of ['Ελληνικά Café', 'Кафе Panadería', '東京パン', 'Café 2 µm'])
    t.equal(orgNameOf(name), name, 'several scripts in one name')
  // Cyrillic а and е, Greek ο: they look like the Latin letters of the name.
  for (const name of ['P\u0430nader\u00eda', 'Don Luis R\u0435cado', 'Rec\u0430d\u03bf'])
    t.equal(orgNameOf(name), undefined, JSON.stringify(name))
  for (const name of ['\u200b\u200b\u200b', '\u2800\u3164', 'Pan\u202eadería', 'Pan \u2066y Vino'])
    t.equal(orgNameOf(name), undefined, JSON.stringify(name))
  t.equal(orgNameOf('👍'), undefined, 'one character, whatever its length in code units')
  for (const address of ['https://x.example/a.png', '/media/a.png']) t.ok(isPictureAddress(address))
  for (const address of ['http://x.example/a.png', '//x.example', '/\\x', 'javascript:1', 'data:image/svg+xml,x', ''])
    t.notOk(isPictureAddress(address), address)
})

testOnSqlite(
  'finding a membership searches by key, and listing one person reads only the rows of that person',
  async t => {
    const { databases } = await some(t)
    const planOf = async (run: (db: never) => Promise<unknown>) => {
      let sql = ''
      const spy = Object.assign(Object.create(databases.read), {
        getExecutor: () => databases.read.getExecutor(),
        executeQuery: async (query: { sql: string }) => {
          sql = query.sql
          return { rows: [] }
        },
      })
      await run(spy as never)
      return databases.raw.read
        .prepare(`explain query plan ${sql}`)
        .all(...Array.from(sql.matchAll(/\?/g), () => 1))
        .map(row => (row as { detail: string }).detail)
    }
    // Compiled on first use, which the spy would miss.
    await findOrgOfMember(databases.read, 'u', 'o')
    await listOrgsOfPerson(databases.read, 'u')
    await listInboxesOfPerson(databases.read, 'u')
    const inboxes = await planOf(db => listInboxesOfPerson(db, 'u'))
    t.match(inboxes.join('\n'), /conversation_unread/, 'the sum of unread messages reads only unread conversations')
    for (const step of [
      ...(await planOf(db => findOrgOfMember(db, 'u', 'o'))),
      ...(await planOf(db => listOrgsOfPerson(db, 'u'))),
      ...inboxes.filter(step => step !== 'SCAN waiting'),
    ])
      t.notMatch(step, /^SCAN/, step)
  },
)

t.test('each organization shows its unread count, only to members who read chats', async t => {
  const { databases, orgs } = await some(t)
  const ana = await aMember({ databases, orgName: 'Zapatería' })
  const billing = await aMember({ databases, org: ana.org, role: 'billing' })
  const other = await aMember({ databases, orgName: 'Ajena' })
  const chat = async (orgId: string, facts: { unread: number; archived?: number; at: string }) => {
    const id = newId()
    await databases.write
      .insertInto('contact')
      .values({ id, org_id: orgId, name: null, created_at: facts.at, updated_at: facts.at })
      .execute()
    await databases.write
      .insertInto('conversation')
      .values({
        id,
        org_id: orgId,
        contact_id: id,
        connection_id: 'number',
        control: 'bot',
        unread: facts.unread,
        archived: facts.archived ?? 0,
        last_activity_at: facts.at,
        created_at: facts.at,
      })
      .execute()
  }
  t.match(await orgs.listOrganizations(ana.person, {}), { items: [{ unread: 0, lastActivityAt: null }] })
  await chat(ana.org.id, { unread: 2, at: '2026-11-20T10:00:00.000Z' })
  await chat(ana.org.id, { unread: 3, at: '2026-11-20T12:00:00.000Z' })
  await chat(ana.org.id, { unread: 50, archived: 1, at: '2026-11-20T13:00:00.000Z' })
  await chat(other.org.id, { unread: 7, at: '2026-11-20T14:00:00.000Z' })
  t.match(await orgs.listOrganizations(ana.person, {}), {
    items: [
      { id: ana.org.id, name: 'Zapatería', role: 'owner', unread: 5, lastActivityAt: '2026-11-20T12:00:00.000Z' },
    ],
  })
  t.match(await orgs.listOrganizations(billing.person, {}), {
    items: [{ role: 'billing', unread: 0, lastActivityAt: null }],
  })
  await chat(ana.org.id, { unread: 100_000, at: '2026-11-20T09:00:00.000Z' })
  t.match(await orgs.listOrganizations(ana.person, {}), { items: [{ unread: 1000 }] }, "more than the count's limit")
})
