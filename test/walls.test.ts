/**
 * Every address of the product, asked of the app itself: who may not, gets nothing and changes nothing. A new call is
 * walked from birth; its inputs are made from its schemas.
 */
import t, { type Test } from 'tap'
import { type ListedRoute, listRoutes } from '#server/cli/route-list.ts'
import { listAllowedRoutes } from '#server/identity/auth/calls/allowed-routes.ts'
import type { EndpointShape, Method } from '#shared/kernel/contract.ts'
import { orgRoles, roleCan } from '#shared/kernel/permissions.ts'
import { aMember, aPerson } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { connectionKeys } from '#test/helpers/connection-keys.ts'
import { addressOf, exampleOf, fieldsOf, fits, type Input } from '#test/helpers/examples.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'
import { isPlayed } from '#test/helpers/night.ts'
import { rowsOfOrg } from '#test/helpers/rows.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

type ApiCall = ListedRoute & { endpoint: EndpointShape }

/** What no contract describes. A new address of this kind says here what keeps strangers out. */
const byHand: Readonly<
  Record<string, 'public' | 'doors' | 'signed' | 'token' | 'member' | 'sealed' | 'address' | 'key'>
> = {
  'GET /healthz': 'public',
  'GET /readyz': 'public',
  // An invitation shows it to whoever is not in yet; its name cannot be guessed.
  'GET /logos/:name': 'public',
  'GET /pictures/:name': 'public',
  'GET /api/docs': 'public',
  'GET /api/docs/:page': 'public',
  'GET /api/openapi.json': 'public',
  'GET /docs': 'public',
  'GET /docs/:name': 'public',
  'GET /docs/pictures/:name': 'public',
  'GET /api/auth/*': 'doors',
  'POST /api/auth/*': 'doors',
  'GET /webhooks/whatsapp': 'signed',
  'POST /webhooks/whatsapp': 'signed',
  'GET /webhooks/whatsapp/:connectionId': 'signed',
  'POST /webhooks/whatsapp/:connectionId': 'signed',
  // A file as it is; `server/messaging/templates/routes.ts` admits by the contract's access.
  'POST /api/whatsapp/template/media': 'member',
  // Likewise; `server/features/imports/routes.ts`.
  'PUT /api/imports/:id/file': 'member',
  // At an address sealed for who prepared it; admitted anew by that call's access.
  'GET /api/whatsapp/chat-export/file': 'sealed',
  // The sealed token in the address says whom it unsubscribes; looking at it changes nothing.
  'GET /api/stats/mail/unsubscribe': 'public',
  'POST /api/stats/mail/unsubscribe': 'public',
  // Whoever knows the address of a flow begins it; the address is a secret that nobody guesses.
  'POST /hooks/:secret': 'address',
  'POST /hooks/in/:secret': 'address',
  // Refused without a key; `test/server/features/gateway` asks with those of others.
  'GET /graph/*': 'token',
  'POST /graph/*': 'token',
  'POST /graph/:version/upload::*': 'token',
  'DELETE /graph/*': 'token',
  // Only a key opens it, and its tools are calls of the API; see `test/hostile/agents.test.ts`.
  'GET /mcp': 'key',
  'POST /mcp': 'key',
  'DELETE /mcp': 'key',
  // How a program registers and gets its tokens; `test/server/identity/auth/programs` asks with those of others.
  'GET /.well-known/oauth-authorization-server': 'public',
  'GET /.well-known/oauth-protected-resource': 'public',
  'GET /.well-known/oauth-protected-resource/mcp': 'public',
  'POST /oauth/register': 'public',
  'POST /oauth/token': 'public',
  'POST /oauth/revoke': 'public',
  'GET /sandbox/graph/*': 'token',
  'POST /sandbox/graph/*': 'token',
  'DELETE /sandbox/graph/*': 'token',
}

/** What a sign-in door answers somebody who is nobody; every other door refuses. */
const openRoutes = new Set(['GET /get-session', 'POST /email-otp/send-verification-otp', 'POST /sign-out'])

const routes = await listRoutes()
const calls = routes.filter((route): route is ApiCall => route.endpoint !== undefined)
const hand = routes.filter(route => route.endpoint === undefined)

const backend = await startBackend(t)
const { databases } = backend
const victim = await aNeighbour(backend, { orgName: 'Panadería Vecina', customer: '5491155550101' })
const own = await aNeighbour(backend, { orgName: 'Taller Propio', customer: '5491155550202' })
/** Somebody with an organization where nothing has happened yet. */
const newcomer = await aMember({ databases, orgName: 'Recién Llegada' })
await backend.inject({ method: 'POST', url: '/api/whatsapp/connection/sandbox', headers: { cookie: newcomer.cookie } })
const victimOrg = victim.owner.org

const belongings = async () => {
  await backend.settle()
  return JSON.stringify(await rowsOfOrg(databases, victimOrg.id))
}
const cells = Object.entries(await rowsOfOrg(databases, victimOrg.id)).flatMap(([table, rows]) =>
  rows.flatMap(row =>
    Object.entries(row).flatMap(([column, value]) => (typeof value === 'string' ? [{ table, column, value }] : [])),
  ),
)
/** A moment or a day: everybody has it. */
/** A webhook that came for the organization. Its number is short, so it is not among the ids that answers are searched for. */
const deliveryOf = async (orgId: string): Promise<string> => {
  const row = await databases.read
    .selectFrom('webhook_journal')
    .innerJoin('wa_connection', 'wa_connection.id', 'webhook_journal.connection_id')
    .select('seq')
    .where('wa_connection.org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  return String(row.seq)
}
const isTime = /^\d{4}-\d{2}-\d{2}(?:T|$)/
/** Words that only the victim has: none may ever reach anybody else. */
const secrets = [
  ...new Set(
    cells
      .filter(({ value, table }) => value.length >= 8 && !isTime.test(value) && table !== 'sandbox_number')
      // From where everybody calls here.
      .filter(({ value }) => value !== '127.0.0.1')
      .map(({ value }) => value),
  ),
].filter(value => /Vecina/.test(value) || /^(?=.*\d)[\w.+=/-]{8,}$/.test(value))

const ask = (method: string, url: string, headers: Record<string, string>, body?: unknown) =>
  backend.inject({
    method: method as Method,
    url,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
const make = (call: ApiCall, input: Input, headers: Record<string, string>) =>
  ask(call.method, addressOf(call.url, input), headers, input.body)

const inputOf = (call: ApiCall): Input => exampleOf(call.name, call.endpoint)
const nameOf = (call: ListedRoute) => `${call.method} ${call.url}`
const as = (who: { cookie: string }, org?: string) => ({
  cookie: who.cookie,
  ...(org ? { 'x-organization': org } : {}),
})
/** Streams end for those who are refused only. */
const answers = (call: ApiCall) => call.name !== 'live.stream'
const ofAnOrganization = calls.filter(({ access }) => access !== 'anyone' && access !== 'person')

const isRefusal = (body: string, status: number) => {
  const wire = JSON.parse(body)
  return (
    wire.statusCode === status && typeof wire.code === 'string' && wire.message !== '' && wire.message !== wire.code
  )
}
const leaks = (body: string, asked: string) =>
  secrets.filter(secret => body.includes(secret) && !asked.includes(secret))

t.test('every address that no contract describes is known here', async t => {
  for (const route of hand)
    t.ok(byHand[nameOf(route)], `${nameOf(route)}: say in byHand, test/walls.test.ts, what keeps strangers out`)
})

t.test('every call has an input that fits, made from its schemas', async t => {
  for (const call of calls) t.doesNotThrow(() => inputOf(call), call.name)
})

t.test('the other organization has something worth stealing', async t => {
  t.ok(secrets.length > 40, `${secrets.length} secrets`)
  const empty = Object.entries(await rowsOfOrg(databases, victimOrg.id)).filter(([, rows]) => rows.length === 0)
  t.same(
    empty
      .map(([table]) => table)
      .filter(
        table =>
          ![
            'conversation_segment_due',
            'idempotency',
            'pending_effect',
            'reaction',
            'sandbox_fault',
            'sent_message_due',
            'sso_demand',
            'teamMember',
          ].includes(table),
      ),
    [],
    'a table without a row of the victim proves nothing: fill it in test/helpers/neighbours.ts',
  )
})

const stays = (name: string, work: (t: Test) => Promise<void>) =>
  t.test(name, async t => {
    const before = await belongings()
    await work(t)
    t.equal(await belongings(), before, 'the other organization is byte for byte as it was')
  })

stays('a stranger gets 401, with or without a cookie that is not ours', async t => {
  const [cookieName = '', value = ''] = victim.owner.cookie.split('=', 2)
  const forged: Record<string, string>[] = [
    {},
    { cookie: `${cookieName}=` },
    { cookie: `${cookieName}=${'A'.repeat(value.length)}` },
    { cookie: `${cookieName}=${value.replace(/\..*/, '')}.${'A'.repeat(43)}%3D` },
  ]
  for (const call of calls.filter(({ access }) => access !== 'anyone'))
    for (const headers of forged) {
      const reply = await make(call, inputOf(call), { ...headers, 'x-organization': victimOrg.slug })
      t.ok(
        reply.statusCode === 401 && isRefusal(reply.body, 401),
        `${nameOf(call)} ${JSON.stringify(headers)}: ${reply.statusCode}`,
      )
      if (call.method === 'GET') {
        const head = await ask('HEAD', addressOf(call.url, inputOf(call)), headers)
        t.ok([401, 404].includes(head.statusCode), `HEAD ${call.url}: ${head.statusCode}`)
      }
    }
})

stays('a member of another organization gets 403 in this one, named by id or by slug', async t => {
  for (const call of ofAnOrganization)
    for (const org of [victimOrg.id, victimOrg.slug]) {
      const reply = await make(call, inputOf(call), as(own.owner, org))
      // A file tells its organization by itself: in another one it is not there.
      const expected = call.name === 'media.mediaFile' ? [403, 404] : [403]
      t.ok(
        expected.includes(reply.statusCode) && isRefusal(reply.body, reply.statusCode),
        `${nameOf(call)}: ${reply.statusCode}`,
      )
      t.same(leaks(reply.body, ''), [], nameOf(call))
    }
  const stream = await ask('GET', `/api/sse?organization=${victimOrg.slug}`, as(own.owner))
  t.equal(stream.statusCode, 403, 'a stream that names it in its query')
})

stays('who was banned, was removed, or whose session ended, gets nothing', async t => {
  const banned = await aMember({ databases, org: victimOrg, role: 'owner' })
  await databases.write.updateTable('user').set({ banned: 1 }).where('id', '=', banned.user.id).execute()
  const removed = await aMember({ databases, org: victimOrg, role: 'owner' })
  const ended = await aMember({ databases, org: victimOrg, role: 'owner', sessionDays: -1 })
  const outsider = await aPerson({ databases, activeOrgId: victimOrg.id })
  await databases.write
    .deleteFrom('member')
    .where('userId', 'in', [banned.user.id, removed.user.id, ended.user.id])
    .execute()
  // Banned and ended ones are members all the same, or it would not be the ban that keeps them out.
  const membership = (userId: string) => ({
    id: userId,
    organizationId: victimOrg.id,
    userId,
    role: 'owner',
    createdAt: '',
  })
  await databases.write
    .insertInto('member')
    .values([membership(banned.user.id), membership(ended.user.id)])
    .execute()
  for (const call of ofAnOrganization)
    for (const [who, status, name] of [
      [banned, 401, 'banned'],
      [ended, 401, 'ended'],
      [removed, 403, 'removed'],
      [outsider, 403, 'a session that stands in it'],
    ] as const)
      for (const org of [undefined, victimOrg.id]) {
        const reply = await make(call, inputOf(call), as(who, org))
        const expected = call.name === 'media.mediaFile' && status === 403 ? [403, 404] : [status]
        t.ok(expected.includes(reply.statusCode), `${name} ${nameOf(call)}: ${reply.statusCode}`)
        t.same(leaks(reply.body, ''), [], nameOf(call))
      }
  await databases.write.deleteFrom('member').where('userId', 'in', [banned.user.id, ended.user.id]).execute()
})

t.test('each role may do what the table of permissions says, and no more', async t => {
  for (const role of [...orgRoles, 'guest', 'admin ,owner2']) {
    const person = await aMember({ databases, org: victimOrg, role })
    const mate = await aMember({ databases, org: own.owner.org, role })
    const before = await belongings()
    for (const call of ofAnOrganization) {
      const { access } = call.endpoint
      const allowed =
        access === 'member' || (access !== 'anyone' && access !== 'person' && roleCan(person.member.role, access))
      if (allowed) continue
      const reply = await make(call, inputOf(call), as(person))
      const input = {
        ...inputOf(call),
        ...(call.name === 'media.mediaFile' ? { params: { id: victim.ids.media } } : {}),
      }
      const real = await make(call, input, as(person))
      for (const { statusCode, body } of [reply, real])
        t.ok(statusCode === 403 && isRefusal(body, 403), `${role} ${nameOf(call)}: ${statusCode}`)
    }
    t.equal(await belongings(), before, `what ${role} may not do changes nothing`)
    for (const call of ofAnOrganization.filter(answers)) {
      const { access } = call.endpoint
      if (access !== 'member' && !roleCan(mate.member.role, access as never)) continue
      if (call.method !== 'GET') continue
      const reply = await make(call, inputOf(call), as(mate))
      t.notOk(
        [401, 403].includes(reply.statusCode) || reply.statusCode >= 500,
        `${role} may ${nameOf(call)}: ${reply.statusCode}`,
      )
    }
  }
})

stays('what is in another organization is not there: 404 for each of its ids', async t => {
  const foreign: Readonly<Record<string, readonly string[]>> = {
    'media.mediaFile': [victim.ids.media],
    'sandbox.getFile': [victim.ids.simulatedMedia],
    'sandbox.decideTemplate': [victim.ids.template],
    'media.retryMedia': [victim.ids.media],
    'bulkSends.deleteSegment': [victim.ids.segment],
    'bulkDrafts.getDraft': [victim.ids.bulkDraft],
    'bulkDrafts.saveDraft': [victim.ids.bulkDraft],
    'bulkDrafts.deleteDraft': [victim.ids.bulkDraft],
    ...Object.fromEntries(
      [
        'get',
        'listRecipients',
        'approve',
        'start',
        'schedule',
        'unschedule',
        'pause',
        'resume',
        'retry',
        'cancel',
        'getReportCsv',
        'getRecipe',
      ].map(name => [`bulkSends.${name}`, [victim.ids.bulkSend]]),
    ),
    ...Object.fromEntries(
      [
        'get',
        'save',
        'remove',
        'publish',
        'pause',
        'listVersions',
        'getVersion',
        'restore',
        'start',
        'simulate',
        'call',
        'figures',
        'listRuns',
      ].map(name => [`flows.${name}`, [victim.ids.flow]]),
    ),
    ...Object.fromEntries(
      ['begin', 'get', 'listReplayed', 'stop'].map(name => [`flowReplays.${name}`, [victim.ids.flow]]),
    ),
    ...Object.fromEntries(['begin', 'get', 'stop'].map(name => [`flowTests.${name}`, [victim.ids.flow]])),
    'flowHooks.getHook': [victim.ids.flow],
    'flowHooks.replaceHook': [victim.ids.flow],
    'flowPresence.setPresence': [victim.ids.flow],
    'flowSecrets.replaceSecret': [victim.ids.flowSecret],
    'flowSecrets.deleteSecret': [victim.ids.flowSecret],
    ...Object.fromEntries(
      [
        'changeWebhook',
        'replaceSecret',
        'deleteWebhook',
        'testWebhook',
        'listDeliveries',
        'redeliver',
        'redeliverMany',
      ].map(name => [`outgoingWebhooks.${name}`, [victim.ids.webhook]]),
    ),
    ...Object.fromEntries(
      ['changeHook', 'replaceAddress', 'deleteHook', 'listCalls', 'replayCall'].map(name => [
        `incomingHooks.${name}`,
        [victim.ids.incomingHook],
      ]),
    ),
    'flows.getRun': [victim.ids.flowRun],
    'flows.explain': [victim.ids.flowSaid],
    'templates.get': [victim.ids.template],
    'templates.update': [victim.ids.template],
    'templates.remove': [victim.ids.template],
    'templates.getByName': [victim.ids.templateName],
    'templates.templateMediaFile': [victim.ids.templateMedia],
    'notifications.mute': [victim.ids.conversation],
    'inbox.reactToMessage': [victim.ids.message, victim.ids.failed],
    'inbox.retryMessage': [victim.ids.message, victim.ids.failed],
    'tags.getTagUsage': [victim.ids.tag],
    'tags.changeTag': [victim.ids.tag],
    'tags.mergeTag': [victim.ids.tag],
    'tags.deleteTag': [victim.ids.tag],
    'readyAnswers.changeAnswer': [victim.ids.readyAnswer],
    'readyAnswers.deleteAnswer': [victim.ids.readyAnswer],
    'readyAnswers.setFile': [victim.ids.readyAnswer],
    'readyAnswers.removeFile': [victim.ids.readyAnswer],
    'readyAnswers.answerFile': [victim.ids.readyAnswer],
    'savedViews.changeView': [victim.ids.savedView],
    'savedViews.deleteView': [victim.ids.savedView],
    'scheduledMessages.changeScheduled': [victim.ids.scheduled],
    'scheduledMessages.sendScheduled': [victim.ids.scheduled],
    'scheduledMessages.cancelScheduled': [victim.ids.scheduled],
    'contactFields.changeField': [victim.ids.contactField],
    'contactFields.deleteField': [victim.ids.contactField],
    'contactImports.getImport': [victim.ids.contactImport],
    'contactImports.stop': [victim.ids.contactImport],
    'contactMerges.undoMerge': [victim.ids.contactMerge],
    ...Object.fromEntries(
      ['getExport', 'stop', 'remove', 'file'].map(name => [`statsExport.${name}`, [victim.ids.statsExport]]),
    ),
    ...Object.fromEntries(
      ['getImport', 'listChats', 'preview', 'map', 'start', 'pause', 'resume', 'undo', 'discard', 'refused'].map(
        name => [`imports.${name}`, [victim.ids.chatImport]],
      ),
    ),
    'stats.getFlowSteps': [victim.ids.flow],
    'deliveries.get': [await deliveryOf(victim.owner.org.id)],
    'messageInfo.getMessageInfo': [victim.ids.message, victim.ids.failed],
    'programs.end': [victim.ids.program],
    'inbox.cancelMessage': [victim.ids.message, victim.ids.failed],
  }
  for (const call of ofAnOrganization) {
    const input = inputOf(call)
    for (const field of Object.keys(input.params ?? {})) {
      // Whose a version is its flow says; blocks of statistics, and days, are called the same everywhere.
      if (field === 'version' || field === 'validFrom' || call.name === 'stats.exportBlock') continue
      const ids =
        foreign[call.name] ??
        (field === 'phone'
          ? [
              victim.customer,
              `+${victim.customer}`,
              ...(/^(inbox|notes|contacts|scheduledMessages|snoozes|drafts)\./.test(call.name)
                ? [victim.ids.conversation]
                : []),
            ]
          : field === 'tagId'
            ? [victim.ids.tag]
            : field === 'noteId'
              ? [victim.ids.note]
              : [])
      t.ok(ids.length, `${nameOf(call)}: say in test/walls.test.ts which id of another organization :${field} is`)
      for (const id of ids) {
        const reply = await make(call, { ...input, params: { ...input.params, [field]: id } }, as(newcomer))
        t.ok(reply.statusCode === 404 && isRefusal(reply.body, 404), `${nameOf(call)} ${id}: ${reply.statusCode}`)
        t.same(leaks(reply.body, id), [], nameOf(call))
      }
    }
  }
  const notice = await ask('PATCH', `/api/notify?id=${victim.ids.notification}`, as(newcomer))
  t.equal(notice.statusCode, 404)
  const entry = await ask('DELETE', `/api/whatsapp/history?id=${victim.ids.history}`, as(newcomer))
  t.equal(entry.statusCode, 404)
})

/**
 * They take no ids, and show from then on what was written: a word to stop by is refused as one to resume by, a shortcut
 * with the title of the answer that has it, a line of the profile beside the one that is changed, a number as a contact. Of a
 * person one file of statistics is made at a time.
 */
const keepsWords = new Set([
  'optOuts.changeSettings',
  'readyAnswers.createAnswer',
  'contactFields.createField',
  'contacts.saveContact',
  'contactImports.preview',
  'contactImports.begin',
  'statsExport.begin',
  'flowSecrets.createSecret',
  'outgoingWebhooks.createWebhook',
  'incomingHooks.createHook',
  'incomingHooks.testHook',
  'flowSettings.setSettings',
  'numberStanding.changeProfile',
])

/** The same value but for its end: nobody has it. */
const twinOf = (value: string) =>
  value.replace(/[A-Za-z0-9]{1,4}(?=[^A-Za-z0-9]*$)/, end =>
    [...end].map(char => (/\d/.test(char) ? String((Number(char) + 3) % 10) : /[a-z]/.test(char) ? 'q' : 'Q')).join(''),
  )
/** What differs between two answers by nature: the value itself, chance and time. */
const plain = (body: string, value: string) =>
  body
    .replaceAll(value, '‹asked›')
    .replaceAll(value.replace(/^\+/, ''), '‹asked›')
    .replace(/"hue":\d/g, '"hue":‹hue›')
    .replace(/wamid\.[\w+/=-]+/g, '‹wamid›')
    .replace(/\b[0-9a-z]{24}\b/g, '‹id›')
    .replace(/"requestId":"[^"]*"/g, '')
    .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, '‹time›')
    .replace(/"(displayPhone|name)":"\+[^"]*"/g, '‹phone›')
    // An export stands in the next one.
    .replace(/‹time›,[^,]*,Exported the audit log.*?\\r\\n/g, '')

stays('an id of another organization is answered as one that nobody has, wherever it stands', async t => {
  const columns = new Map<string, string>()
  for (const { table, column, value } of cells)
    if (/(^id|_id|Id|wamid|slug|phone|bsuid|value|callback|username|label|email)$/.test(column)) {
      if (!columns.has(`${table}.${column}`)) columns.set(`${table}.${column}`, value)
    }
  // What only a column has is asked on SQLite: statements are made by the same code.
  const ofColumns = process.env.TEST_ENGINE === 'postgres' ? [] : columns.values()
  const values = [...new Set([victim.customer, ...Object.values(victim.ids), ...ofColumns])].filter(
    value => !cells.some(cell => cell.value === twinOf(value)),
  )
  let [asked, fields] = [0, 0]
  // Reads first: a written word may well be found again by those who wrote it.
  const inOrder = [...ofAnOrganization.filter(call => answers(call) && !keepsWords.has(call.name))].sort(
    (a, b) => Number(a.method !== 'GET') - Number(b.method !== 'GET'),
  )
  for (const call of inOrder)
    for (const part of ['params', 'query', 'body'] as const)
      for (const [field, schema] of fieldsOf(call.endpoint[part])) {
        const base = inputOf(call)
        const isList = schema.type === 'array'
        const inputWith = (value: string) => ({ ...base, [part]: { ...base[part], [field]: isList ? [value] : value } })
        // What was answered here of a value that nobody has.
        const ofNobody = new Set<string>()
        fields += 1
        for (const [column, value] of values.entries()) {
          if (!isPlayed(fields, column)) continue
          const twin = twinOf(value)
          if (value === own.customer || !fits(call.endpoint, part, inputWith(value)[part])) continue
          if (schema.enum || !fits(call.endpoint, part, inputWith(twin)[part])) continue
          asked += 1
          const real = await make(call, inputWith(value), as(own.owner))
          const about = `${nameOf(call)} ${part}.${field}=${value}`
          const said = `${real.statusCode} ${plain(real.body, value)}`
          if (!ofNobody.has(said)) {
            const nobodys = await make(call, inputWith(twin), as(own.owner))
            ofNobody.add(`${nobodys.statusCode} ${plain(nobodys.body, twin)}`)
            if (!ofNobody.has(said)) t.same(said, `${nobodys.statusCode} ${plain(nobodys.body, twin)}`, about)
          }
          const leaked = leaks(real.body, value)
          if (leaked.length) t.same(leaked, [], about)
        }
      }
  t.ok(asked > 100, `${asked} pairs`)
  t.same(backend.errors(), [])
})

stays('the doors of sign-in tell and change nothing of an organization one is not in', async t => {
  const rows = await rowsOfOrg(databases, victimOrg.id)
  const everything = () => ({
    organizationId: victimOrg.id,
    organizationSlug: victimOrg.slug,
    memberId: rows.member?.[0]?.id,
    memberIdOrEmail: victim.owner.user.email,
    invitationId: victim.ids.invitation,
    teamId: victim.ids.team,
    userId: victim.owner.user.id,
    role: 'admin',
    email: 'somebody@example.com',
    name: 'Otra',
    data: { name: 'Otra', role: 'owner' },
    providerId: rows.sso_provider?.[0]?.id,
    status: 'inactive',
    permissions: { member: ['delete'] },
  })
  for (const { method, path } of listAllowedRoutes()) {
    // Some doors end the caller's own session: each is tried by somebody new.
    const stranger = { 'x-forwarded-for': '1.2.3.4' }
    const member = await aMember({ databases, orgName: 'Puerta' })
    const admins = await aMember({ databases, orgName: 'Puerta', role: 'admin' })
    const facts = everything()
    const flat = Object.fromEntries(Object.entries(facts).filter(([, value]) => typeof value === 'string')) as Record<
      string,
      string
    >
    const query = new URLSearchParams({ ...flat, id: victim.ids.invitation })
    const url = `/api/auth${path}${method === 'GET' ? `?${query}` : ''}`
    const body = method === 'GET' ? undefined : facts
    const anonymous = await ask(method, url, stranger, body)
    if (!openRoutes.has(`${method} ${path}`))
      t.ok(
        anonymous.statusCode >= 400 && anonymous.statusCode < 500,
        `a stranger at ${method} ${path}: ${anonymous.statusCode} ${anonymous.body}`,
      )
    t.same(leaks(anonymous.body, JSON.stringify(facts)), [], `a stranger at ${path}`)
    for (const who of [member, admins]) {
      const reply = await ask(method, url, as(who), body)
      t.ok(reply.statusCode < 500, `${method} ${path}: ${reply.statusCode} ${reply.body}`)
      t.same(leaks(reply.body, JSON.stringify(facts)), [], `a neighbour at ${path}`)
    }
  }
})

stays('webhooks and the simulated Graph API take keys of their own, and only those', async t => {
  const connection = (await rowsOfOrg(databases, victimOrg.id)).wa_connection?.[0] as {
    id: string
    phone_number_id: string
    waba_id: string
  }
  const token = (await connectionKeys(backend.parts, own.owner.org.id))?.accessToken
  t.ok(token)
  for (const route of hand) {
    const kind = byHand[nameOf(route)]
    if (kind === 'signed') {
      const reply = await ask(
        route.method,
        route.url.replace(':connectionId', connection.id),
        as(victim.owner),
        route.method === 'GET' ? undefined : {},
      )
      t.ok([401, 403, 404].includes(reply.statusCode), `${nameOf(route)}: ${reply.statusCode}`)
    }
    if (kind === 'member') {
      t.equal((await ask(route.method, route.url, {}, {})).statusCode, 401, `${nameOf(route)} of nobody`)
      t.equal((await ask(route.method, route.url, as(own.owner, victimOrg.id), {})).statusCode, 403, nameOf(route))
    }
    if (kind === 'address') {
      const known = await databases.read
        .selectFrom('flow_hook')
        .select(['flow_id', 'secret_hash', 'sealed'])
        .where('org_id', '=', victimOrg.id)
        .executeTakeFirstOrThrow()
      const incoming = await databases.read
        .selectFrom('incoming_hook')
        .select(['id', 'secret_hash'])
        .where('org_id', '=', victimOrg.id)
        .executeTakeFirstOrThrow()
      const stored = [...Object.values(known), ...Object.values(incoming)]
      for (const guess of [...stored, victimOrg.id, victimOrg.slug, 'A'.repeat(43)])
        for (const headers of [{}, as(victim.owner), as(own.owner)]) {
          const reply = await ask(route.method, route.url.replace(':secret', guess), headers, {
            numberTel: victim.customer,
          })
          t.ok(reply.statusCode === 404 && isRefusal(reply.body, 404), `${nameOf(route)} ${guess}: ${reply.statusCode}`)
          t.same(leaks(reply.body, ''), [], nameOf(route))
        }
    }
    if (kind === 'sealed') {
      const url = `${route.url}?ticket=v1.AAAA`
      t.equal((await ask(route.method, url, {})).statusCode, 401, `${nameOf(route)} of nobody`)
      t.equal((await ask(route.method, url, as(own.owner, victimOrg.id))).statusCode, 404, nameOf(route))
    }
    if (kind !== 'token') continue
    const media = (
      await databases.read
        .selectFrom('sandbox_media')
        .select('id')
        .where('org_id', '=', victimOrg.id)
        .executeTakeFirstOrThrow()
    ).id
    for (const node of [connection.phone_number_id, connection.waba_id, media, victim.ids.template])
      for (const edge of [
        '',
        '/message_templates',
        '/messages',
        '/media',
        '/block_users',
        '/phone_numbers',
        '/subscribed_apps',
      ]) {
        const url = route.url.replace('*', `v25.0/${node}${edge}`)
        const body =
          route.method === 'GET'
            ? undefined
            : { messaging_product: 'whatsapp', to: victim.customer, type: 'text', text: { body: 'x' } }
        for (const headers of [
          as(victim.owner),
          { authorization: 'Bearer EAAnobody' },
          { authorization: `Bearer ${token}` },
        ]) {
          const reply = await ask(route.method, url, headers as Record<string, string>, body)
          t.ok(
            reply.statusCode >= 400 && reply.statusCode < 500,
            `${route.method} ${url}: ${reply.statusCode} ${reply.body}`,
          )
          t.same(leaks(reply.body, url), [], url)
        }
      }
  }
})
