/** WhatsApp's copies of files that template headers refer to. */
import t from 'tap'
import { createMessageFile } from '#server/messaging/outbox/message-file.ts'
import { WhatsAppError } from '#server/whatsapp/provider.ts'
import type { OutboundMessage } from '#shared/inbox/message-kinds.ts'

const content = {
  type: 'template',
  template: {
    components: [{ type: 'header', parameters: [{ type: 'image', image: { link: 'media:f1' } }] }],
  },
} as unknown as OutboundMessage
const message = { content, connectionId: 'c1', conversationId: 'v1' }

const aWay = () => {
  const asked = { listed: 0, copied: 0 }
  let failure: Error | undefined
  const files = createMessageFile({
    log: { error: () => undefined } as never,
    uploads: {
      ensure: async () => Promise.reject(new Error('no file of its own')),
      forget: async () => undefined,
      ensureShared: async () => {
        if (failure) throw failure
        asked.copied += 1
        return { providerId: `p${asked.copied}`, isFresh: true }
      },
      forgetShared: async () => undefined,
    },
    headerFiles: {
      idOf: link => /^media:(.*)$/.exec(link)?.[1],
      list: async (_orgId, ids) => {
        asked.listed += 1
        return new Map(ids.map(id => [id, { id, mime: 'image/png', sha256: 's', path: 'p', name: null }]))
      },
      markSent: async () => undefined,
    },
  })
  const next = () => files.of({} as never, 'org', message, new AbortController().signal)
  const fail = (error: Error | undefined) => {
    failure = error
  }
  return { asked, files, next, fail }
}

const imageOf = (ready: unknown) =>
  (ready as { content: { template: { components: { parameters: { image: object }[] }[] } } }).content.template
    .components[0]?.parameters[0]?.image

t.test('many messages with one file cause one upload', async t => {
  const { asked, next } = aWay()
  for (let i = 0; i < 50; i += 1) t.same(imageOf(await next()), { id: 'p1' })
  t.same(asked, { listed: 1, copied: 1 })
})

t.test('concurrent callers wait for the same copy', async t => {
  const { asked, next } = aWay()
  const ready = await Promise.all(Array.from({ length: 50 }, next))
  t.same(ready.map(imageOf), Array(50).fill({ id: 'p1' }))
  t.same(asked, { listed: 1, copied: 1 })
})

t.test('a copy that WhatsApp lost is made again, unless it was made for this very message', async t => {
  const { asked, files, next } = aWay()
  const lost = new WhatsAppError({ code: '131053', retry: 'never', message: 'lost' })
  const first = await next()
  if (first instanceof WhatsAppError) throw first
  t.equal(await files.forgetLostUploads('org', message, first, lost), false)
  const second = await next()
  if (second instanceof WhatsAppError) throw second
  t.equal(await files.forgetLostUploads('org', message, second, lost), true)
  t.same(imageOf(await next()), { id: 'p2' })
  t.equal(asked.copied, 2)
})

t.test('of many messages that find a copy lost, the first makes another and the others wait for it', async t => {
  const { asked, files, next } = aWay()
  const lost = new WhatsAppError({ code: '131053', retry: 'never', message: 'lost' })
  await next()
  const sent = await Promise.all(Array.from({ length: 50 }, next))
  const again = sent.map(async ready => {
    if (ready instanceof WhatsAppError) throw ready
    t.ok(await files.forgetLostUploads('org', message, ready, lost))
    return imageOf(await next())
  })
  t.same(await Promise.all(again), Array(50).fill({ id: 'p2' }))
  t.equal(asked.copied, 2)
})

t.test('a failed preparation is retried by the next message', async t => {
  const { next, fail } = aWay()
  const refusal = new WhatsAppError({ code: 'NETWORK', retry: 'quick', message: 'away' })
  fail(refusal)
  t.equal(await next(), refusal)
  fail(undefined)
  t.same(imageOf(await next()), { id: 'p1' })
})
