import t from 'tap'
import { aMember, aPerson } from '#test/helpers/actors.ts'
import { anInstallation } from '#test/helpers/sign-in.ts'

const tokenIn = (letter: string | undefined) =>
  /delete-account\?token=3?D?([a-z0-9]+)/.exec(letter?.replace(/=\r?\n/g, '') ?? '')?.[1]
const exists = async (databases: Awaited<ReturnType<typeof anInstallation>>['databases'], id: string) =>
  (await databases.read.selectFrom('user').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

t.test(
  'a deletion request mails a link and deletes nothing; confirming it deletes the person and every session',
  async t => {
    const { databases, post, letters, end } = await anInstallation()
    t.teardown(end)
    const bea = await aPerson({ databases, email: 'bea@example.com' })
    const headers = { cookie: bea.cookie }
    t.equal((await post('/delete-user', { callbackURL: '/login' }, headers)).statusCode, 200)
    t.ok(await exists(databases, bea.user.id))
    const token = tokenIn(letters().at(-1))
    t.ok(token, 'the letter has a link')
    t.match(letters().at(-1), /To: bea@example\.com/)

    t.equal((await post('/delete-user', { token }, headers)).statusCode, 200)
    t.notOk(await exists(databases, bea.user.id))
    t.same(await databases.read.selectFrom('session').select('id').where('userId', '=', bea.user.id).execute(), [])
    t.equal((await post('/delete-user', { token }, headers)).statusCode, 401, 'the session has ended')
  },
)

t.test('a link works once, only for the person it was mailed to, and a guessed one never', async t => {
  const { databases, post, letters, end } = await anInstallation()
  t.teardown(end)
  const bea = await aPerson({ databases, email: 'bea@example.com' })
  const eva = await aPerson({ databases, email: 'eva@example.com' })
  await post('/delete-user', {}, { cookie: bea.cookie })
  const token = tokenIn(letters().at(-1))
  const guess = await post('/delete-user', { token: 'a'.repeat(32) }, { cookie: eva.cookie })
  t.equal(guess.statusCode, 404)
  t.equal(guess.json().code, 'INVALID_TOKEN')
  t.equal((await post('/delete-user', { token }, { cookie: eva.cookie })).statusCode, 404)
  t.ok(await exists(databases, eva.user.id))
  t.ok(await exists(databases, bea.user.id))
})

t.test('nothing can be requested without a session', async t => {
  const { post, letters, end } = await anInstallation()
  t.teardown(end)
  t.equal((await post('/delete-user', { callbackURL: '/login' })).statusCode, 401)
  t.same(letters(), [])
})

t.test('the error names the organizations that would have no owner', async t => {
  const { databases, post, letters, end } = await anInstallation()
  t.teardown(end)
  const ana = await aMember({ databases, orgName: 'Panadería Don Luis', role: 'owner' })
  const headers = { cookie: ana.cookie, 'accept-language': 'es' }
  const refused = await post('/delete-user', {}, headers)
  t.equal(refused.statusCode, 409)
  t.equal(refused.json().code, 'AUTH_LAST_OWNER')
  t.match(refused.json().message, /Panadería Don Luis/)
  t.same(letters(), [])

  const bea = await aPerson({ databases })
  const join = (role: string) =>
    databases.write
      .insertInto('member')
      .values({ id: role, organizationId: ana.org.id, userId: bea.user.id, role, createdAt: new Date().toISOString() })
      .execute()
  await join('coowner')
  t.equal((await post('/delete-user', {}, headers)).statusCode, 409, 'a role with a similar name is not an owner')
  await databases.write.deleteFrom('member').where('id', '=', 'coowner').execute()
  await join('owner')
  t.equal((await post('/delete-user', {}, headers)).statusCode, 200)
})

t.test('a person who became the only owner after the request is not deleted', async t => {
  const { databases, post, letters, end } = await anInstallation()
  t.teardown(end)
  const ana = await aMember({ databases, role: 'owner' })
  const bea = await aPerson({ databases })
  await databases.write
    .insertInto('member')
    .values({
      id: 'b',
      organizationId: ana.org.id,
      userId: bea.user.id,
      role: 'owner',
      createdAt: new Date().toISOString(),
    })
    .execute()
  await post('/delete-user', {}, { cookie: ana.cookie })
  const token = tokenIn(letters().at(-1))
  await databases.write.deleteFrom('member').where('id', '=', 'b').execute()
  t.equal((await post('/delete-user', { token }, { cookie: ana.cookie })).statusCode, 409)
  t.ok(await exists(databases, ana.user.id))
})

t.test('the only site administrator cannot delete their account', async t => {
  const { databases, post, end } = await anInstallation()
  t.teardown(end)
  const ana = await aPerson({ databases, siteRole: 'admin' })
  t.equal((await post('/delete-user', {}, { cookie: ana.cookie })).json().code, 'AUTH_LAST_SITE_ADMIN')
  await aPerson({ databases, siteRole: 'admin' })
  t.equal((await post('/delete-user', {}, { cookie: ana.cookie })).statusCode, 200)
})

t.test('at most five mails are sent in an hour', async t => {
  const { databases, post, letters, end } = await anInstallation()
  t.teardown(end)
  const bea = await aPerson({ databases })
  for (let i = 0; i < 5; i++) await post('/delete-user', {}, { cookie: bea.cookie })
  const refused = await post('/delete-user', {}, { cookie: bea.cookie })
  t.equal(refused.statusCode, 429)
  t.equal(refused.json().code, 'AUTH_TOO_MANY_LETTERS')
  t.equal(letters().length, 5)
})
