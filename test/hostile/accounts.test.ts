/** What administrators, impersonators and people with odd names must not be able to do. */
import t from 'tap'
import { invitationLetter } from '#server/identity/mail/letters.ts'
import { asWords } from '#server/platform/mail/as-words.ts'
import { createServerI18n } from '#server/platform/text/i18n.ts'
import { aMember, aPerson } from '#test/helpers/actors.ts'
import { anInstallation, cookieOf } from '#test/helpers/sign-in.ts'

t.test('an administrator who impersonates an owner can delete neither organization nor account', async t => {
  const { post, databases, letters, end } = await anInstallation()
  t.teardown(end)
  const owner = await aMember({ databases, role: 'owner' })
  const site = await aPerson({ databases, siteRole: 'admin' })
  const borrowed = await post('/admin/impersonate-user', { userId: owner.user.id }, { cookie: site.cookie })
  t.equal(borrowed.statusCode, 200)
  const headers = { cookie: cookieOf(borrowed), 'accept-language': 'es' }
  for (const [path, body] of [
    ['/organization/delete', { organizationId: owner.org.id }],
    ['/delete-user', {}],
  ] as const) {
    const refused = await post(path, body, headers)
    t.match([refused.statusCode, refused.json().code], [403, 'AUTH_NOT_WHILE_IMPERSONATING'], path)
    t.match(refused.json().message, /como otra persona/)
  }
  const row = await databases.read.selectFrom('organization').select('deleted_at').executeTakeFirstOrThrow()
  t.equal(row.deleted_at, null)
  t.same(letters(), [])
  const own = await post('/organization/delete', { organizationId: owner.org.id }, { cookie: owner.cookie })
  t.equal(own.statusCode, 200, 'the owner may')
})

t.test('no account can have a picture that could run', async t => {
  const { post, databases, end } = await anInstallation()
  t.teardown(end)
  const site = await aPerson({ databases, siteRole: 'admin' })
  for (const image of ['javascript:alert(1)', 'data:text/html,x', '//evil.example/x.png', 'https://a b', 1, {}]) {
    const body = { email: 'new@example.com', name: 'New', data: { image } }
    const reply = await post('/admin/create-user', body, { cookie: site.cookie })
    t.equal(reply.statusCode, 400, JSON.stringify(image))
    const changed = await post('/update-user', { image }, { cookie: site.cookie })
    t.equal(changed.statusCode, 400, JSON.stringify(image))
  }
  const users = await databases.read.selectFrom('user').select(['email', 'image']).execute()
  t.same(users, [{ email: site.user.email, image: null }])
})

t.test('names in mails are plain words that no mail program turns into links', async t => {
  for (const [name, words] of [
    ['Ganaste: https://evil.example/x', 'Ganaste: https evil example/x'],
    ['escribí a robo@evil.example', 'escribí a robo evil example'],
    ['evil。example', 'evil example'],
    ['entrá en 203.0.113.9', 'entrá en 203 0 113 9'],
    ['Uno\r\nBcc: dos', 'Uno Bcc: dos'],
    ['Panadería Don Luis S.A.', 'Panadería Don Luis S.A.'],
    ['Dra. Gómez & hijos', 'Dra. Gómez & hijos'],
  ] as const)
    t.equal(asWords(name), words)
  const facts = { to: 'x@example.com', link: 'https://recado.example/i', days: 7 }
  for (const language of ['es', 'en'] as const) {
    const letter = invitationLetter(createServerI18n().translator(language), {
      ...facts,
      org: 'www.evil.example',
      inviter: 'https://evil.example',
    })
    for (const part of [letter.subject, letter.text, letter.html]) t.notMatch(part, 'evil.example', language)
    t.match(letter.text, facts.link)
  }
})

t.test('a person who leaves loses the streams, and keeps the sessions', async t => {
  const dropped: string[] = []
  const streams = {
    dropUser: (userId: string, sessionId?: string) => void dropped.push(`user ${userId} ${sessionId ?? 'all'}`),
    dropMember: (orgId: string, userId: string) => void dropped.push(`member ${orgId} ${userId}`),
  }
  const { post, databases, auth, end } = await anInstallation({ streams })
  t.teardown(end)
  const owner = await aMember({ databases, role: 'owner' })
  const organizationId = owner.org.id
  for (const path of ['remove-member', 'leave', 'update-member-role'] as const) {
    const beto = await aMember({ databases, role: 'member', org: owner.org })
    const { id: memberId } = await databases.read
      .selectFrom('member')
      .select('id')
      .where('userId', '=', beto.user.id)
      .executeTakeFirstOrThrow()
    const by = path === 'leave' ? beto : owner
    const body = { organizationId, memberIdOrEmail: beto.user.email, memberId, role: 'developer' }
    t.equal((await post(`/organization/${path}`, body, { cookie: by.cookie })).statusCode, 200, path)
    const isGone = path !== 'update-member-role'
    t.same([...new Set(dropped.splice(0))], isGone ? [`member ${organizationId} ${beto.user.id}`] : [], path)
    t.ok(await auth.personOf({ cookie: beto.cookie }), 'still signed in')
    if (isGone) continue
    const billing = { organizationId, memberId, role: 'billing' }
    t.equal((await post('/organization/update-member-role', billing, { cookie: owner.cookie })).statusCode, 200)
    t.same(
      [...new Set(dropped.splice(0))],
      [`member ${organizationId} ${beto.user.id}`],
      'members who may not read chats are not affected',
    )
  }
  const site = await aPerson({ databases, siteRole: 'admin' })
  const carla = await aPerson({ databases })
  await post('/sign-out', {}, { cookie: carla.cookie })
  t.same(dropped.splice(0), [`user ${carla.user.id} ${carla.person.sessionId}`])
  await post('/admin/ban-user', { userId: carla.user.id }, { cookie: site.cookie })
  t.same(dropped.splice(0), [`user ${carla.user.id} all`])
})
