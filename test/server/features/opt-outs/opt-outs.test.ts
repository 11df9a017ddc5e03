/** Marketing opt-outs, through the public API, with the simulator as Meta and a manual clock. */
import t from 'tap'
import type { BulkPlan } from '#shared/bulk-sends/plan.ts'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import type { MessagePage } from '#shared/inbox/messages.ts'
import type { OptOutSettings } from '#shared/opt-outs/api.ts'
import { aMember } from '#test/helpers/actors.ts'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { connectionKeys } from '#test/helpers/connection-keys.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { envelope, metaJson, signatureOf } from '#test/helpers/webhooks.ts'

t.setTimeout(fileTimeoutMs)

const aStage = async (t: Parameters<typeof stage>[0]) => {
  const it = await stage(t)
  const { ask, backend } = it
  const write = async (from: string, text: string) => {
    await ask('POST', '/sandbox/inbound', { from, type: 'text', text })
    await backend.settle()
  }
  const chat = async (phone: string) => (await ask<Conversation>('GET', `/whatsapp/conversations/${phone}`)).json
  const sentTo = async (phone: string) =>
    (await ask<MessagePage>('GET', `/whatsapp/chats/${phone}`)).json.items
      .filter(({ direction }) => direction === 'out')
      .map(({ text }) => text)
  /** Meta's webhook of a choice the customer made in WhatsApp. */
  const choose = async (wa_id: string, value: 'stop' | 'resume') => {
    const keys = await connectionKeys(backend.parts, it.owner.org.id)
    if (!keys) throw new Error('No number is connected')
    const timestamp = Math.floor(backend.clock.now().getTime() / 1000)
    const raw = metaJson(
      envelope(
        {
          messaging_product: 'whatsapp',
          metadata: { phone_number_id: keys.phoneNumberId },
          contacts: [{ profile: { name: 'Ana' }, wa_id }],
          user_preferences: [{ wa_id, detail: 'x', category: 'marketing_messages', value, timestamp }],
        },
        keys.wabaId,
        'user_preferences',
      ),
    )
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signatureOf(raw, keys.appSecret) }
    await backend.inject({ method: 'POST', url: `/webhooks/whatsapp/${keys.id}`, headers, payload: raw })
    await backend.settle()
  }
  return { ...it, write, chat, sentTo, choose }
}

t.test('one word opts out and another in; each is answered once, and repeating changes nothing', async t => {
  const { write, chat, sentTo, backend } = await aStage(t)
  const [phone] = phones(1) as [string]
  await write(phone, 'Hola')
  t.equal((await chat(phone)).optOut, undefined)
  await write(phone, '¡Baja!')
  const { optOut } = await chat(phone)
  t.match(optOut, { source: 'keyword', note: '¡Baja!', by: null })
  await write(phone, 'baja')
  t.same((await chat(phone)).optOut, optOut)
  await write(phone, 'ALTA')
  t.equal((await chat(phone)).optOut, undefined)
  const answers = await sentTo(phone)
  t.equal(answers.length, 2)
  t.match(answers[0], /no vas a recibir más promociones/)
  t.match(answers[1], /Vas a volver a recibir/)
  t.same(backend.errors(), [])
})

t.test('variables in the answer to an opt-out are filled in at sending', async t => {
  const { write, sentTo, backend, owner } = await aStage(t)
  const payload = { stopText: 'Listo, {{contacto.nombre|amigo}}.{{flujo.nada}} Chau, {{org.nombre}}' }
  const headers = { cookie: owner.cookie }
  const changed = await backend.inject({ method: 'PATCH', url: '/api/whatsapp/opt-out-settings', headers, payload })
  t.equal(changed.statusCode, 200, changed.body)
  const [phone] = phones(1) as [string]
  await write(phone, 'baja')
  t.match(await sentTo(phone), [/^Listo, [^{}]+\. Chau, Panadería$/])
})

t.test('words belong to one organization; a word that does both is refused by its field', async t => {
  const { write, chat, sentTo, ask, backend } = await aStage(t)
  const other = await aMember({ databases: backend.databases, orgName: 'Otra' })
  const asOther = async (payload?: object) => {
    const call = { url: '/api/whatsapp/opt-out-settings', headers: { cookie: other.cookie } }
    const reply = await backend.inject(payload ? { ...call, method: 'PATCH', payload } : { ...call, method: 'GET' })
    return { status: reply.statusCode, json: reply.json() }
  }
  const before = (await asOther()).json
  const refused = await asOther({ stopWords: ['Chau'], resumeWords: ['CHAU!'] })
  t.same([refused.status, refused.json.details[0].field], [400, 'body.resumeWords'])
  t.equal((await asOther({ stopWords: ['...'] })).json.details[0].field, 'body.stopWords')
  t.equal((await asOther({ stopText: '   ' })).json.details[0].field, 'body.stopText')
  const heard = async () => {
    const rows = await backend.databases.read.selectFrom('event').select('type').where('org_id', '=', other.org.id)
    return (await rows.execute()).map(({ type }) => type)
  }
  t.same([(await asOther()).json, await heard()], [before, []])
  t.match((await asOther({ stopWords: ['Chau', 'CHAU'], confirms: false })).json, {
    stopWords: ['Chau'],
    confirms: false,
  })
  t.same(await heard(), ['organization'])
  const [phone] = phones(1) as [string]
  await write(phone, 'chau')
  t.equal((await chat(phone)).optOut, undefined)
  t.same(await sentTo(phone), [])
  t.equal((await ask<OptOutSettings>('GET', '/whatsapp/opt-out-settings')).json.confirms, true)
})

t.test(
  'a member records an opt-out with a reason and revokes it; a choice made in WhatsApp only the customer revokes',
  async t => {
    const { write, chat, choose, backend, owner } = await aStage(t)
    const [phone, other] = phones(2) as [string, string]
    for (const from of [phone, other]) await write(from, 'Hola')
    const call = async (method: 'PUT' | 'DELETE', of: string, payload?: object) => {
      const url = `/api/whatsapp/chats/${of}/opt-out`
      const headers = { cookie: owner.cookie }
      const reply = await backend.inject({ method, url, headers, ...(payload ? { payload } : {}) })
      return { status: reply.statusCode, json: reply.json() }
    }
    const noted = await call('PUT', phone, { reason: ' Lo pidió \n por teléfono ' })
    t.match(noted.json.optOut, { source: 'person', note: 'Lo pidió por teléfono' })
    t.same((await call('PUT', phone, { reason: 'otra' })).json.optOut, noted.json.optOut)
    t.equal((await call('DELETE', phone)).json.optOut, undefined)
    t.equal((await call('DELETE', phone)).status, 200)
    const unseen = await call('PUT', phone, { reason: '\u200b\u2060 ' })
    t.equal(unseen.json.optOut.note, null, 'a reason nobody sees is none')
    await call('DELETE', phone)
    await choose(other, 'stop')
    t.match((await chat(other)).optOut, { source: 'whatsapp', by: null })
    t.equal((await call('DELETE', other)).json.code, 'INBOX_OPT_OUT_BY_CUSTOMER')
    await choose(other, 'resume')
    t.equal((await chat(other)).optOut, undefined)
    await choose('5491155557777', 'stop')
    t.same(backend.errors(), [])
  },
)

t.test(
  'marketing omits opted-out contacts at planning and at sending; other templates reach them and say so',
  async t => {
    const {
      write,
      ask,
      choose,
      backend,
      later,
      template,
      create,
      report,
      recipients,
      taken,
      id: utility,
    } = await aStage(t)
    const marketing = await template('Esta semana hay facturas al dos por uno.', 'MARKETING')
    const [gone, going, ...others] = phones(25) as [string, string, ...string[]]
    // They are sent to in the second second.
    const numbers = [gone, ...others, going].join('\n')
    await choose(gone, 'stop')
    const plan = async (template: string) =>
      (await ask<BulkPlan>('POST', '/whatsapp/bulk-sends/plan', { template, audience: { numbers } })).json
    const planned = await plan(marketing)
    t.same([planned.planned, planned.omitted.map(({ reason }) => reason), planned.optedOut], [24, ['optedOut'], 0])
    const informed = await plan(utility)
    t.same([informed.planned, informed.omitted, informed.optedOut], [25, [], 1])

    const send: BulkSend = await create({ template: marketing, audience: { numbers }, startIfPlanned: 24 })
    await backend.settle()
    t.equal((await taken()).length, 20)
    await write(going, 'BAJA')
    for (let i = 0; i < 3; i += 1) await later(20_000)
    const { state, counts } = await report(send)
    t.equal(state, 'completed')
    t.same([counts.omitted, counts.planned + counts.queued], [2, 0])
    t.same(new Set((await recipients(send, '?state=omitted')).map(({ given }) => given)), new Set([gone, going]))
    const bulk = (await taken()).filter(({ wa_id }) => wa_id === gone || others.includes(wa_id))
    t.equal(bulk.length, 23)
    t.same(backend.errors(), [])
  },
)

t.test('a message refused by WhatsApp because of an opt-out records it', async t => {
  const { ask, chat, create, later } = await aStage(t)
  const [phone] = phones(1) as [string]
  await ask('POST', '/sandbox/fail', { code: '131050' })
  await create({ audience: { numbers: phone }, startIfPlanned: 1 })
  for (let i = 0; i < 3; i += 1) await later(1_100)
  t.match((await chat(phone)).optOut, { source: 'whatsapp' })
})
