import t, { type Test } from 'tap'
import { createTemplateSync } from '#server/messaging/templates/sync/sync.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { createJobs } from '#server/platform/jobs/jobs.ts'
import type { VendorTemplate } from '#server/whatsapp/templates/template-node.ts'
import { aMember } from '#test/helpers/actors.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { keptLog } from '#test/helpers/log.ts'
import { keptWrites } from '#test/helpers/writes.ts'

const listed = (name: string): VendorTemplate => ({
  id: `9${name.length}`,
  name,
  language: 'es',
  status: 'PENDING',
  category: 'UTILITY',
  parameterFormat: 'POSITIONAL',
  components: [],
  quality: 'UNKNOWN' as VendorTemplate['quality'],
  rejectedReason: null,
  ttlSeconds: null,
})

/** Reads Meta's list, with something happening between comparison and write. */
const stage = async (t: Test) => {
  const databases = await freshDatabases()
  const clock = handClock()
  const { org } = await aMember({ databases })
  const log = keptLog()
  const kept = keptWrites({ databases, clock, log })
  let list: VendorTemplate[] = []
  let meanwhile: (() => Promise<unknown>) | undefined
  const room = createTemplateSync({
    databases,
    clock,
    log,
    jobs: createJobs({ databases, writes: kept, clock, log, ids: newId }),
    writes: {
      run: async (...facts) => {
        const happens = meanwhile
        meanwhile = undefined
        await happens?.()
        return kept.run(...facts)
      },
    },
    openAccount: async () =>
      ({ account: { listTemplates: async () => ({ templates: list, unreadable: 0 }) }, wabaId: 'w' }) as never,
  })
  const approve = () => databases.write.updateTable('template').set({ status: 'APPROVED' }).execute()
  t.teardown(() => databases.close())
  return {
    async sync(templates: VendorTemplate[], happens?: () => Promise<unknown>) {
      list = templates
      meanwhile = happens
      clock.advance(1000)
      return room.sync(org.id)
    },
    approve,
    all: () => databases.read.selectFrom('template').select(['name', 'status', 'category']).orderBy('name').execute(),
  }
}

t.test('an approval that arrives while a list is written is not undone by it', async t => {
  const s = await stage(t)
  await s.sync([listed('torta')])
  await s.sync([{ ...listed('torta'), category: 'MARKETING' }], s.approve)
  t.match(await s.all(), [{ name: 'torta', status: 'APPROVED' }])
  await s.sync([{ ...listed('torta'), category: 'MARKETING', status: 'APPROVED' }])
  t.match(await s.all(), [{ status: 'APPROVED', category: 'MARKETING' }], 'the next reading brings the rest')
})

t.test('a template approved while missing from the list stays until the next reading', async t => {
  const s = await stage(t)
  await s.sync([listed('torta'), listed('pan')])
  await s.sync([listed('pan')], s.approve)
  t.same(
    (await s.all()).map(({ name }) => name),
    ['pan', 'torta'],
  )
  await s.sync([{ ...listed('pan'), status: 'APPROVED' }])
  t.same(
    (await s.all()).map(({ name }) => name),
    ['pan'],
  )
})
