import t, { type Test } from 'tap'
import { getOrCreateOrg } from '#server/cli/seed.ts'
import { seedVolume } from '#server/cli/seed-volume.ts'
import { customerPhone } from '#server/cli/seed-words.ts'
import { isPhoneDigits, phoneKey } from '#shared/kernel/phone.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'

const sow = async (t: Test, options: { conversations: number; messages: number; seed?: number }) => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const org = await getOrCreateOrg(databases)
  const sown = seedVolume(databases, { orgId: org.id, ...options }, { clock: handClock() })
  return { databases, org, sown }
}

t.test('numbers are Argentine, in the common spelling and never twice', async t => {
  const phones = Array.from({ length: 30_000 }, (_, n) => customerPhone(n))
  t.equal(new Set(phones).size, phones.length)
  t.ok(phones.every(phone => isPhoneDigits(phone) && phoneKey(phone) === phone))
})

t.test('the list shows what the messages say', async t => {
  const { databases, sown } = await sow(t, { conversations: 40, messages: 900 })
  t.same([sown.conversations, sown.messages], [40, 900])
  const rows = databases.raw.read
    .prepare(
      `select c.id, c.last_message_seq as seq, c.last_message_at as at, c.unread, (select count(*) from message m where m.conversation_id = c.id) as messages,
       (select seq from message m where m.conversation_id = c.id order by at desc, seq desc limit 1) as newest from conversation c`,
    )
    .all() as { seq: number; newest: number; messages: number; at: string }[]
  t.equal(rows.length, 40)
  t.ok(rows.every(row => row.messages > 0 && row.seq === row.newest))
  t.equal(
    rows.reduce((sum, row) => sum + row.messages, 0),
    900,
  )
  t.ok(rows.every(row => row.at <= '2026-11-20T13:00:00.000Z'))
})

t.test('the same number gives the same conversations', async t => {
  const texts = async () => {
    const { databases } = await sow(t, { conversations: 5, messages: 60, seed: 7 })
    return databases.raw.read.prepare('select text, at, status, direction from message order by seq').all()
  }
  t.same(await texts(), await texts())
})

t.test('sowing twice adds', async t => {
  const { databases, org } = await sow(t, { conversations: 5, messages: 20 })
  seedVolume(
    databases,
    { orgId: org.id, conversations: 3, messages: 10, seed: 2 },
    { clock: handClock('2026-11-21T13:00:00.000Z') },
  )
  t.equal(databases.raw.read.prepare('select count(*) from conversation').pluck().get(), 8)
  t.equal(databases.raw.read.prepare('select count(*) from message').pluck().get(), 30)
})

t.test('an empty installation gets an organization with an owner, another keeps its own', async t => {
  const { databases, org } = await sow(t, { conversations: 1, messages: 1 })
  t.match(org, { slug: 'panaderia-don-luis', email: 'luis@example.com' })
  t.equal((await getOrCreateOrg(databases)).id, org.id)
  await t.rejects(getOrCreateOrg(databases, 'nobody'), { name: 'Refusal' })
})
