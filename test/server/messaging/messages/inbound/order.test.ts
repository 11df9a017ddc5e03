import t from 'tap'
import { applyDelivery } from '#server/messaging/messages/delivery/delivery.ts'
import { sendToMany } from '#server/messaging/sending/to-many.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import { type AnInbox, anInbox, withoutActivity } from '#test/helpers/inbox.ts'
import { aMessage, anEcho, anIdentity, lucia } from '#test/helpers/items.ts'

const phone = lucia.waId as string
const params = { phone }
const second = '2026-11-20T13:00:05.000Z'

/** Lucía wrote a while ago, and Ana has just answered, in the middle of a second. */
const answered = async (at = '2026-11-20T13:00:05.700Z') => {
  const stage = await anInbox()
  await stage.connect()
  await stage.apply(aMessage({ words: 'Hola' }))
  stage.clock.set(at)
  const sent = await stage.inbox.sendMessage(stage.ana.member, { body: { message: '¿Sí?', numberTel: phone } })
  const thread = async (before?: string) =>
    withoutActivity(
      (await stage.inbox.listMessages(stage.ana.member, { params, query: before ? { before } : {} })).items,
    )
  const row = () => stage.inbox.getConversation(stage.ana.member, { params })
  const texts = async () => (await thread()).map(message => message.text)
  return { stage, sent, thread, texts, row }
}

const sendInBulk = ({ write, clock }: AnInbox, connectionId: string) =>
  write(scope =>
    sendToMany(
      scope,
      {
        connectionId,
        author: systemActor('test'),
        many: [
          {
            id: newId(),
            phone,
            ready: {
              id: 'oferta',
              message: {},
              text: 'Oferta',
              shown: { id: 'oferta', name: 'oferta', language: 'es', header: null, footer: null, buttons: [] },
            },
          },
        ],
      },
      { clock, ids: newId, outbox: { enqueueMessages: async () => undefined, cancelMessages: async () => [] } },
    ),
  )

t.test('a reply in the second of our message is placed after it, in the thread and in the list', async t => {
  const { stage, thread, texts, row } = await answered()
  await stage.apply(aMessage({ at: second, words: 'Sí, dale' }))
  t.strictSame(await texts(), ['Hola', '¿Sí?', 'Sí, dale'])
  t.equal((await thread()).at(-1)?.at, '2026-11-20T13:00:05.701Z')
  t.match(await row(), { lastMessage: { text: 'Sí, dale', at: '2026-11-20T13:00:05.701Z' } })
})

t.test('the 24 hours are counted from WhatsApp’s timestamp, wherever the message is placed', async t => {
  const { stage, row } = await answered()
  await stage.apply(aMessage({ at: second }))
  t.equal((await row()).windowClosesAt, '2026-11-21T13:00:05.000Z')
})

t.test('messages of one second keep their order of arrival, in one batch or one by one', async t => {
  const { stage, texts, row } = await answered()
  await stage.apply(
    aMessage({ at: second, words: 'uno' }),
    aMessage({ at: second, words: 'dos' }),
    anEcho({ at: second, words: 'tres' }),
  )
  await stage.apply(anIdentity({ at: second, note: 'cuatro', previous: lucia, current: lucia }))
  await stage.apply(aMessage({ at: second, words: 'cinco' }))
  t.strictSame((await texts()).slice(2), ['uno', 'dos', 'tres', 'cuatro', 'cinco'])
  t.match(await row(), { lastMessage: { text: 'cinco' } })
})

t.test('a message never leaves its second, however many there are', async t => {
  const { stage, thread, texts } = await answered('2026-11-20T13:00:05.998Z')
  const words = ['uno', 'dos', 'tres']
  await stage.apply(...words.map(one => aMessage({ at: second, words: one })))
  t.strictSame((await texts()).slice(2), words)
  t.strictSame(new Set((await thread()).slice(2).map(({ at }) => at)), new Set(['2026-11-20T13:00:05.999Z']))
})

t.test(
  'a reply in the second of a bulk message is placed after it, although the list does not show that message',
  async t => {
    for (const earlier of ['2026-11-20T12:00:00.000Z', second]) {
      const stage = await anInbox()
      const connectionId = await stage.connect()
      await stage.apply(aMessage({ at: earlier, words: 'Hola' }))
      stage.clock.set('2026-11-20T13:00:05.700Z')
      await sendInBulk(stage, connectionId)
      await stage.apply(aMessage({ at: second, words: 'Sí' }))
      const read = async (before?: string) =>
        (await stage.inbox.listMessages(stage.ana.member, { params, query: before ? { before } : {} })).items
      const items = await read()
      t.strictSame(
        items.map(({ author, text }) => (author?.kind === 'bulk' ? 'bulk' : text)),
        ['Hola', 'bulk', 'Sí'],
      )
      t.strictSame(
        (await read(items[2]?.id)).map(({ id }) => id),
        items.slice(0, 2).map(({ id }) => id),
        'a page that ends there',
      )
    }
  },
)

t.test('a message of another second keeps its timestamp: older ones come before, newer ones after', async t => {
  const { stage, thread } = await answered()
  await stage.apply(aMessage({ at: '2026-11-20T13:00:04.000Z', words: 'antes' }))
  await stage.apply(aMessage({ at: '2026-11-20T13:00:06.000Z', words: 'después' }))
  t.match(
    (await thread()).slice(1).map(({ text, at }) => [text, at]),
    [
      ['antes', '2026-11-20T13:00:04.000Z'],
      ['¿Sí?', '2026-11-20T13:00:05.700Z'],
      ['después', '2026-11-20T13:00:06.000Z'],
    ],
  )
})

t.test('messages of a phone’s history keep their timestamps', async t => {
  const { stage, texts } = await answered()
  await stage.apply(aMessage({ at: second, words: 'de antes', past: true, opensWindow: false }))
  t.strictSame(await texts(), ['Hola', 'de antes', '¿Sí?'])
})

t.test('a repeated webhook moves nothing', async t => {
  const { stage, thread, row } = await answered()
  const items = [aMessage({ at: second, words: 'uno' }), aMessage({ at: second, words: 'dos' })]
  await stage.apply(...items)
  const before = [await thread(), await row()]
  await stage.apply(...items.toReversed())
  await stage.apply(...items, ...items)
  t.strictSame([await thread(), await row()], before)
})

t.test('pages within one crowded second follow each other without gaps or duplicates', async t => {
  const { stage, thread } = await answered('2026-11-20T13:00:05.980Z')
  const words = Array.from({ length: 120 }, (_, i) => `mensaje ${i}`)
  for (let from = 0; from < words.length; from += 40)
    await stage.apply(...words.slice(from, from + 40).map(one => aMessage({ at: second, words: one })))
  const read: string[] = []
  for (let page = await thread(); page.length; page = await thread(page[0]?.id))
    read.unshift(...page.map(({ text }) => text))
  t.strictSame(read, ['Hola', '¿Sí?', ...words])
})

t.test('after a merge of two threads the list shows the last message of the joint thread', async t => {
  const stage = await anInbox()
  const bsuid = lucia.bsuid as string
  await stage.apply(aMessage({ at: second, words: 'por número', sender: { waId: phone } }))
  await stage.apply(aMessage({ at: second, words: 'por usuario', sender: { bsuid } }))
  await stage.apply(anIdentity({ at: second, previous: { bsuid }, current: { waId: phone, bsuid }, note: 'es ella' }))
  const { items } = await stage.inbox.listMessages(stage.ana.member, { params, query: {} })
  t.strictSame(
    items.map(({ text }) => text),
    ['por número', 'por usuario', 'es ella'],
  )
  t.match(await stage.inbox.getConversation(stage.ana.member, { params }), { lastMessage: { text: 'por usuario' } })
})

t.test('a copy replaced by its original also leaves the list, with the original’s time', async t => {
  const { stage, sent, thread, row } = await answered()
  const copy = anEcho({ at: second, words: '¿Sí?' })
  await stage.apply(copy)
  const change = { kind: 'accepted', wamid: copy.wamid, at: stage.clock.now().toISOString() } as const
  await stage.write(write => applyDelivery(write, { messageId: sent.id }, change, stage))
  t.equal((await thread()).at(-1)?.at, sent.at)
  t.match(await row(), { lastMessage: { at: sent.at, text: '¿Sí?' } })
})
