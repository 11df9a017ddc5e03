/** A removed member receives nothing of what happens afterwards. */
import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'

const backend = await startBackend(t)
const { databases } = backend
const owner = await aMember({ databases, role: 'owner' })

t.test('a removed member receives nothing after the row is deleted', async t => {
  const member = await aMember({ databases, org: owner.org, role: 'member' } as never)
  t.equal(member.org.id, owner.org.id)
  const heard: string[] = []
  let isEnded = false
  backend.parts.live.subscribe(
    { orgId: member.org.id, userId: member.user.id, sessionId: member.person.sessionId, role: 'member' },
    {
      pending: 0,
      write: chunk => void heard.push(chunk.body.toString()),
      drained: async () => {},
      end: () => {
        isEnded = true
      },
      destroy: () => {
        isEnded = true
      },
    },
  )
  const turn = () => new Promise(resolve => setImmediate(resolve))
  for (let i = 0; i < 20; i += 1) await turn()
  const row = () =>
    databases.raw.read
      .prepare('select id from member where organizationId = ? and userId = ?')
      .get(owner.org.id, member.user.id) as { id: string } | undefined
  const atDeletion: boolean[] = []
  databases.raw.write.function('member_goes', () => {
    atDeletion.push(isEnded)
    return null
  })
  databases.raw.write.exec(
    'create temp trigger member_goes before delete on main.member begin select member_goes(); end',
  )
  const answer = await backend.inject({
    method: 'POST',
    url: '/api/auth/organization/remove-member',
    headers: { cookie: owner.cookie, origin: 'http://localhost:3000' },
    payload: { memberIdOrEmail: row()?.id, organizationId: owner.org.id },
  })
  t.equal(answer.statusCode, 200)
  t.same(atDeletion, [true], 'the stream ends when the row is deleted, not when the call is answered')
  t.match(heard.join(''), /notMember/)
})
