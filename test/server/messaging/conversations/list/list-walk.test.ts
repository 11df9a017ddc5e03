import t from 'tap'
import { seesAll, seesSome } from '#server/identity/visibility/scope.ts'
import { listConversations } from '#server/messaging/conversations/list/list-store.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import { anInbox } from '#test/helpers/inbox.ts'
import { aMessage } from '#test/helpers/items.ts'

t.test('a member who may see few of many conversations gets full pages in order', async t => {
  const stage = await anInbox()
  const count = 450
  const phone = (n: number) => `54911${String(50_000_000 + n)}`
  const messages = Array.from({ length: count }, (_, n) =>
    aMessage({ sender: { waId: phone(n) }, at: new Date(Date.UTC(2026, 10, 20, 12, 0, n)).toISOString() }),
  )
  await stage.apply(...messages)
  const { read } = stage.databases
  const contacts = await read.selectFrom('contact').select(['id', 'wa_id']).where('org_id', '=', stage.orgId).execute()
  const shown = [3, 4, 210, 211, 440, 449]
  await inTransaction(stage.databases, async trx => {
    await trx.insertInto('tag').values({ id: 'vip', org_id: stage.orgId, label: 'VIP', created_at: '' }).execute()
    for (const n of shown) {
      const contact = contacts.find(one => one.wa_id === phone(n))
      await trx
        .insertInto('contact_tag')
        .values({ contact_id: contact?.id as string, tag_id: 'vip', org_id: stage.orgId })
        .execute()
    }
  })
  const viewer = { orgId: stage.orgId, scope: seesSome({ tagIds: ['vip'], assigneeId: null }) }
  const page = (number: number, pageSize: number) =>
    listConversations(read, viewer, { page: number, pageSize, archived: false })
  const numbers = (rows: readonly { wa_id: string | null }[]) =>
    rows.map(row => Number(row.wa_id?.slice(5)) - 50_000_000)
  const whole = await page(1, 30)
  t.same(numbers(whole.rows), shown.toReversed())
  t.notOk(whole.hasMore)
  t.same(numbers((await page(1, 4)).rows), [449, 440, 211, 210])
  t.ok((await page(1, 4)).hasMore)
  t.same(numbers((await page(2, 4)).rows), [4, 3])
  t.same((await page(3, 4)).rows, [])
})

t.test('a tag whose contacts all wrote long ago is found behind thousands of other conversations', async t => {
  const stage = await anInbox()
  await stage.apply(aMessage({}))
  const { databases, orgId } = stage
  const sample = await databases.read.selectFrom('conversation').selectAll().executeTakeFirstOrThrow()
  const [others, tagged] = [4_200, 1_050]
  await inTransaction(databases, async trx => {
    await trx.insertInto('tag').values({ id: 'old', org_id: orgId, label: 'Vieja', created_at: '' }).execute()
    for (let n = 0; n < others + tagged; n += 1) {
      const id = `c${n}`
      await trx
        .insertInto('contact')
        .values({ id, org_id: orgId, created_at: '', updated_at: '' } as never)
        .execute()
      const last_activity_at = new Date(Date.UTC(2026, 9, 1) - n * 1000).toISOString()
      await trx
        .insertInto('conversation')
        .values({ ...sample, id, contact_id: id, last_activity_at })
        .execute()
      if (n >= others)
        await trx.insertInto('contact_tag').values({ contact_id: id, tag_id: 'old', org_id: orgId }).execute()
    }
  })
  const list = (page: number) =>
    listConversations(databases.read, { orgId, scope: seesAll }, { page, pageSize: 30, archived: false, tags: ['old'] })
  const ids = (first: number, count: number) => Array.from({ length: count }, (_, i) => `c${first + i}`)
  t.same(
    (await list(1)).rows.map(row => row.id),
    ids(others, 30),
  )
  t.ok((await list(1)).hasMore)
  t.same(
    (await list(35)).rows.map(row => row.id),
    ids(others + 34 * 30, 30),
  )
  t.notOk((await list(35)).hasMore)
})
