/** The count that follows each change of an audience, through the public API. */
import t from 'tap'
import { countAudience } from '#server/features/bulk-sends/planning/counting.ts'
import type { Planned } from '#server/features/bulk-sends/planning/planner.ts'
import type { AudienceCount } from '#shared/bulk-sends/counting.ts'
import { countedAtMost } from '#shared/bulk-sends/limits.ts'
import { aMember } from '#test/helpers/actors.ts'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

t.test('people are counted before there are values, and previewed with them', async t => {
  const { ask, template } = await stage(t)
  const id = await template('Hola {{1}}, tu pedido ya está listo para retirar.')
  const [one, two] = phones(2) as [string, string]
  const count = async (body: object) =>
    (await ask<AudienceCount>('POST', '/whatsapp/bulk-sends/count', { template: id, ...body })).json
  const audience = { numbers: `${one}\n${two}\n${one}\nnada` }
  t.match(await count({ audience }), {
    people: 4,
    planned: 2,
    omitted: [
      { reason: 'duplicate', count: 1 },
      { reason: 'invalidNumber', count: 1 },
    ],
    previews: [],
    hasMore: false,
  })
  const values = { body: { 1: { from: 'name', fallback: 'vecina' } } }
  t.match(await count({ audience, values }), {
    planned: 2,
    previews: [{ text: 'Hola vecina, tu pedido ya está listo para retirar.' }, {}],
  })
  t.match(
    await count({ audience, values: { body: { 1: { from: 'name' } } } }),
    { planned: 0, omitted: [{ reason: 'valueMissing', count: 2 }, {}, {}] },
    'those without a value are left out once it is chosen',
  )
})

t.test('an audience of another person’s send or of an unknown tag is refused', async t => {
  const { ask, askAs, create, backend, owner, id } = await stage(t)
  const send = await create({ audience: { numbers: phones(1)[0] } })
  await backend.settle()
  const colleague = await aMember({ databases: backend.databases, org: owner.org, role: 'member' })
  const count = (body: object) => ({ template: id, audience: body })
  const theirs = await askAs(colleague.cookie)(
    'POST',
    '/whatsapp/bulk-sends/count',
    count({ again: { send: send.id } }),
  )
  t.equal(theirs.status, 400)
  const unknown = await ask(
    'POST',
    '/whatsapp/bulk-sends/count',
    count({ tags: { ids: ['x'.repeat(24)], match: 'any' } }),
  )
  t.equal(unknown.status, 400)
})

t.test('counting stops after a bound, and says so', async t => {
  let read = 0
  const candidate = { given: '', phone: null, name: null, isPermitted: true, isOptedOut: false }
  async function* endless(): AsyncGenerator<Planned[]> {
    for (;;) {
      read += 1
      yield Array.from({ length: 500 }, () => ({ candidate, omitted: 'invalidNumber' as const }))
    }
  }
  t.match(await countAudience(endless(), {}), { people: countedAtMost, planned: 0, hasMore: true })
  t.equal(read, countedAtMost / 500 + 1)
})
