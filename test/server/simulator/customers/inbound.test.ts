import t from 'tap'
import type { SandboxInbound } from '#shared/simulator/inbound.ts'
import { type SandboxBench, sandboxBench, textTo } from '#test/helpers/sandbox.ts'
import { shapeFaults } from '#test/helpers/webhook-shapes.ts'
import { itemsOf } from '#test/helpers/webhooks.ts'

const customer = '5491155551234'
type Asked = Omit<SandboxInbound, 'from'>

/** What the product reads from a customer's action. */
const heard = async (bench: SandboxBench, asked: Asked, isDocumented = true) => {
  const { sandbox, member, delivered, clock } = bench
  delivered.length = 0
  const answer = await sandbox.service.inbound(member, { body: { from: customer, name: 'Ana Paz', ...asked } })
  if (answer.status !== 200) throw new Error(`the webhook answered ${answer.status}`)
  for (const { json } of delivered)
    if (isDocumented && shapeFaults(json).length) throw new Error(shapeFaults(json).join('\n'))
  return delivered.flatMap(({ raw }) => itemsOf(raw, clock.now().toISOString()))
}

t.test('every kind arrives as that kind', async t => {
  const bench = await sandboxBench(t)
  const media = (mime: string, name?: string) => ({
    mime,
    providerId: /^\d{16}$/,
    sha256: /^[0-9a-f]{64}$/,
    ...(name ? { name } : {}),
  })
  const kinds: [Asked, object][] = [
    [{ text: 'hola' }, { type: 'text', text: 'hola' }],
    [
      { type: 'image', caption: 'foto' },
      { type: 'image', text: 'foto', media: media('image/png') },
    ],
    [
      { type: 'image', dataBase64: Buffer.from('\xff\xd8\xff\xe0', 'latin1').toString('base64') },
      { type: 'image', media: media('image/jpeg') },
    ],
    [{ type: 'video' }, { type: 'video', media: media('video/mp4') }],
    [{ type: 'audio' }, { type: 'audio', media: media('audio/mpeg') }],
    [{ type: 'voice' }, { type: 'voice', media: media('audio/ogg; codecs=opus') }],
    [{ type: 'document' }, { type: 'document', text: 'recado.pdf', media: media('application/pdf', 'recado.pdf') }],
    [{ type: 'sticker' }, { type: 'sticker', media: media('image/webp') }],
    [
      { type: 'location', locationName: 'Obelisco' },
      { type: 'location', text: 'Obelisco', content: { location: { latitude: -34.603738, longitude: -58.38157 } } },
    ],
    [
      { type: 'contacts', contactName: 'Luis Gil', contactPhone: '+54 9 11 5555-7777' },
      { type: 'contacts', text: 'Luis Gil', content: { contacts: [{ phones: ['+54 9 11 5555-7777'] }] } },
    ],
    [
      { type: 'button', choiceTitle: 'Sí' },
      { type: 'choice', content: { choice: { kind: 'quickReply', id: 'Sí', title: 'Sí' } } },
    ],
    [
      { type: 'button_reply', choiceId: 'b1', choiceTitle: 'Cambiar' },
      { type: 'choice', content: { choice: { kind: 'button', id: 'b1', title: 'Cambiar' } } },
    ],
    [
      { type: 'list_reply', choiceId: 'r1', choiceTitle: 'Mañana', text: '9 a 12' },
      { type: 'choice', content: { choice: { kind: 'list', id: 'r1', title: 'Mañana', description: '9 a 12' } } },
    ],
    [
      { type: 'form', text: '{"nombre":"Ana"}' },
      { type: 'form', content: { form: { name: 'flow', fields: [{ key: 'nombre', value: 'Ana' }] } } },
    ],
    [
      { type: 'order', text: 'por favor' },
      {
        type: 'order',
        text: 'por favor',
        content: { order: { items: [{ sku: 'di9ozbzfi4', quantity: 2, price: 30, currency: 'ARS' }] } },
      },
    ],
    [{ type: 'unsupported', text: 'poll_creation' }, { type: 'unsupported' }],
    [{ type: 'welcome' }, { type: 'welcome' }],
    [{ text: 'hola', forwarded: true }, { content: { forwarded: true } }],
    [
      { text: 'hola', adHeadline: 'Medialunas' },
      { content: { referral: { sourceType: 'ad', headline: 'Medialunas' } } },
    ],
  ]
  for (const [asked, body] of kinds) {
    const items = await heard(bench, asked)
    t.equal(items.length, 1)
    t.match(
      items[0],
      { kind: 'message', sender: { waId: customer, profileName: 'Ana Paz', bsuid: /^AR\./ }, body, opensWindow: true },
      JSON.stringify(asked).slice(0, 60),
    )
  }
})

t.test('reactions, edits and removals name their message', async t => {
  const bench = await sandboxBench(t)
  const { json } = await bench.post(textTo(customer))
  const targetWamid = json.messages[0].id
  t.match(await heard(bench, { type: 'reaction', targetWamid, emoji: '👍' }), [
    { kind: 'reaction', targetWamid, emoji: '👍' },
  ])
  t.match(await heard(bench, { type: 'unreaction', targetWamid }), [{ kind: 'reaction', targetWamid, emoji: null }])
  t.match(await heard(bench, { type: 'edit', targetWamid, text: 'mejor así' }), [
    { kind: 'edit', targetWamid, text: 'mejor así' },
  ])
  t.match(await heard(bench, { type: 'revoke', targetWamid }), [{ kind: 'revoke', targetWamid }])
  t.match(await heard(bench, { text: 'sí', replyToWamid: targetWamid }), [
    { kind: 'message', replyToWamid: targetWamid },
  ])
  t.equal(bench.delivered[0]?.json.entry[0].changes[0].value.messages[0].context.from, bench.number.phone)
})

t.test('a tap has the title of the sent button', async t => {
  const bench = await sandboxBench(t)
  const buttons = [{ type: 'reply', reply: { id: 'yes', title: 'Confirmo' } }]
  const { json } = await bench.post({
    ...textTo(customer),
    type: 'interactive',
    interactive: { type: 'button', body: { text: '¿Venís?' }, action: { buttons } },
  })
  t.match(await heard(bench, { type: 'button_reply', choiceId: 'yes', replyToWamid: json.messages[0].id }), [
    { body: { text: 'Confirmo' } },
  ])
})

t.test('an unknown kind is passed on as it is', async t => {
  const bench = await sandboxBench(t)
  t.match(await heard(bench, { type: 'hologram', raw: { hologram: { depth: 3 } } }, false), [
    { kind: 'message', body: { type: 'unknown', content: { raw: /depth/ } } },
  ])
})

t.test('a customer with a username hides the number until the username is removed', async t => {
  const bench = await sandboxBench(t)
  const [hidden] = await heard(bench, { username: '@ana', text: 'hola' })
  t.match(hidden, { sender: { username: 'ana', bsuid: /^AR\./ } })
  t.notOk(bench.delivered[0]?.raw.toString().includes(customer))
  t.notOk(
    Buffer.from(String(hidden?.kind === 'message' && hidden.wamid.slice(6)), 'base64')
      .toString('latin1')
      .includes(customer),
  )
  t.match(await heard(bench, { text: 'sigo' }), [{ sender: { username: 'ana' } }])
  t.match(await heard(bench, { text: 'ya no', username: '' }), [{ sender: { waId: customer } }])
})

t.test('a new number is reported in one message with both ids, and the window moves along', async t => {
  const bench = await sandboxBench(t)
  await heard(bench, { text: 'hola' })
  const items = await heard(bench, { type: 'system', newNumber: '5491155557777' })
  t.match(items, [
    {
      kind: 'identity',
      previous: { waId: customer, bsuid: /^AR\./ },
      current: { waId: '5491155557777', bsuid: /^AR\./ },
      note: `User Ana Paz changed from ${customer} to 5491155557777`,
    },
  ])
  t.equal(items.length, 1)
  t.match(
    (await bench.sandbox.service.listCustomers(bench.member, {})).items.find(({ waId }) => waId === '5491155557777'),
    { name: 'Ana Paz', windowClosesAt: '2026-11-21T13:00:00.000Z' },
  )
})

t.test('the same webhook may come several times, byte for byte', async t => {
  const bench = await sandboxBench(t)
  const items = await heard(bench, { text: 'hola', repeat: 3 })
  t.equal(items.length, 3)
  t.equal(new Set(bench.delivered.map(({ raw }) => raw.toString())).size, 1)
})

t.test('a missing field is named, and nothing is sent', async t => {
  const bench = await sandboxBench(t)
  const { sandbox, member, delivered } = bench
  const wrong: [Asked & { from?: string }, string][] = [
    [{}, 'body.text'],
    [{ type: 'text', text: '' }, 'body.text'],
    [{ type: 'reaction', emoji: '👍' }, 'body.targetWamid'],
    [{ type: 'edit', targetWamid: 'wamid.x' }, 'body.text'],
    [{ type: 'button_reply' }, 'body.choiceId'],
    [{ type: 'system' }, 'body.newNumber'],
    [{ type: 'system', newNumber: '123456' }, 'body.newNumber'],
    [{ from: '123456', text: 'x' }, 'body.from'],
    [{ text: 'x', at: 'yesterday, more or less' }, 'body.at'],
    [{ type: 'image', dataBase64: '' }, 'body.dataBase64'],
  ]
  for (const [asked, field] of wrong)
    await t.rejects(
      async () => sandbox.service.inbound(member, { body: { from: customer, ...asked } }),
      { code: 'APP_VALIDATION', fields: [field] },
      field,
    )
  t.same(delivered, [])
  t.same((await sandbox.service.listCustomers(member, {})).items, [])
})
