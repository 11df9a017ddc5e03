import t from 'tap'
import { createServerI18n } from '#server/i18n.ts'
import { createMembers } from '#server/orgs/members.ts'
import { aMember, aPerson } from '#test/helpers/actors.ts'
import { freshDatabases } from '#test/helpers/db.ts'

const i18n = createServerI18n()
const translate = (language: 'es' | 'en', key: string) => i18n.translator(language)(key)

t.test('the people of one organization, by name, with their role in the language of who asks', async t => {
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
  const { items, total } = await members.listMembers({ ...zoe.member, language: 'es' }, {})
  t.equal(total, 3)
  t.same(
    items.map(({ name, rol, roleId }) => [name, rol, roleId]),
    [
      ['Ana', 'Facturación', 'billing'],
      ['Beto', 'Solo lectura', 'viewer'],
      ['Zoe', 'Propietario', 'owner'],
    ],
  )
  t.equal((await members.listMembers({ ...zoe.member, language: 'en' }, {})).items[0]?.rol, 'Billing')
  t.match(await members.getOrganization(zoe.member, {}), { id: zoe.org.id, slug: zoe.org.slug })
})
