import t from 'tap'
import { ageSimulated } from '#server/messaging/conversations/changes/simulated-time.ts'
import { listOwnNumbers } from '#server/messaging/conversations/rows/number-store.ts'
import { linkedFile } from '#server/messaging/media/linked-file.ts'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { type AnInbox, anInbox, withoutActivity } from '#test/helpers/inbox.ts'
import {
  aMessage,
  anEcho,
  anEdit,
  anIdentity,
  aReaction,
  aRevoke,
  aStatus,
  aWamid,
  lucia,
  text,
} from '#test/helpers/items.ts'

const phone = lucia.waId as string
const list = async (stage: AnInbox) => (await stage.inbox.listConversations(stage.ana.member, { query: {} })).items
const thread = async (stage: AnInbox, address = phone): Promise<Message[]> =>
  withoutActivity((await stage.inbox.listMessages(stage.ana.member, { params: { phone: address }, query: {} })).items)
const types = (drafts: readonly { type: string }[]) => drafts.map(draft => draft.type)

t.test('the first message of an unknown number creates a waiting conversation and notifies', async t => {
  const stage = await anInbox()
  const drafts = await stage.apply(aMessage({ words: '¿Hay turno?' }))
  t.strictSame(types(drafts), ['message', 'human'])
  t.match(drafts[1], {
    number: phone,
    data: { message: 'Lucía Méndez espera una respuesta', number: phone, reason: 'firstMessage' },
  })
  t.match(stage.notices, [{ userId: stage.ana.user.id, redirect: `/${phone}` }])
  t.match(await list(stage), [
    {
      phone,
      name: 'Lucía Méndez',
      displayPhone: '+54 9 11 5555 1234',
      unread: 1,
      control: 'needsHuman',
      archived: false,
      windowClosesAt: '2026-11-21T12:59:00.000Z',
      lastMessage: { text: '¿Hay turno?', direction: 'in', status: 'received', type: 'text' },
    },
  ])
  t.match(await thread(stage), [{ text: '¿Hay turno?', direction: 'in', status: 'received' }])
})

t.test('the event of a message holds the message and its row as the API returns them', async t => {
  const stage = await anInbox()
  const drafts = await stage.apply(aMessage())
  const data = drafts[0]?.data as { number: string; message: unknown; conversation: unknown }
  t.equal(data.number, phone)
  t.strictSame([data.message], await thread(stage))
  t.strictSame([data.conversation], await list(stage))
})

t.test('the same webhook ten times, in one batch or one by one, is one message', async t => {
  const stage = await anInbox()
  const message = aMessage()
  await stage.apply(...Array.from({ length: 5 }, () => message))
  const before = await list(stage)
  for (let i = 0; i < 5; i += 1) t.strictSame(await stage.apply(message), [], 'nobody is told again')
  t.equal((await thread(stage)).length, 1)
  t.strictSame(await list(stage), before)
})

t.test('members are notified when a customer starts to wait, not for every message', async t => {
  const stage = await anInbox()
  await stage.apply(aMessage())
  t.strictSame(types(await stage.apply(aMessage({ at: '2026-11-20T12:59:20.000Z' }))), ['message'])
  t.equal(stage.notices.length, 1)
})

t.test('one customer causes at most one notification a minute', async t => {
  const stage = await anInbox()
  const archive = () => stage.inbox.archiveChat(stage.ana.member, { body: { phoneNumber: phone } })
  await stage.apply(aMessage())
  await archive()
  t.strictSame(types(await stage.apply(aMessage({ at: '2026-11-20T13:00:01.000Z' }))), ['message', 'internal'])
  t.equal((await list(stage))[0]?.control, 'needsHuman')
  await archive()
  stage.clock.advance(61_000)
  t.strictSame(types(await stage.apply(aMessage({ at: '2026-11-20T13:01:01.000Z' }))), ['message', 'human', 'internal'])
})

t.test('messages received after an outage cause one summary instead of a toast each', async t => {
  const stage = await anInbox()
  const drafts = await stage.apply(
    ...Array.from({ length: 30 }, (_, i) =>
      aMessage({ at: '2026-11-20T09:00:00.000Z', sender: { waId: `54911555500${10 + i}` } }),
    ),
  )
  t.strictSame(new Set(types(drafts)), new Set(['message']))
  t.match(stage.notices, [{ message: '30 conversaciones más esperan una respuesta', redirect: null }])
  t.ok((await list(stage)).every(row => row.control === 'needsHuman'))
})

t.test('many customers at once cause ten notifications and one summary for the rest', async t => {
  const stage = await anInbox()
  const drafts = await stage.apply(
    ...Array.from({ length: 30 }, (_, i) => aMessage({ sender: { waId: `54911555500${10 + i}` } })),
  )
  t.equal(types(drafts).filter(type => type === 'human').length, 10)
  t.equal(stage.notices.length, 11)
  t.match(stage.notices.at(-1), { message: '20 conversaciones más esperan una respuesta' })
})

t.test('a notification is at most 140 characters, whatever the name', async t => {
  const stage = await anInbox()
  const drafts = await stage.apply(aMessage({ sender: { ...lucia, profileName: `${'😀'.repeat(200)}` } }))
  const { message } = (drafts[1] as { data: unknown }).data as { message: string }
  t.ok(message.length <= 140)
  t.ok(message.isWellFormed())
  t.match(message, /… espera una respuesta$/)
})

t.test('every kind of content is stored completely', async t => {
  const stage = await anInbox()
  const bodies = [
    { type: 'location', text: 'Philz', content: { location: { latitude: -34.6, longitude: -58.4, name: 'Philz' } } },
    {
      type: 'contacts',
      text: 'Bárbara',
      content: { contacts: [{ name: 'Bárbara', phones: ['+5491155550829'], emails: [] }] },
    },
    { type: 'choice', text: 'Cambiar', content: { choice: { kind: 'button', id: 'x', title: 'Cambiar' } } },
    { type: 'form', text: 'flow', content: { form: { name: 'flow', fields: [{ key: 'a', value: 'b' }] } } },
    {
      type: 'order',
      text: '',
      content: { order: { catalogId: '1', items: [{ sku: 's', quantity: 2, price: 3, currency: 'ARS' }] } },
    },
    {
      type: 'text',
      text: 'Vi el aviso',
      content: { referral: { sourceType: 'ad', sourceId: '1', url: null, headline: 'Promo', body: null } },
    },
    { type: 'text', text: 'reenviado', content: { forwarded: true } },
    { type: 'welcome', text: '' },
    { type: 'unsupported', text: '', content: { raw: '{"type":"poll"}' } },
    { type: 'unknown', text: '', content: { raw: '{"type":"hologram"}' } },
  ] as const
  const at = (i: number) => new Date(Date.UTC(2026, 10, 20, 12, 0, i)).toISOString()
  await stage.apply(...bodies.map((body, i) => aMessage({ at: at(i), body: structuredClone(body) as never })))
  const items = await thread(stage)
  t.strictSame(
    items.map(item => item.type),
    bodies.map(body => body.type),
  )
  for (const [i, body] of bodies.entries())
    t.match(items[i], { text: body.text, ...('content' in body ? body.content : {}) })
})

t.test('a file is listed at once as pending and is queued for download', async t => {
  const stage = await anInbox()
  const body = {
    type: 'document',
    text: 'el recibo',
    media: { providerId: '77', mime: 'application/pdf', name: 'recibo.pdf', sha256: 'ab' },
  } as const
  await stage.apply(aMessage({ body: { ...body } }))
  const [message] = await thread(stage)
  t.match(message?.media, { mime: 'application/pdf', name: 'recibo.pdf', size: null, state: 'pending' })
  const [row] = await stage.databases.read.selectFrom('media').selectAll().execute()
  t.match(row, { provider_id: '77', state: 'pending', sha256: 'ab' })
  t.equal(message?.media?.url, `/api/whatsapp/media/${row?.id}`)
})

t.test('the image of an advertisement is downloaded and shown with it, and is not a file of the message', async t => {
  const stage = await anInbox()
  await stage.connect(undefined, { kind: 'cloud' })
  const referral = { sourceType: 'ad', sourceId: '1', url: null, headline: 'Promo', body: null }
  const picture = 'https://scontent.example/aviso.jpg'
  await stage.apply(aMessage({ body: { ...text('Vi el aviso'), content: { referral: { ...referral, picture } } } }))
  const [shown] = await thread(stage)
  t.match(shown?.referral, { picture, file: { state: 'pending' } })
  t.equal(shown?.media, undefined)
  t.match(await stage.databases.read.selectFrom('media').select('provider_id').execute(), [
    { provider_id: linkedFile(picture) },
  ])
})

t.test('a late message takes its place in time and does not become the last message', async t => {
  const stage = await anInbox()
  await stage.apply(aMessage({ words: 'segundo', at: '2026-11-20T12:59:10.000Z' }))
  await stage.apply(aMessage({ words: 'primero', at: '2026-11-20T12:59:05.000Z' }))
  t.strictSame(
    (await thread(stage)).map(message => message.text),
    ['primero', 'segundo'],
  )
  t.match(await list(stage), [
    { unread: 2, lastMessage: { text: 'segundo' }, windowClosesAt: '2026-11-21T12:59:10.000Z' },
  ])
})

t.test('a message unarchives its conversation', async t => {
  const stage = await anInbox()
  await stage.apply(aMessage())
  await stage.inbox.archiveChat(stage.ana.member, { body: { phoneNumber: phone } })
  t.strictSame(await list(stage), [])
  await stage.apply(aMessage({ at: '2026-11-20T12:59:30.000Z' }))
  t.match(await list(stage), [{ archived: false, unread: 2, control: 'needsHuman' }])
})

t.test('a message typed on the phone counts as ours, takes the conversation and ends the wait', async t => {
  const stage = await anInbox()
  await stage.apply(aMessage())
  const drafts = await stage.apply(anEcho({ words: 'Sí, a las 10' }))
  t.strictSame(types(drafts), ['message', 'human.claimed', 'internal'])
  const messages = await thread(stage)
  t.match(messages[1], { text: 'Sí, a las 10', direction: 'out', status: 'sent', author: { kind: 'phone' } })
  t.match(await list(stage), [{ control: 'human', unread: 1 }])
  await stage.apply(aStatus({ wamid: messages[1]?.wamid as string, status: 'read' }))
  t.equal((await thread(stage))[1]?.status, 'read')
})

t.test('a phone’s history is imported without notifications', async t => {
  const stage = await anInbox()
  const drafts = await stage.apply(
    aMessage({ past: true, opensWindow: false, at: '2026-10-01T12:00:00.000Z' }),
    anEcho({ past: true, status: 'read', at: '2026-10-01T12:01:00.000Z' }),
  )
  t.strictSame(types(drafts), ['message', 'message'])
  t.match(await list(stage), [{ unread: 0, windowClosesAt: null, lastMessage: { status: 'read' } }])
  t.match(types(await stage.apply(aMessage())), ['message', 'human'], 'a live message then calls')
})

t.test('a missing history file is a placeholder, which the file replaces if it comes', async t => {
  const stage = await anInbox()
  const place = { type: 'unsupported', text: '', content: { withheld: 'pastFile' } } as const
  const file = { type: 'image', text: 'la vitrina', media: { providerId: '5', mime: 'image/jpeg' } } as const
  const past = { past: true, opensWindow: false, at: '2026-10-01T12:00:00.000Z' } as const
  const theirs = aMessage({ ...past, wamid: 'wamid.theirs', body: place })
  const ours = anEcho({ past: true, at: '2026-10-01T12:01:00.000Z', wamid: 'wamid.ours', body: place })
  const never = aMessage({ ...past, wamid: 'wamid.never', at: '2026-10-01T11:00:00.000Z', body: place })
  await stage.apply(theirs, ours, never)
  t.match(
    (await thread(stage)).map(({ type, withheld, direction }) => [type, withheld, direction]),
    [
      ['unsupported', 'pastFile', 'in'],
      ['unsupported', 'pastFile', 'in'],
      ['unsupported', 'pastFile', 'out'],
    ],
  )
  const drafts = await stage.apply({ ...theirs, body: file }, { ...ours, body: { ...file, text: 'la nuestra' } })
  t.strictSame(
    types(drafts),
    ['messageChanged', 'messageChanged', 'conversation'],
    'open pages hear of both, and of the row',
  )
  const [left, came, sent] = await thread(stage)
  t.match(left, { type: 'unsupported', withheld: 'pastFile' }, 'what never comes is no hole')
  t.match(came, { type: 'image', text: 'la vitrina', media: { state: 'pending' }, at: theirs.at })
  t.equal(came?.withheld, undefined)
  t.match(sent, { type: 'image', text: 'la nuestra', direction: 'out', media: { state: 'pending' } })
  t.match((await list(stage))[0], { unread: 0, lastMessage: { type: 'image', text: 'la nuestra' } })
  await stage.apply({ ...theirs, body: place }, { ...theirs, body: { ...file, text: 'otra' } })
  t.match((await thread(stage))[1], { type: 'image', text: 'la vitrina' }, 'told again it stays')
  const next = { ...past, wamid: 'wamid.next', at: '2026-10-01T13:00:00.000Z' } as const
  await stage.apply(aMessage({ ...next, body: place }), aMessage({ ...next, body: file }))
  t.match((await thread(stage)).at(-1), { type: 'image', media: { state: 'pending' } }, 'both in one webhook')
})

t.test('a reaction is shown on its message, replaced and removed', async t => {
  const stage = await anInbox()
  const message = aMessage()
  await stage.apply(message)
  const targetWamid = message.wamid
  t.strictSame(types(await stage.apply(aReaction({ targetWamid }))), ['messageChanged'])
  t.match((await thread(stage))[0]?.reactions, [{ emoji: '👍', by: 'contact' }])
  await stage.apply(aReaction({ targetWamid, emoji: '❤️', at: '2026-11-20T12:59:50.000Z' }))
  t.match((await thread(stage))[0]?.reactions, [{ emoji: '❤️' }])
  await stage.apply(aReaction({ targetWamid, emoji: null, at: '2026-11-20T12:59:55.000Z' }))
  t.equal((await thread(stage))[0]?.reactions, undefined)
  t.strictSame(await stage.apply(aReaction({ targetWamid, emoji: '❤️', at: '2026-11-20T12:59:50.000Z' })), [])
  t.equal((await thread(stage))[0]?.reactions, undefined, 'an older one that comes again stays taken back')
})

t.test('a reaction opens the window if Meta says so, and creates no contact', async t => {
  const stage = await anInbox()
  const message = aMessage()
  await stage.apply(message)
  await stage.apply(aReaction({ targetWamid: message.wamid, opensWindow: true, at: '2026-11-20T12:59:58.000Z' }))
  t.equal((await list(stage))[0]?.windowClosesAt, '2026-11-21T12:59:58.000Z')
  await stage.apply(aReaction({ targetWamid: 'wamid.none', opensWindow: true, sender: { waId: '5491100000000' } }))
  t.equal((await list(stage)).length, 1)
})

t.test(
  'a reaction as the only answer moves the conversation, counts as unread and notifies; a repetition does nothing',
  async t => {
    const stage = await anInbox()
    const message = aMessage()
    await stage.apply(message)
    await stage.inbox.archiveChat(stage.ana.member, { body: { phoneNumber: phone } })
    await stage.inbox.markRead(stage.ana.member, { params: { phone } })
    stage.clock.advance(61_000)
    const reaction = aReaction({ targetWamid: message.wamid, opensWindow: true, at: '2026-11-20T13:01:00.000Z' })
    t.ok(types(await stage.apply(reaction)).includes('human'))
    const row = { archived: false, unread: 1, control: 'needsHuman', lastMessage: { type: 'reaction', text: '👍' } }
    t.match(await list(stage), [row])
    await stage.apply(reaction)
    t.match(await list(stage), [row])
    await stage.apply(aReaction({ targetWamid: message.wamid, emoji: null, at: '2026-11-20T13:02:00.000Z' }))
    t.equal((await list(stage))[0]?.unread, 1, 'taken back it is no news')
  },
)

t.test('the assignee is notified of a reaction', async t => {
  const stage = await anInbox()
  const message = aMessage()
  await stage.apply(message)
  await stage.inbox.assignChat(stage.ana.member, { params: { phone }, body: { userId: stage.ana.user.id } })
  await stage.parts.services.notifications.markSeenAt(stage.ana.member, { body: { redirect: `/${phone}` } })
  stage.notices.length = 0
  await stage.apply(aReaction({ targetWamid: message.wamid, opensWindow: true, at: '2026-11-20T13:00:00.000Z' }))
  t.match(stage.notices, [{ userId: stage.ana.user.id, message: 'Lucía Méndez reaccionó con 👍' }])
})

t.test('a missed call is in the thread, moves the conversation and counts as unread', async t => {
  const stage = await anInbox()
  await stage.apply(aMessage({ body: { type: 'call', text: '', content: { call: { outcome: 'missed' } } } }))
  t.match(await thread(stage), [{ type: 'call', call: { outcome: 'missed' }, direction: 'in' }])
  t.match(await list(stage), [{ unread: 1, control: 'needsHuman', lastMessage: { type: 'call' } }])
})

t.test('an unknown sender, or one without a number, has a conversation with an address of its own', async t => {
  const stage = await anInbox()
  await stage.apply(
    aMessage({
      words: 'sin remitente',
      sender: { other: 'unknown 88', profileName: 'Desconocido 88' },
      opensWindow: false,
    }),
    aMessage({ words: 'con usuario', sender: { username: 'kim.fisher' } }),
    aMessage({ words: 'corto', sender: { waId: '16505' } }),
  )
  const rows = await list(stage)
  t.strictSame(
    rows.map(({ unread }) => unread),
    [1, 1, 1],
  )
  for (const row of rows) {
    const address = addressOfConversation(row)
    t.equal(address, row.id)
    t.equal((await thread(stage, address))[0]?.text, row.lastMessage?.text)
  }
  await stage.apply(aMessage({ words: 'otra vez', sender: { other: 'unknown 88' }, opensWindow: false }))
  t.equal((await list(stage)).length, 3, 'the same one again')
})

t.test('a group’s messages are separate from what its participants write directly', async t => {
  const stage = await anInbox()
  const sender = { other: 'group g1', profileName: 'Grupo g1' }
  const body = { type: 'text', text: 'a todos', content: { group: { from: 'Lucía Méndez' } } } as const
  await stage.apply(aMessage({ words: 'a ustedes' }), aMessage({ sender, body, groupId: 'g1', opensWindow: false }))
  t.strictSame(
    (await thread(stage)).map(message => message.text),
    ['a ustedes'],
  )
  const group = (await list(stage)).find(row => row.name === 'Grupo g1')
  t.match(group, { windowClosesAt: null, phone: '', group: true })
  t.match(await thread(stage, group?.id), [{ text: 'a todos', group: { from: 'Lucía Méndez' } }])
})

t.test('an update that arrives before its message waits for it', async t => {
  const stage = await anInbox()
  const message = aMessage()
  const targetWamid = message.wamid
  await stage.apply(aReaction({ targetWamid }), anEdit({ targetWamid, text: 'mejor a las 11' }))
  t.equal((await stage.databases.read.selectFrom('pending_effect').selectAll().execute()).length, 2)
  await stage.apply(message)
  t.match(await thread(stage), [
    { text: 'mejor a las 11', editedAt: '2026-11-20T12:59:41.000Z', reactions: [{ emoji: '👍' }] },
  ])
  t.strictSame(await stage.databases.read.selectFrom('pending_effect').selectAll().execute(), [])
})

t.test('an update that waited a week for its message is deleted', async t => {
  const stage = await anInbox()
  await stage.apply(aReaction({ targetWamid: 'wamid.never' }))
  stage.clock.advance(9 * 24 * 3600 * 1000)
  await stage.apply(aReaction({ targetWamid: 'wamid.other' }))
  const rows = await stage.databases.read.selectFrom('pending_effect').select('wamid').execute()
  t.strictSame(rows, [{ wamid: 'wamid.other' }])
})

t.test('an edit changes the list preview, and the latest edit wins', async t => {
  const stage = await anInbox()
  const message = aMessage()
  await stage.apply(message)
  const targetWamid = message.wamid
  const drafts = await stage.apply(anEdit({ targetWamid, text: 'b', at: '2026-11-20T13:00:02.000Z' }))
  t.strictSame(types(drafts), ['messageChanged', 'conversation'])
  await stage.apply(anEdit({ targetWamid, text: 'a', at: '2026-11-20T13:00:01.000Z' }))
  t.equal((await thread(stage))[0]?.text, 'b')
  t.equal((await list(stage))[0]?.lastMessage?.text, 'b')
})

t.test('the preview of an edited last message has its new text and kind', async t => {
  const stage = await anInbox()
  const message = aMessage({ words: 'sumá dos' })
  await stage.apply(message)
  await stage.apply(anEdit({ targetWamid: message.wamid, text: 'sumá tres' }))
  t.match((await list(stage))[0]?.lastMessage, { text: 'sumá tres', type: 'text' })
})

t.test('only the sender of a message can edit or delete it', async t => {
  const stage = await anInbox()
  const message = aMessage({ words: 'mío' })
  const ours = anEcho({ words: 'nuestro' })
  await stage.apply(message, ours)
  const stranger = { waId: '5491166667777' }
  await stage.apply(
    anEdit({ targetWamid: message.wamid, text: 'de otro', sender: stranger }),
    aRevoke({ targetWamid: message.wamid, sender: stranger }),
    anEdit({ targetWamid: message.wamid, text: 'de nosotros', fromUs: true }),
    anEdit({ targetWamid: ours.wamid, text: 'del cliente' }),
    aRevoke({ targetWamid: ours.wamid }),
  )
  t.strictSame(
    (await thread(stage)).map(({ text, editedAt, revokedAt }) => [text, editedAt, revokedAt]),
    [
      ['mío', undefined, undefined],
      ['nuestro', undefined, undefined],
    ],
  )
  await stage.apply(
    anEdit({ targetWamid: message.wamid, text: 'mío, corregido', sender: { waId: '541155551234' } }),
    anEdit({ targetWamid: ours.wamid, text: 'nuestro, corregido', fromUs: true }),
  )
  t.strictSame(
    (await thread(stage)).map(({ text }) => text),
    ['mío, corregido', 'nuestro, corregido'],
  )
})

t.test('a deleted message keeps only the fact, and no edit restores it', async t => {
  const stage = await anInbox()
  const message = aMessage({ body: { ...text('secreto'), media: { providerId: '1', mime: 'image/png' } } })
  await stage.apply(message)
  await stage.apply(aRevoke({ targetWamid: message.wamid }))
  await stage.apply(anEdit({ targetWamid: message.wamid, text: 'secreto 2', at: '2026-11-20T13:00:00.000Z' }))
  const [shown] = await thread(stage)
  t.match(shown, { text: '', revokedAt: '2026-11-20T12:59:42.000Z' })
  t.equal(shown?.media, undefined)
  t.match((await list(stage))[0]?.lastMessage, { text: '', type: 'revoked' }, 'the row says so whatever it was')
})

t.test('a reply shows the quoted message, never one of another conversation', async t => {
  const stage = await anInbox()
  const other = aMessage({ sender: { waId: '5491166667777' }, words: 'ajeno' })
  const own = aMessage({ words: 'propio', at: '2026-11-20T12:58:00.000Z' })
  await stage.apply(other, own)
  await stage.apply(
    aMessage({ replyToWamid: own.wamid, at: '2026-11-20T12:59:01.000Z' }),
    aMessage({ replyToWamid: other.wamid, at: '2026-11-20T12:59:02.000Z' }),
    aMessage({ replyToWamid: 'wamid.unknown', at: '2026-11-20T12:59:03.000Z' }),
  )
  const [, a, b, c] = await thread(stage)
  t.match(a?.replyTo, { wamid: own.wamid, text: 'propio', direction: 'in' })
  t.strictSame(b?.replyTo, { wamid: other.wamid, id: null, text: null, direction: null })
  t.strictSame(c?.replyTo, { wamid: 'wamid.unknown', id: null, text: null, direction: null })
})

t.test('a changed number leaves a notice that does not count as unread', async t => {
  const stage = await anInbox()
  await stage.apply(aMessage())
  const item = anIdentity({ previous: { waId: phone }, current: { waId: '5491166667777' }, wamid: undefined })
  await stage.apply(item, item)
  await stage.apply(item)
  const messages = await thread(stage, '5491166667777')
  t.match(
    messages.map(message => message.type),
    ['text', 'system'],
  )
  t.match(messages[1]?.news, { kind: 'number', from: phone, to: '5491166667777' })
  t.match(await list(stage), [{ phone: '5491166667777', unread: 1, lastMessage: { type: 'text' } }])
})

t.test('a notice that is the last message has the same preview in its event and in the list', async t => {
  const stage = await anInbox()
  const body = { type: 'system' as const, text: 'Ana changed phones', content: { news: { kind: 'identity' as const } } }
  await stage.apply(aMessage())
  const drafts = await stage.apply(aMessage({ body, at: '2026-11-20T12:59:30.000Z', opensWindow: false }))
  const notice = { lastMessage: { type: 'system', news: { kind: 'identity' } } }
  t.match(await list(stage), [notice])
  t.match(drafts[0]?.data, { conversation: notice })
  await stage.apply(aMessage({ at: '2026-11-20T12:59:40.000Z' }))
  t.equal((await list(stage))[0]?.lastMessage?.news, undefined)
})

t.test('management updates and unknown items change nothing', async t => {
  const stage = await anInbox()
  const scope = { wabaId: '1', phoneNumberId: '2' }
  t.strictSame(
    await stage.apply(
      { ...scope, kind: 'management', field: 'account_update', value: {} },
      { ...scope, kind: 'unknown', field: 'x', raw: '{}' },
    ),
    [],
  )
  t.strictSame(await stage.apply(), [])
})

t.test('a long message is cut in the list and complete in the thread', async t => {
  const stage = await anInbox()
  const words = '😀'.repeat(1000)
  await stage.apply(aMessage({ words }))
  const preview = (await list(stage))[0]?.lastMessage?.text as string
  t.ok(preview.length <= 280 && preview.isWellFormed() && preview.endsWith('…'))
  t.equal((await thread(stage))[0]?.text, words)
})

t.test('a batch larger than any prepared statement is stored completely and in order', async t => {
  const stage = await anInbox()
  const at = (i: number) => new Date(Date.UTC(2026, 10, 20, 12, 0, 0, i)).toISOString()
  const items = Array.from({ length: 331 }, (_, i) => aMessage({ wamid: aWamid(), at: at(i), words: String(i) }))
  await stage.apply(...items)
  const page = await stage.inbox.listMessages(stage.ana.member, { params: { phone }, query: { page: 7 } })
  t.equal(page.hasMore, false)
  t.strictSame(
    page.items.map(message => message.text),
    Array.from({ length: 31 }, (_, i) => String(i)),
  )
  t.equal((await list(stage))[0]?.unread, 331)
})

t.test('a message repeated with another sender changes nothing, and the simulated time can still be moved', async t => {
  const stage = await anInbox()
  const message = aMessage()
  await stage.apply(message)
  await stage.apply({ ...message, sender: { waId: '5491155559999' } })
  await stage.write(async write => {
    const [number] = await listOwnNumbers(write.db, write.orgId)
    await ageSimulated({ run: work => work(write) }, number?.id ?? '', 1000)
  })
  t.strictSame(
    (await stage.databases.read.selectFrom('conversation').select('last_activity_at').execute()).filter(row =>
      Number.isNaN(Date.parse(row.last_activity_at)),
    ),
    [],
  )
  t.equal((await thread(stage)).length, 1)
})
