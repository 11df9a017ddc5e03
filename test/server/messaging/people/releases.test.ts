import t, { type Test } from 'tap'
import { createReleases } from '#server/messaging/people/releases.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { createJobs } from '#server/platform/jobs/jobs.ts'
import { aMember } from '#test/helpers/actors.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { anInbox } from '#test/helpers/inbox.ts'
import { aMessage } from '#test/helpers/items.ts'
import { keptLog } from '#test/helpers/log.ts'
import { keptWrites } from '#test/helpers/writes.ts'
import { aMachine } from '#test/server/platform/jobs/stage.ts'

/** An inbox with `count` conversations, all assigned to Beto. */
const aStage = async (t: Test, count: number) => {
  const stage = await anInbox()
  const { databases, clock, orgId } = stage
  await stage.apply(
    ...Array.from({ length: count }, (_, n) => aMessage({ sender: { waId: `54911${String(50_000_000 + n)}` } })),
  )
  const beto = await aMember({ databases, org: stage.ana.org, role: 'member' })
  await databases.write.updateTable('conversation').set({ assignee_id: beto.user.id }).execute()
  const writes = keptWrites({ databases, clock })
  const machine = aMachine()
  const aProcess = () => {
    const host = machine.host()
    const jobs = createJobs({ databases, writes, clock, log: keptLog(), ids: newId, host })
    t.teardown(() => jobs.stop())
    return { jobs, host, releases: createReleases({ databases, clock, jobs, writes }) }
  }
  const left = async () =>
    (await databases.read.selectFrom('conversation').select('id').where('assignee_id', 'is not', null).execute()).length
  const leave = () => databases.write.deleteFrom('member').where('userId', '=', beto.user.id).execute()
  const leaver = { kind: 'person', id: beto.user.id } as const
  return { ...stage, orgId, userId: beto.user.id, beto: leaver, writes, aProcess, die: machine.die, left, leave }
}

const by = { kind: 'person', id: 'ana', name: 'Ana' } as const

t.test('a leaving member’s conversations are all released, each with one event, in several commits', async t => {
  const { orgId, userId, beto, writes, aProcess, left, leave, databases } = await aStage(t, 450)
  const { jobs, releases } = aProcess()
  const commits: number[] = []
  writes.listeners.inTransaction({
    name: 'counted',
    on: ['conversation.assigned'],
    handle: async (write, events) => write.afterCommit(() => void commits.push(events.length)),
  })
  await releases.expect(orgId, beto)
  await leave()
  await releases.begin(orgId, beto, by)
  jobs.start()
  await jobs.idle()
  t.equal(await left(), 0)
  t.same(commits, [200, 200, 50])
  const assigned = writes.happened.filter(({ type }) => type === 'conversation.assigned')
  t.match(assigned[0]?.data, {
    from: { userId, teamId: null },
    to: { userId: null, teamId: null },
    by,
    number: /^54911/,
  })
  t.equal(new Set(assigned.map(({ data }) => (data as { conversationId: string }).conversationId)).size, 450)
  t.match(writes.happened.at(-1), { type: 'member.left', data: { userId } })
  t.equal(writes.happened.filter(({ type }) => type === 'member.left').length, 1)
  t.same(
    writes.published.map(({ type }) => type),
    ['memberLeft'],
    'open tabs read the list again once, however many there were',
  )
  const open = databases.read.selectFrom('job').select('seq').where('kind', '=', 'conversation.release')
  t.same(await open.where('state', '=', 'scheduled').execute(), [], 'nothing is left for later')
})

t.test('conversations are released even if the process dies right after the member leaves', async t => {
  const { orgId, beto, writes, aProcess, die, left, leave, clock } = await aStage(t, 3)
  const first = aProcess()
  await first.releases.expect(orgId, beto)
  await leave()
  die(first.host)
  const { jobs } = aProcess()
  jobs.start()
  await jobs.idle()
  t.equal(await left(), 3, 'not before the call could have ended')
  clock.advance(30_000)
  jobs.wake()
  await jobs.idle()
  t.equal(await left(), 0)
  t.match(writes.happened.at(-1), { type: 'member.left' })
})

t.test('if the removal is refused the member keeps everything, and nothing is published', async t => {
  const { orgId, beto, writes, aProcess, left, clock } = await aStage(t, 3)
  const { jobs, releases } = aProcess()
  await releases.expect(orgId, beto)
  clock.advance(30_000)
  jobs.start()
  await jobs.idle()
  t.equal(await left(), 3)
  t.same(writes.happened, [])
})

t.test('a deleted team releases its conversations, and their assignees keep them', async t => {
  const { databases, orgId, userId, writes, aProcess, left } = await aStage(t, 3)
  await databases.write.updateTable('conversation').set({ team_id: 'sales' }).execute()
  const { jobs, releases } = aProcess()
  await releases.begin(orgId, { kind: 'team', id: 'sales' }, by)
  jobs.start()
  await jobs.idle()
  t.equal(await left(), 3)
  t.same(await databases.read.selectFrom('conversation').select('id').where('team_id', 'is not', null).execute(), [])
  t.match(writes.happened[0]?.data, { from: { userId, teamId: 'sales' }, to: { userId, teamId: null } })
  t.match(writes.happened.at(-1), { type: 'team.removed', data: { teamId: 'sales' } })
  t.same(
    writes.published.map(({ type }) => type),
    ['teamRemoved'],
  )
})

testOnSqlite('whose conversations are whose is found without reading them all', async t => {
  const { databases } = await anInbox()
  const plan = (column: string) =>
    (
      databases.raw.read
        .prepare(`explain query plan select id from conversation where org_id = +'o' and ${column} = +'u' limit 200`)
        .all() as { detail: string }[]
    )
      .map(({ detail }) => detail)
      .join()
  t.match(plan('assignee_id'), /conversation_assignee \(org_id=\? AND assignee_id=\?\)/)
  t.match(plan('team_id'), /conversation_team/)
})
