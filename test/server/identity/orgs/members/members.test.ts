import t from 'tap'
import { createMembers } from '#server/identity/orgs/members/members.ts'
import { createServerI18n } from '#server/platform/text/i18n.ts'
import { aMember, aPerson } from '#test/helpers/actors.ts'
import { freshDatabases } from '#test/helpers/db.ts'

const i18n = createServerI18n()
const whole = { page: 1, pageSize: 1000 }
const translate = (language: 'es' | 'en', key: string) => i18n.translator(language)(key)

t.test('members are listed by name, with their role in the caller’s language', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const members = createMembers({ databases, translate })
  const zoe = await aMember({ databases, name: 'Zoe', role: 'owner' })
  await aMember({ databases, name: 'De otra' })
  const join = async (name: string, role: string) => {
    const { user } = await aPerson({ databases, name })
    await databases.write
      .insertInto('member')
      .values({ id: user.id, organizationId: zoe.org.id, userId: user.id, role, createdAt: new Date().toISOString() })
      .execute()
  }
  await join('Ana', 'billing')
  await join('Beto', 'inventado')
  const { items, total } = await members.listMembers({ ...zoe.member, language: 'es' }, { query: whole })
  t.equal(total, 3)
  t.same(
    items.map(({ name, rol, roleId }) => [name, rol, roleId]),
    [
      ['Ana', 'Facturación', 'billing'],
      ['Beto', 'Solo lectura', 'viewer'],
      ['Zoe', 'Propietario', 'owner'],
    ],
  )
  t.equal((await members.listMembers({ ...zoe.member, language: 'en' }, { query: whole })).items[0]?.rol, 'Billing')
  t.match(await members.getOrganization(zoe.member, {}), { id: zoe.org.id, slug: zoe.org.slug })
})

t.test('only managers of members see when each was last active and who has a second factor', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const members = createMembers({ databases, translate })
  const zoe = await aMember({ databases, name: 'Zoe', role: 'owner' })
  const ana = await aMember({ databases, org: zoe.org, name: 'Ana', role: 'member' })
  await databases.write.updateTable('session').set({ updatedAt: '2026-11-20T10:00:00.000Z' }).execute()
  await databases.write.deleteFrom('session').where('userId', '=', ana.user.id).execute()
  const ask = async (details: boolean, by: typeof zoe) =>
    (await members.listMembers({ ...by.member, language: 'es' }, { query: { ...whole, details } })).items
  const listed = await ask(true, zoe)
  t.match(listed, [
    { name: 'Ana', lastSeenAt: null, hasSecondFactor: false },
    { name: 'Zoe', lastSeenAt: '2026-11-20T10:00:00.000Z', hasSecondFactor: false },
  ])
  t.notOk((await ask(false, zoe)).some(one => 'lastSeenAt' in one))
  t.notOk((await ask(true, ana)).some(one => 'lastSeenAt' in one || 'hasSecondFactor' in one))
  const keyOfZoe = { ...zoe.member, kind: 'key', capabilities: ['chat:read'], language: 'es' } as never
  t.notOk(
    (await members.listMembers(keyOfZoe, { query: { ...whole, details: true } })).items.some(
      one => 'lastSeenAt' in one,
    ),
  )
})

t.test('members are paged without duplicates, and found by a literal part of name or address', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const members = createMembers({ databases, translate })
  const zoe = await aMember({ databases, name: 'Zoe', role: 'owner' })
  const other = await aMember({ databases, name: 'Persona de otra' })
  for (const [name, email] of [
    ['Persona', 'persona-a@example.com'],
    ['Persona', 'persona-b@example.com'],
    ['Ana 100%', 'ana_x@example.com'],
    ['Ana 1000', 'anax@example.com'],
  ]) {
    const { user } = await aPerson({ databases, ...(name ? { name } : {}), ...(email ? { email } : {}) })
    const row = { id: user.id, organizationId: zoe.org.id, userId: user.id, role: 'member' }
    await databases.write
      .insertInto('member')
      .values({ ...row, createdAt: new Date().toISOString() })
      .execute()
  }
  const ask = (query: object) =>
    members.listMembers({ ...zoe.member, language: 'es' }, { query: { ...whole, ...query } })
  const pages = [await ask({ pageSize: 2 }), await ask({ pageSize: 2, page: 2 }), await ask({ pageSize: 2, page: 3 })]
  t.same(
    pages.map(({ items, hasMore, total }) => [items.map(({ name }) => name), hasMore, total]),
    [
      [['Ana 100%', 'Ana 1000'], true, 5],
      [['Persona', 'Persona'], true, 5],
      [['Zoe'], false, 5],
    ],
  )
  t.equal(new Set(pages.flatMap(({ items }) => items.map(({ userId }) => userId))).size, 5)
  const found = async (search: string) => (await ask({ search })).items.map(({ email }) => email)
  t.same(await found(' PERSONA-B@ '), ['persona-b@example.com'])
  t.same(await found('100%'), ['ana_x@example.com'])
  t.same(await found('a_x'), ['ana_x@example.com'])
  t.same(await found('nadie'), [])
  t.same((await ask({ search: 'persona', pageSize: 1 })).total, 2)
  t.notOk((await found('persona')).includes(other.user.email))
})

t.test('accents and capitals affect neither order nor search', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const members = createMembers({ databases, translate })
  const zoe = await aMember({ databases, name: 'ZOÉ NÚÑEZ', role: 'owner' })
  for (const name of ['ana', 'Ángel', 'Beto', 'Íñigo Güemes', 'Jorge']) await aMember({ databases, org: zoe.org, name })
  const found = async (search?: string) =>
    (await members.listMembers({ ...zoe.member, language: 'es' }, { query: { ...whole, search } })).items.map(
      ({ name }) => name,
    )
  t.same(await found(), ['ana', 'Ángel', 'Beto', 'Íñigo Güemes', 'Jorge', 'ZOÉ NÚÑEZ'])
  for (const search of ['núñez', 'nunez', 'NUÑEZ', 'nu\u0301n\u0303ez'])
    t.same(await found(search), ['ZOÉ NÚÑEZ'], search)
  t.same(await found('guemes'), ['Íñigo Güemes'])
  await databases.write.updateTable('user').set({ name: 'Óscar' }).where('id', '=', zoe.user.id).execute()
  t.same(await found('oscar'), ['Óscar'])
  const letters = 'áàâãäåéèêëíìîïóòôõöúùûüýñç'
  for (const name of [letters, letters.toUpperCase()]) {
    await databases.write.updateTable('user').set({ name }).where('id', '=', zoe.user.id).execute()
    t.same(await found(letters), [name], 'the database folds the same characters as the search')
  }
})

t.test('the teams of one organization, by name, with who is in them and still in the organization', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const members = createMembers({ databases, translate })
  const zoe = await aMember({ databases, name: 'Zoe', role: 'owner' })
  const other = await aMember({ databases, name: 'De otra', role: 'owner' })
  const { user: ana } = await aPerson({ databases, name: 'Ana' })
  const { user: gone } = await aPerson({ databases, name: 'Se fue' })
  const createdAt = new Date().toISOString()
  await databases.write
    .insertInto('member')
    .values({ id: ana.id, organizationId: zoe.org.id, userId: ana.id, role: 'member', createdAt })
    .execute()
  const team = async (id: string, name: string, organizationId: string, people: string[], description?: string) => {
    await databases.write
      .insertInto('team')
      .values({
        id,
        name,
        organizationId,
        memberCount: 0,
        createdAt,
        updatedAt: null,
        description: description ?? null,
      })
      .execute()
    for (const userId of people)
      await databases.write
        .insertInto('teamMember')
        .values({ id: `${id}-${userId}`, teamId: id, userId, membershipKey: null, createdAt })
        .execute()
  }
  await team('t-ventas', 'Ventas', zoe.org.id, [zoe.user.id, ana.id, gone.id], 'Pedidos y precios')
  await team('t-envios', 'Envíos', zoe.org.id, [])
  await team('t-otra', 'De otra', other.org.id, [other.user.id])
  t.same((await members.listTeams(zoe.member, {})).items, [
    { id: 't-envios', name: 'Envíos', description: '', memberIds: [] },
    { id: 't-ventas', name: 'Ventas', description: 'Pedidos y precios', memberIds: [ana.id, zoe.user.id] },
  ])
})
