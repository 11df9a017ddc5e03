/**
 * Calls every route of the app as somebody without access: the response must reveal nothing and change nothing. New
 * routes are found automatically, and their inputs are generated from their schemas.
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

/** Routes without a contract, and what protects each of them. */
const byHand: Readonly<
  Record<string, 'public' | 'doors' | 'signed' | 'token' | 'member' | 'sealed' | 'address' | 'key'>
> = {
  'GET /healthz': 'public',
  'GET /readyz': 'public',
  // The invitation page shows it to people who are not members yet; its name cannot be guessed.
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
  // The body is a file, so `server/messaging/templates/routes.ts` checks the contract's access itself.
  'POST /api/whatsapp/template/media': 'member',
  // Likewise; `server/features/imports/routes.ts`.
  'PUT /api/imports/:id/file': 'member',
  // The ticket in the address is encrypted for the member who prepared the file; access is checked again.
  'GET /api/whatsapp/chat-export/file': 'sealed',
  // The encrypted token in the address names the person to unsubscribe. A GET changes nothing.
  'GET /api/stats/mail/unsubscribe': 'public',
  'POST /api/stats/mail/unsubscribe': 'public',
  // Anybody who knows the address of a flow can start it. The address is a random secret.
  'POST /hooks/:secret': 'address',
  'POST /hooks/in/:secret': 'address',
  // Refused without a key; `test/server/features/gateway` calls with keys of other organizations.
  'GET /graph/*': 'token',
  'POST /graph/*': 'token',
  'POST /graph/:version/upload::*': 'token',
  'DELETE /graph/*': 'token',
  // Requires an API key; its tools are calls of the API, see `test/hostile/agents.test.ts`.
  'GET /mcp': 'key',
  'POST /mcp': 'key',
  'DELETE /mcp': 'key',
  // Programs register and get tokens here; `test/server/identity/auth/programs` calls with tokens of others.
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

/** Routes of sign-in that answer without a session; every other one refuses. */
const openRoutes = new Set(['GET /get-session', 'POST /email-otp/send-verification-otp', 'POST /sign-out'])

const routes = await listRoutes()
const calls = routes.filter((route): route is ApiCall => route.endpoint !== undefined)
const hand = routes.filter(route => route.endpoint === undefined)

const backend = await startBackend(t)
const { databases } = backend
const victim = await aNeighbour(backend, { orgName: 'Panadería Vecina', customer: '5491155550101' })
const own = await aNeighbour(backend, { orgName: 'Taller Propio', customer: '5491155550202' })
/** The owner of an organization without any data. */
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
/** The number of a webhook stored for the organization. It is too short to be one of the `secrets`. */
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
/** Values that only the victim has. No response to anybody else may contain one. */
const secrets = [
  ...new Set(
    cells
      .filter(({ value, table }) => value.length >= 8 && !isTime.test(value) && table !== 'sandbox_number')
      // The address of every caller in this test.
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
/** Whether the response ends. A stream ends only if it is refused. */
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

t.test('every route without a contract is listed here', async t => {
  for (const route of hand)
    t.ok(
      byHand[nameOf(route)],
      `${nameOf(route)} is open until proven otherwise: add it to byHand in test/walls.test.ts with what protects it`,
    )
})

t.test('every call gets a valid input from its schemas', async t => {
  for (const call of calls) t.doesNotThrow(() => inputOf(call), call.name)
})

t.test('the victim has rows in every table', async t => {
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
    'leaks from a table without rows would not be noticed: insert a row in test/helpers/neighbours.ts',
  )
})

const stays = (name: string, work: (t: Test) => Promise<void>) =>
  t.test(name, async t => {
    const before = await belongings()
    await work(t)
    t.equal(await belongings(), before, 'no row of the other organization has changed')
  })

stays('a request without a valid session gets 401, also with a forged cookie', async t => {
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

stays('a member of another organization gets 403, whether the request names this one by id or by slug', async t => {
  for (const call of ofAnOrganization)
    for (const org of [victimOrg.id, victimOrg.slug]) {
      const reply = await make(call, inputOf(call), as(own.owner, org))
      // The id of a file determines its organization, so it may also be missing in another one.
      const expected = call.name === 'media.mediaFile' ? [403, 404] : [403]
      t.ok(
        expected.includes(reply.statusCode) && isRefusal(reply.body, reply.statusCode),
        `${nameOf(call)}: ${reply.statusCode}`,
      )
      t.same(leaks(reply.body, ''), [], nameOf(call))
    }
  const stream = await ask('GET', `/api/sse?organization=${victimOrg.slug}`, as(own.owner))
  t.equal(stream.statusCode, 403, 'an event stream with the organization in its query')
})

stays('people who were banned or removed, or whose session ended, get nothing', async t => {
  const banned = await aMember({ databases, org: victimOrg, role: 'owner' })
  await databases.write.updateTable('user').set({ banned: 1 }).where('id', '=', banned.user.id).execute()
  const removed = await aMember({ databases, org: victimOrg, role: 'owner' })
  const ended = await aMember({ databases, org: victimOrg, role: 'owner', sessionDays: -1 })
  const outsider = await aPerson({ databases, activeOrgId: victimOrg.id })
  await databases.write
    .deleteFrom('member')
    .where('userId', 'in', [banned.user.id, removed.user.id, ended.user.id])
    .execute()
  // These two stay members, so that only the ban or the ended session refuses them.
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
      [outsider, 403, 'a session whose active organization it is'],
    ] as const)
      for (const org of [undefined, victimOrg.id]) {
        const reply = await make(call, inputOf(call), as(who, org))
        const expected = call.name === 'media.mediaFile' && status === 403 ? [403, 404] : [status]
        t.ok(expected.includes(reply.statusCode), `${name} ${nameOf(call)}: ${reply.statusCode}`)
        t.same(leaks(reply.body, ''), [], nameOf(call))
      }
  await databases.write.deleteFrom('member').where('userId', 'in', [banned.user.id, ended.user.id]).execute()
})

t.test('each role may call what the permissions allow, and nothing else', async t => {
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
    t.equal(await belongings(), before, `calls that ${role} may not make change nothing`)
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

stays('an id of another organization gets 404', async t => {
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
      // A version is found by its flow; blocks of statistics and days have the same names in every organization.
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
      t.ok(
        ids.length,
        `${nameOf(call)}: not tested yet, add the victim's id for :${field} to \`foreign\` in test/walls.test.ts`,
      )
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
 * Calls without ids whose later responses contain what an earlier call wrote, so that two calls cannot be compared. For
 * example, a refused shortcut names the ready answer that has it.
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

/** A value that differs only at its end and does not exist. */
const twinOf = (value: string) =>
  value.replace(/[A-Za-z0-9]{1,4}(?=[^A-Za-z0-9]*$)/, end =>
    [...end].map(char => (/\d/.test(char) ? String((Number(char) + 3) % 10) : /[a-z]/.test(char) ? 'q' : 'Q')).join(''),
  )
/** Replaces what always differs between two responses: the value that was sent, random ids, and times. */
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
    // An export of the audit log lists earlier exports.
    .replace(/‹time›,[^,]*,Exported the audit log.*?\\r\\n/g, '')

stays('an id of another organization gets the same response as an unknown one, in any field', async t => {
  const columns = new Map<string, string>()
  for (const { table, column, value } of cells)
    if (/(^id|_id|Id|wamid|slug|phone|bsuid|value|callback|username|label|email)$/.test(column)) {
      if (!columns.has(`${table}.${column}`)) columns.set(`${table}.${column}`, value)
    }
  // Values of single columns are tried on SQLite only: both engines use the same statements.
  const ofColumns = process.env.TEST_ENGINE === 'postgres' ? [] : columns.values()
  const values = [...new Set([victim.customer, ...Object.values(victim.ids), ...ofColumns])].filter(
    value => !cells.some(cell => cell.value === twinOf(value)),
  )
  let [asked, fields] = [0, 0]
  // Reads come first, because a search finds what an earlier call wrote.
  const inOrder = [...ofAnOrganization.filter(call => answers(call) && !keepsWords.has(call.name))].sort(
    (a, b) => Number(a.method !== 'GET') - Number(b.method !== 'GET'),
  )
  for (const call of inOrder)
    for (const part of ['params', 'query', 'body'] as const)
      for (const [field, schema] of fieldsOf(call.endpoint[part])) {
        const base = inputOf(call)
        const isList = schema.type === 'array'
        const inputWith = (value: string) => ({ ...base, [part]: { ...base[part], [field]: isList ? [value] : value } })
        // Responses to values that do not exist.
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

stays('routes of sign-in reveal and change nothing of an organization the caller is not a member of', async t => {
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
    // Some of them end the caller's session, so each is called by a new member.
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
        `without a session, ${method} ${path}: ${anonymous.statusCode} ${anonymous.body}`,
      )
    t.same(leaks(anonymous.body, JSON.stringify(facts)), [], `without a session, ${path}`)
    for (const who of [member, admins]) {
      const reply = await ask(method, url, as(who), body)
      t.ok(reply.statusCode < 500, `${method} ${path}: ${reply.statusCode} ${reply.body}`)
      t.same(leaks(reply.body, JSON.stringify(facts)), [], `a member of another organization, ${path}`)
    }
  }
})

stays('webhooks and the simulated Graph API accept their own keys only', async t => {
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
      t.equal((await ask(route.method, route.url, {}, {})).statusCode, 401, `${nameOf(route)} without a session`)
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
      t.equal((await ask(route.method, url, {})).statusCode, 401, `${nameOf(route)} without a session`)
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
