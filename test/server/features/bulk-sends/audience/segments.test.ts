/** Saved audiences, through the public API. */
import t from 'tap'
import { newId } from '#server/platform/crypto/ids.ts'
import type { BulkPlan } from '#shared/bulk-sends/plan.ts'
import type { Segment } from '#shared/contacts/segments.ts'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const dayMs = 86_400_000

t.test('a segment contains the contacts that match all its conditions when it is used', async t => {
  const { ask, backend, later, create, report, recipients, owner, id } = await stage(t)
  const { write } = backend.databases
  const orgId = owner.org.id
  const [early, late, tagged] = phones(3) as [string, string, string]
  const say = async (from: string) => {
    await ask('POST', '/sandbox/inbound', { from, type: 'text', text: 'Hola' })
    await backend.settle()
  }
  await say(early)
  await later(10 * dayMs)
  await say(late)
  await say(tagged)
  await later(1000)
  const idOf = async (phone: string) =>
    (await write.selectFrom('contact').select('id').where('wa_id', '=', phone).executeTakeFirstOrThrow()).id
  const [vip, gold, field] = [newId(), newId(), newId()]
  for (const tag of [vip, gold])
    await write.insertInto('tag').values({ id: tag, org_id: orgId, label: tag, created_at: '2026-01-01' }).execute()
  for (const [phone, tag] of [
    [tagged, vip],
    [tagged, gold],
    [late, vip],
  ] as const)
    await write
      .insertInto('contact_tag')
      .values({ contact_id: await idOf(phone), tag_id: tag, org_id: orgId })
      .execute()
  await write
    .insertInto('contact_value')
    .values({ contact_id: await idOf(early), field_id: field, org_id: orgId, value: 'Rosario' })
    .execute()
  await write
    .updateTable('contact')
    .set({ opt_out: '{}' })
    .where('id', '=', await idOf(late))
    .execute()
  const { connection_id: number } = await write
    .selectFrom('conversation')
    .select('connection_id')
    .executeTakeFirstOrThrow()

  const finds = async (filter: Segment['filter']) => {
    const { json } = await ask<Segment>('POST', '/whatsapp/segments', { label: 'Uno', filter })
    const counted = await ask<{ count: number; isMore: boolean }>('POST', '/whatsapp/segments/count', { filter })
    const send = await create({ audience: { segment: { id: json.id } } })
    await backend.settle()
    const found = (await recipients(send)).map(({ given }) => given).toSorted()
    t.same(counted.json, { count: found.length, isMore: false })
    t.equal((await report(send)).audience.segment, 'Uno')
    return found
  }
  const all = [early, late, tagged].toSorted()
  t.same(await finds({ number }), all)
  t.same(await finds({ number: 'other' }), [])
  t.same(await finds({ tags: { ids: [vip, gold], match: 'any' } }), [late, tagged].toSorted())
  t.same(await finds({ tags: { ids: [vip, gold], match: 'all' } }), [tagged])
  t.same(await finds({ optedOut: true }), [late])
  t.same(await finds({ optedOut: false, tags: { ids: [vip], match: 'any' } }), [tagged])
  t.same(await finds({ wrote: { when: 'within', days: 5 } }), [late, tagged].toSorted())
  t.same(await finds({ wrote: { when: 'within', days: 11 } }), all)
  t.same(await finds({ wrote: { when: 'before', days: 5 } }), [early])
  t.same(await finds({ field: { id: field, value: 'Rosario' } }), [early])
  t.same(await finds({ field: { id: field, value: 'Rosari' } }), [])

  const { items } = (await ask<{ items: Segment[] }>('GET', '/whatsapp/segments')).json
  t.equal(items.length, 11)
  const last = items.at(-1) as Segment
  const audience = { segment: { id: last.id } }
  t.equal((await ask('DELETE' as 'POST', `/whatsapp/segments/${last.id}`)).status, 200)
  t.match(await ask('DELETE' as 'POST', `/whatsapp/segments/${last.id}`), { status: 404 })
  t.match(await ask<BulkPlan>('POST', '/whatsapp/bulk-sends/plan', { template: id, audience }), {
    status: 400,
    json: { details: [{ field: 'body.audience.segment.id' }] },
  })
  t.same(backend.errors(), [])
})

t.test('a page of contacts without a match does not end a segment', async t => {
  const { ask, backend, owner } = await stage(t)
  const { write } = backend.databases
  const people = Array.from({ length: 450 }, (_, i) => ({
    id: `c${String(i).padStart(4, '0')}`,
    org_id: owner.org.id,
    wa_id: `5491144${1000 + i}`,
    opt_out: i === 3 || i === 449 ? '{}' : null,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  }))
  for (let from = 0; from < people.length; from += 50)
    await write
      .insertInto('contact')
      .values(people.slice(from, from + 50) as never)
      .execute()
  t.same((await ask('POST', '/whatsapp/segments/count', { filter: { optedOut: true } })).json, {
    count: 2,
    isMore: false,
  })
})
