/** A send prefilled from an earlier one, through the public API. */
import fc from 'fast-check'
import t from 'tap'
import { recipeOf } from '#server/features/bulk-sends/drafts/recipe.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import type { BulkPlan } from '#shared/bulk-sends/plan.ts'
import type { BulkRecipe, BulkSend } from '#shared/bulk-sends/sends.ts'
import { aMember } from '#test/helpers/actors.ts'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

t.test('pasted numbers and files are stored only as recipients of the send', async () => {
  const words = fc.string({ minLength: 12, maxLength: 30 })
  fc.assert(
    fc.property(words, words, words, (numbers, text, column) => {
      const audience = { numbers, csv: { text, phoneColumn: column } }
      const values = { body: { '1': { from: 'column' as const, text: column }, '2': { from: 'name' as const } } }
      const kept = recipeOf({ template: 'x', audience, values }, 'send')
      const json = JSON.stringify(kept)
      for (const one of [numbers, text, column])
        if (json.includes(JSON.stringify(one))) throw new Error(`It keeps ${one}`)
      if (kept.audience.again?.send !== 'send' || !kept.hadColumns || !kept.values?.body?.['2']) throw new Error(json)
    }),
  )
})

t.test('a repeated send has the same recipients, values and safety measures, without erased persons', async t => {
  const { create, backend, ask, recipients, template, later } = await stage(t)
  const offer = await template('Hola {{1}}, hoy hay medialunas a mitad de precio.', 'MARKETING')
  const people = phones(3)
  const request = {
    template: offer,
    audience: { numbers: [...people, people[0], 'nada'].join('\n') },
    values: { body: { '1': { from: 'fixed', text: 'vecina' } } },
    marketingCap: { sends: 2, days: 7 },
    canary: { people: 1, waitMinutes: 5 },
    limits: { failedPercent: 10, optedOutPercent: null },
  }
  const send = await create(request)
  await backend.settle()
  const recipeOfSend = async ({ id }: BulkSend) =>
    (await ask<BulkRecipe>('GET', `/whatsapp/bulk-sends/${id}/recipe`)).json
  const { template: id, audience, values, gone, ...care } = await recipeOfSend(send)
  t.same(
    { id, audience, values, gone },
    { id: offer, audience: { again: { send: send.id } }, values: request.values, gone: [] },
  )
  t.same(care, { marketingCap: request.marketingCap, canary: request.canary, limits: request.limits, hours: null })

  const again = await create({ template: id, audience, values, ...care, startIfPlanned: 3 })
  t.equal(again.audience.againOf, send.template.name)
  await backend.settle()
  t.same(
    (await recipients(again)).map(({ given, state }) => [given, state === 'omitted']),
    people.map(phone => [phone, false]),
    'who was no person of it, and who came twice, is not asked for again',
  )
  t.same((await recipeOfSend(again)).audience, { again: { send: send.id } }, 'not a chain of sends')

  await ask('POST', '/sandbox/inbound', { from: people[1], type: 'text', text: 'Hola' })
  await later(20_000)
  const { status } = await ask('POST', `/whatsapp/conversations/${people[1]}/erasure`, {
    reason: 'asked',
    confirm: people[1],
  })
  t.ok(status < 300, String(status))
  for (let i = 0; i < 3; i += 1) await later(20_000)
  const { json } = await ask<BulkPlan>('POST', '/whatsapp/bulk-sends/plan', {
    template: id,
    audience,
    values,
    marketingCap: null,
  })
  t.equal(json.planned, 2)
  t.same(backend.errors(), [])
})

t.test('missing parts are reported, and another member’s send cannot be repeated', async t => {
  const { create, backend, ask, askAs, owner, id, template } = await stage(t)
  const { write } = backend.databases
  const tag = newId()
  const orgId = owner.org.id
  await write.insertInto('tag').values({ id: tag, org_id: orgId, label: 'VIP', created_at: '2026-01-01' }).execute()
  const filter = { optedOut: false }
  const { json: segment } = await ask<{ id: string }>('POST', '/whatsapp/segments', { label: 'Uno', filter })
  const { json: field } = await ask<{ id: string }>('POST', '/whatsapp/contact-fields', { label: 'Día', kind: 'text' })
  const greeting = await template('Hola {{1}}, tu pedido está listo para retirar desde el {{2}} a la tarde.')
  const send = await create({
    template: greeting,
    audience: {
      tags: { ids: [tag], match: 'any' },
      segment: { id: segment.id },
      csv: { text: `Nombre;Teléfono\nAna;${phones(1)[0]}` },
    },
    values: {
      body: { '1': { from: 'column', text: 'Nombre' }, '2': { from: 'field', text: field.id, fallback: 'hoy' } },
    },
  })
  await backend.settle()
  const path = `/whatsapp/bulk-sends/${send.id}/recipe`
  t.match(await ask<BulkRecipe>('GET', path), {
    json: {
      audience: { tags: { ids: [tag] }, segment: { id: segment.id }, again: { send: send.id } },
      values: { body: { '2': { from: 'field', text: field.id, fallback: 'hoy' } } },
      gone: ['columns'],
    },
  })
  await ask('DELETE' as 'POST', `/whatsapp/segments/${segment.id}`)
  await write.deleteFrom('tag').where('id', '=', tag).execute()
  await ask('DELETE' as 'POST', `/whatsapp/contact-fields/${field.id}`)
  t.match((await ask<BulkRecipe>('GET', path)).json, {
    values: { body: { '2': undefined } },
    gone: ['tags', 'segment', 'fields', 'columns'],
  })
  t.same((await ask<BulkRecipe>('GET', path)).json.audience, { again: { send: send.id } })

  await write.updateTable('bulk_send').set({ recipe: null }).where('id', '=', send.id).execute()
  t.same((await ask<BulkRecipe>('GET', path)).json.audience, { again: { send: send.id } }, 'from before any was kept')

  const other = await aMember({ databases: backend.databases, org: owner.org, role: 'member' })
  const asOther = askAs(other.cookie)
  t.equal((await asOther('GET', path)).status, 404)
  t.match(
    await asOther('POST', '/whatsapp/bulk-sends/plan', { template: id, audience: { again: { send: send.id } } }),
    {
      status: 400,
      json: { details: [{ field: 'body.audience.again.send' }] },
    },
  )
})
