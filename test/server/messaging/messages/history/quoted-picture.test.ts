import t from 'tap'
import type { Message } from '#shared/inbox/messages.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { pixel } from '#test/helpers/neighbours.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const customer = '5491155550101'

t.test('a quoted image is shown with its file, a quoted text with its words only', async t => {
  const backend = await startBackend(t)
  const owner = await aMember({ databases: backend.databases })
  const call = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const headers = { cookie: owner.cookie }
    const reply = await backend.inject({ method, url: `/api${path}`, headers, ...(body ? { payload: body } : {}) })
    return reply.json()
  }
  const thread = async (): Promise<Message[]> => {
    await backend.settle()
    return (await call('GET', `/whatsapp/chats/${customer}`)).items
  }
  await call('POST', '/whatsapp/connection/sandbox')
  await call('POST', '/sandbox/inbound', { from: customer, name: 'Lucía', text: 'Hola' })
  await call('POST', '/sandbox/inbound', { from: customer, type: 'image', caption: 'La torta', dataBase64: pixel })
  const before = await thread()
  const [text, picture] = ['text', 'image'].map(type => before.find(one => one.type === type) as Message)
  for (const [message, replyToMessageId] of [
    ['¡Qué linda!', picture?.id],
    ['Hola, Lucía', text?.id],
  ])
    await call('POST', '/whatsapp/messages', { message, numberTel: customer, replyToMessageId })
  const after = await thread()
  const quoteOf = (said: string) => after.find(one => one.text === said)?.replyTo
  t.match(quoteOf('¡Qué linda!'), { type: 'image', text: 'La torta', picture: picture?.media?.url })
  t.equal(quoteOf('Hola, Lucía')?.picture, undefined)
  t.equal(quoteOf('Hola, Lucía')?.by, undefined, 'the customer is named by the chat')
  const replyToWamid = after.find(one => one.text === 'Hola, Lucía')?.wamid
  await call('POST', '/sandbox/inbound', { from: customer, text: '¿Quién habla?', replyToWamid })
  const last = await thread()
  t.match(last.find(one => one.text === '¿Quién habla?')?.replyTo, { direction: 'out', by: owner.user.name })
  t.same(backend.errors(), [])
})
