import t from 'tap'
import { newId } from '#server/ids.ts'
import { requireRowsLeft, rowLimits } from '#server/row-limits-store.ts'
import { aMember } from '#test/helpers/actors.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

t.test('an organization keeps no more rows than it may, whatever another keeps', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const { org } = await aMember({ databases })
  const other = await aMember({ databases, orgName: 'Kiosco' })
  const version = (flowId: string, one: number) => ({
    flow_id: flowId,
    version: one,
    org_id: org.id,
    name: 'x',
    graph: '{}',
    triggers: '[]',
    note: null,
    published_at: '',
    author_name: '',
  })
  const flows = [newId(), newId()]
  for (const [position, id] of flows.entries())
    await databases.write
      .insertInto('flow')
      .values({
        id,
        org_id: org.id,
        name: id,
        position,
        is_enabled: 0,
        graph: '{}',
        triggers: '[]',
        revision: 1,
        published_revision: null,
        version: null,
        edited_at: '',
        editor_id: '',
        editor_name: '',
        created_at: '',
        deleted_at: null,
      })
      .execute()
  const [full = '', empty = ''] = flows
  for (let at = 0; at < rowLimits.flow_version; at += 100)
    await databases.write
      .insertInto('flow_version')
      .values(Array.from({ length: 100 }, (_, i) => version(full, at + i + 1)))
      .execute()
  await t.rejects(requireRowsLeft(databases.write, org.id, 'flow_version', full), {
    code: 'APP_TOO_MANY_KEPT',
    status: 409,
  })
  await t.resolves(requireRowsLeft(databases.write, org.id, 'flow_version', empty))
  await t.resolves(requireRowsLeft(databases.write, other.org.id, 'bulk_send'))
})
