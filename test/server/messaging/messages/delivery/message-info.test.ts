import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'

t.test('message info lists its times, each attempt, and WhatsApp’s words for a failure', async t => {
  const backend = await startBackend(t)
  const { owner, ids, headers } = await aNeighbour(backend, { orgName: 'Panadería', customer: '5491155550101' })
  const ask = (id: string, as: Record<string, string> = headers) =>
    backend.inject({ url: `/api/whatsapp/messages/${id}/info`, headers: { ...as, 'accept-language': 'es' } })

  const failed = (await ask(ids.failed)).json()
  t.match(failed, {
    id: ids.failed,
    direction: 'out',
    author: owner.user.name,
    failedAt: String,
    error: { code: '131026', message: String },
    deliveredAt: null,
    attempts: [{ startedAt: String, endedAt: String, outcome: String }],
  })
  t.notSame(failed.error.message, '')

  const message = await ask(ids.message)
  t.equal(message.statusCode, 200)
  t.match(message.json(), { failedAt: null, error: null })

  const stranger = await aMember({ databases: backend.databases, orgName: 'Ajena' })
  const foreign = await ask(ids.failed, { cookie: stranger.cookie, 'x-org-slug': stranger.org.slug })
  t.ok(foreign.statusCode >= 400, 'another organization’s is not there')
  t.notMatch(foreign.body, '131026')
  t.match((await ask('nobody')).json(), { code: 'INBOX_MESSAGE_NOT_FOUND' })
})
