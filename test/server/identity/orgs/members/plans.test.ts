import { sql } from 'kysely'
import t from 'tap'
import { listMembers } from '#server/identity/orgs/members/store.ts'
import { aMember } from '#test/helpers/actors.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

testOnSqlite('the members of an organization are read in index order, on late pages too', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const plan = (limits: string) =>
    databases.raw.read
      .prepare(
        `explain query plan select member.id, "user".name from member inner join "user" on "user".id = member."userId"
         where member."organizationId" = 'x' order by member.sort_name, member."userId" ${limits}`,
      )
      .all()
      .map(row => (row as { detail: string }).detail)
      .join(' ')
  for (const limits of ['limit 51', 'limit 51 offset 4000']) {
    t.match(plan(limits), /SEARCH member USING INDEX member_by_name/)
    t.notMatch(plan(limits), /TEMP B-TREE|SCAN/)
  }
})

t.test('the database maintains the sort name of members at every change of a name', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const one = await aMember({ databases, name: 'Bruno' })
  const other = await aMember({ databases, name: 'Ana', org: one.org })
  const names = async () =>
    (await listMembers(databases.read, one.org.id, { limit: 10, offset: 0 })).map(({ name }) => name)
  t.same(await names(), ['Ana', 'Bruno'])
  await databases.write.updateTable('user').set({ name: 'Zulma' }).where('id', '=', other.user.id).execute()
  t.same(await names(), ['Bruno', 'Zulma'])
  const drifted = await sql<{
    n: number
  }>`select count(*) as n from member inner join "user" on "user".id = member."userId"
    where member.sort_name <> lower("user".name)`.execute(databases.read)
  t.match(drifted.rows, [{ n: 0 }])
})
