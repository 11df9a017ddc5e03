import t from 'tap'
import { dealSlots, type Slots } from '#server/platform/jobs/claiming/quota.ts'
import type { Queue } from '#server/platform/jobs/lane.ts'

const queueOf = (orgId: string): Queue => ({ name: `k/0/${orgId}/`, orgId, rank: 0, paceKey: '' }) as Queue
const slotsOf = (running: Readonly<Record<string, number>>): Slots => ({
  ...{ atOnce: 16, perOrg: 8, perKey: 16, leavesSlots: true },
  running: Object.values(running).reduce((sum, one) => sum + one, 0),
  runningOf: orgId => running[orgId] ?? 0,
  runningOfKey: () => 0,
  allowed: () => Number.POSITIVE_INFINITY,
})
const dealt = (orgId: string, running: Readonly<Record<string, number>>) =>
  dealSlots([queueOf(orgId)], slotsOf(running), 100)[0]?.limit ?? 0

t.test('an organization that fills its slots leaves some for the next', async t => {
  const running: Record<string, number> = {}
  for (const org of ['a', 'b', 'c', 'd']) running[org] = dealt(org, running)
  t.same(running, { a: 8, b: 4, c: 2, d: 1 })
  t.equal(dealt('e', running), 1)
  t.equal(dealt('a', running), 0, 'nothing more for an organization that has its share')
})

t.test('without leavesSlots an organization gets all of its slots', async t => {
  const slots = { ...slotsOf({ a: 8 }), leavesSlots: false }
  t.equal(dealSlots([queueOf('b')], slots, 100)[0]?.limit, 8)
})
