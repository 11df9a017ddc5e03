import t, { type Test } from 'tap'
import { aPerson } from '#test/helpers/actors.ts'
import { anInstallation, cookieOf } from '#test/helpers/sign-in.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const good = 'tres medialunas y un cortado'

const aStage = async (t: Test) => {
  const ended: string[] = []
  const streams = { dropUser: (_user: string, id?: string) => void (id && ended.push(id)), dropMember() {} }
  const installation = await anInstallation({ streams })
  t.teardown(() => installation.end())
  const { databases, post } = installation
  const site = await aPerson({ databases, siteRole: 'admin', name: 'Sitio' })
  const ana = await aPerson({ databases, email: 'ana@example.com', name: 'Ana Benítez' })
  const ask = async (path: string, body: object, who = site) => {
    const reply = await post(`/admin/${path}`, body, { cookie: who.cookie })
    return { status: reply.statusCode, body: reply.json() }
  }
  const signIn = (username: string, password: string) => post('/sign-in/username', { username, password })
  return { ...installation, site, ana, ask, signIn, ended }
}

t.test('a site administrator sets a password; the person gets a mail and signs in with it', async t => {
  const { ana, ask, signIn, sentLetters, databases } = await aStage(t)
  const userId = ana.user.id
  t.same((await ask('set-user-password', { userId, newPassword: good })).body, { status: true })
  t.match((await sentLetters()).at(-1), /^To: ana@example\.com\r?$/m)
  t.equal((await signIn('ana', good)).statusCode, 200, 'with a username derived from the address')
  t.equal((await signIn('ana@example.com', good)).statusCode, 200)
  const other = await aPerson({ databases, email: 'ana@otra.example' })
  t.equal((await ask('set-user-password', { userId: other.user.id, newPassword: good })).status, 200)
  t.equal((await signIn('ana2', good)).statusCode, 200, 'the name is taken')
  for (const [newPassword, code] of [
    ['corta', 'AUTH_PASSWORD_SHORT'],
    ['Passer2009', 'AUTH_PASSWORD_GUESSABLE'],
    ['benitez123456', 'AUTH_PASSWORD_GUESSABLE'],
  ])
    t.match((await ask('set-user-password', { userId, newPassword })).body, {
      code,
      details: [{ field: 'body.newPassword' }],
    })
  t.equal((await ask('set-user-password', { userId: 'nobody', newPassword: good })).body.code, 'AUTH_USER_NOT_FOUND')
})

t.test('a person created with a password signs in with it', async t => {
  const { ask, signIn } = await aStage(t)
  const made = await ask('create-user', { email: 'Eva@example.com', name: 'Eva', password: good })
  t.equal(made.status, 200)
  t.notMatch(JSON.stringify(made.body), good)
  t.equal((await signIn('eva', good)).statusCode, 200)
  const weak = await ask('create-user', { email: 'luz@example.com', name: 'Luz', password: 'password123' })
  t.match(weak.body, { code: 'AUTH_PASSWORD_GUESSABLE', details: [{ field: 'body.password' }] })
  t.equal((await signIn('luz', 'password123')).statusCode, 401, 'nobody was created')
})

t.test('a person’s sessions are listed by id, without tokens, and ended one by one', async t => {
  const { ana, ask, get, ended, app } = await aStage(t)
  const { sessions } = (await ask('list-user-sessions', { userId: ana.user.id })).body
  t.match(sessions, [{ id: ana.person.sessionId, token: ana.person.sessionId, userId: ana.user.id }])
  t.notMatch(JSON.stringify(sessions), ana.token)
  const forged = await app.inject({
    url: '/api/viewer',
    headers: { cookie: `recado.session_token=${sessions[0].token}` },
  })
  t.equal(forged.statusCode, 401)
  t.same((await ask('revoke-user-session', { sessionToken: sessions[0].token })).body, { success: true })
  t.equal((await get('/get-session', { cookie: ana.cookie })).json(), null)
  t.same(ended, [ana.person.sessionId])
  t.equal((await ask('revoke-user-session', { sessionToken: sessions[0].token })).body.code, 'AUTH_SESSION_NOT_FOUND')
  t.equal((await ask('list-user-sessions', { userId: 'nobody' })).body.code, 'AUTH_USER_NOT_FOUND')
})

t.test('people who are no site administrators are refused all calls about accounts', async t => {
  const { ana, site, post } = await aStage(t)
  for (const [path, body] of [
    ['set-user-password', { userId: site.user.id, newPassword: good }],
    ['create-user', { email: 'eva@example.com', name: 'Eva', password: good }],
    ['list-user-sessions', { userId: site.user.id }],
    ['revoke-user-session', { sessionToken: site.person.sessionId }],
  ] as const) {
    t.equal((await post(`/admin/${path}`, body, { cookie: ana.cookie })).statusCode, 403, path)
    const nobody = await post(`/admin/${path}`, body)
    t.equal(nobody.statusCode, 401, path)
    t.equal(cookieOf(nobody), '')
  }
})
