import { readFileSync } from 'node:fs'
import t from 'tap'
import { createTakers } from '#server/messaging/intake/takers.ts'
import { newsKeys } from '#server/whatsapp/fields/account-news.ts'
import { webhookFields } from '#server/whatsapp/webhooks/field-items.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { payload, webhookNames } from '#test/helpers/payloads.ts'
import { itemsOf, metaJson } from '#test/helpers/webhooks.ts'

/** Fields that no feature takes, and why; their webhooks are kept. */
const untakenFields: Readonly<Record<string, string>> = {
  automatic_events: 'what Meta guesses of purchases and leads; it is for its advertisements',
  tracking_events: 'clicks that Meta counts; they come without the chat they belong to',
  partner_solutions: 'between Meta and companies that manage accounts of others; not of this account',
}

t.test('features take every known field, except those listed with the reason', async t => {
  const { parts } = await startBackend(t)
  for (const field of webhookFields.keys()) {
    const reason = untakenFields[field]
    const isTaken = parts.webhookTakers.takesField(field)
    t.equal(isTaken, reason === undefined, reason === undefined ? `${field} is taken` : `${field} is not: ${reason}`)
  }
  for (const field of Object.keys(untakenFields)) t.ok(webhookFields.has(field), `${field} is known`)
})

t.test('a feature cannot subscribe to a field that none takes', async t => {
  const taker = { feature: 'groups', fields: ['group_status_update'], apply: async () => {} }
  t.doesNotThrow(() => createTakers([taker], ['group_status_update']))
  for (const field of ['calls', 'security', 'holograms'])
    t.throws(() => createTakers([taker], [field]), new RegExp(`: ${field}$`), field)
})

interface Change {
  readonly field?: string
}

/** The changes of the webhooks in `test/fixtures/whatsapp` that name their field, each on its own. */
const changes = webhookNames().flatMap(name => {
  const { entry = [] } = JSON.parse(payload(name).toString()) as { entry?: { changes?: Change[] }[] }
  return entry.flatMap(one => (one.changes ?? []).flatMap(change => (change.field ? { name, change } : [])))
})

t.test('what is read from a field has the kinds that the field lists', async t => {
  for (const { name, change } of changes) {
    const raw = metaJson({ object: 'whatsapp_business_account', entry: [{ id: '102290129340398', changes: [change] }] })
    const kinds: readonly string[] = webhookFields.get(change.field ?? '')?.kinds ?? []
    for (const { kind } of itemsOf(raw, '2026-11-20T13:00:05.000Z'))
      t.ok(['management', 'unknown', ...kinds].includes(kind), `${name}: ${change.field} holds ${kind}`)
  }
})

// The type of the readers' keys allows these only.
t.test('every kind of account news has a text in both languages, and every text a kind', async t => {
  for (const language of ['es', 'en']) {
    const { news } = JSON.parse(readFileSync(`locales/${language}/standing.json`, 'utf8'))
    t.same(Object.keys(news).sort(), [...newsKeys].sort(), language)
  }
})
