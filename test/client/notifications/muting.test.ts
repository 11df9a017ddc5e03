import t from 'tap'
import { isMuted } from '#client/notifications/muting.ts'

const loud = { muted: false, quiet: null, mutedConversations: [] }
const now = '2026-11-20T13:00:00.000Z'

t.test('an organization, an hour and a conversation can be muted', async t => {
  t.equal(isMuted(loud, 'lucia', now), false)
  t.equal(isMuted({ ...loud, muted: true }, 'lucia', now), true)
  // 13:00 UTC is 10:00 in Montevideo.
  const quiet = { from: '09:00', to: '11:00', timeZone: 'America/Montevideo' }
  t.equal(isMuted({ ...loud, quiet }, 'lucia', now), true)
  t.equal(isMuted({ ...loud, quiet }, 'lucia', '2026-11-20T14:00:00.000Z'), false)
  const one = { ...loud, mutedConversations: ['lucia'] }
  t.equal(isMuted(one, 'lucia', now), true)
  t.equal(isMuted(one, 'pedro', now), false)
  t.equal(isMuted(one, undefined, now), false, 'what is about no conversation')
})
