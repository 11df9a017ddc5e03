/** Every list without pages must have a limit. Lists that people and programs fill are tested at theirs. */
import t from 'tap'
import { type ListedRoute, listRoutes } from '#server/cli/route-list.ts'
import type { Database } from '#server/platform/db/database.ts'
import { maxKeysPerOrg } from '#shared/auth/api-keys.ts'
import { bulkDraftLimits } from '#shared/bulk-sends/drafts.ts'
import { maxContactFields } from '#shared/contacts/fields.ts'
import { maxSegments } from '#shared/contacts/segments.ts'
import { maxFlows } from '#shared/flows/api.ts'
import { maxFlowSecrets } from '#shared/flows/http/secrets.ts'
import { draftLimits } from '#shared/inbox/drafts.ts'
import { incomingLimits } from '#shared/incoming-hooks/api.ts'
import { maxMutedConversations } from '#shared/notifications/api.ts'
import { maxOpenInvitations } from '#shared/orgs/invitations.ts'
import { maxTeams } from '#shared/orgs/members.ts'
import { webhookLimits } from '#shared/outgoing-webhooks/api.ts'
import { maxOwnAnswers, maxSharedAnswers } from '#shared/ready-answers/api.ts'
import { maxViews } from '#shared/saved-views/api.ts'
import { scheduledLimits } from '#shared/scheduled-messages/api.ts'
import { maxFaultsArmed } from '#shared/simulator/api.ts'
import { maxTags } from '#shared/tags/api.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { fillTable, type PlainRow } from '#test/helpers/fill-table.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

interface Schema {
  readonly type?: string
  readonly maxItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

/** The names of the arrays in a reply whose schema has no limit. The reply itself is ''. */
const openArrays = (schema: Schema | undefined, name = ''): string[] => {
  if (!schema) return []
  if (schema.type === 'array') return schema.maxItems === undefined ? [name] : []
  return Object.entries(schema.properties ?? {}).flatMap(([own, of]) => openArrays(of, name ? `${name}.${own}` : own))
}

const pageKeys = ['page', 'before', 'after', 'limit']
const hasPages = ({ endpoint }: ListedRoute) =>
  pageKeys.some(key => (endpoint?.query as Schema | undefined)?.properties?.[key] !== undefined)

const played = 'one more is refused, see below'
const newest = (most: string) => `returns only the latest ones: ${most}`
const ofSettings = 'a part of settings whose input schema has the limit'
const perTag = 'one for each tag, which are limited'
const fewOf = (what: string) => `one for each of a limited number: ${what}`
const ofOneRow = 'a part of one row, limited when it is written'

/** The limit of each list, by call and array. */
const bounds: Readonly<Record<string, string>> = {
  'secondFactor.getSecondFactor devices': newest('trusted devices are trimmed where one is added'),
  'secondFactor.getSecondFactor demandedBy': fewOf('organizations of one person, cut in the store'),
  'secondFactor.getSecondStep ways': fewOf('ways'),
  'sessions.listSessions items': newest('maxSessions'),
  'site.listSessions items': newest('maxSessions'),
  'invitations.listSent items': played,
  'invitations.listReceived items': newest('maxInvitationsReceived'),
  'members.listTeams items': played,
  'notifications.getSettings mutedConversations': played,
  'orgs.listOrganizations items': newest('maxOrgsListed'),
  'orgs.getViewer organizations': newest('maxOrgsListed'),
  'sandbox.getState armed': played,
  'sandbox.listCustomers items': newest('maxCustomers'),
  'numbers.getWaba numbers': fewOf('numbers, maxNumbers, refused in server/identity/numbers/connecting/adding.ts'),
  'numbers.listConnections items': fewOf(
    'numbers, maxNumbers, refused in server/identity/numbers/connecting/adding.ts',
  ),
  'tags.listTags items': played,
  'tags.countTags items': perTag,
  'tags.getTagUsage roles': fewOf('roles'),
  'visibility.listAvailableTags items': perTag,
  'visibility.listAssignedTags items': perTag,
  'assignment.getRules teams': fewOf('teams'),
  'assignment.listAvailability items': fewOf('members'),
  'notes.listMentionable items': newest('maxMentionable'),
  'bulkDrafts.listDrafts items': played,
  'bulkDrafts.getDraft audience': fewOf('ways to name people'),
  'bulkSends.get audience.tags': ofOneRow,
  'bulkSends.get cards': ofOneRow,
  'bulkSends.get curve': fewOf('points, thinned in curveOf'),
  'bulkSends.get groups': fewOf('reasons, cut in the store'),
  'bulkSends.getRecipe gone': fewOf('kinds'),
  'bulkSends.listSegments items': played,
  'numberStanding.getProfile websites': ofOneRow,
  'numberStanding.getStanding checks': fewOf('kinds of checks'),
  'numberStanding.getStanding news': newest('mostNews'),
  'contactFields.listFields items': played,
  'contactImports.listImports items': newest('importsListed, older ones are deleted'),
  'contactImports.getImport faults': newest('importFaultsShown'),
  'inbox.listAllConversations items': newest('a fixed number of each kind'),
  'inbox.listMatching items': newest('maxSelectedChats'),
  'inbox.getConversation tags': fewOf('tags of a contact, maxTagsOfContact'),
  'contacts.getContact identifiers': ofOneRow,
  'contacts.getContact fields': fewOf('fields of contacts'),
  'contacts.getContact conversations': fewOf('our numbers'),
  'contactMerges.listMerges items': newest('mergesListed'),
  'scheduledMessages.listScheduled items': played,
  'deliveries.get kinds': fewOf('kinds'),
  'deliveries.get kept': ofOneRow,
  'drafts.listChatDrafts items': newest('draftLimits.ofChat'),
  'drafts.listDrafts own': played,
  'drafts.listDrafts others': newest('draftLimits.ofColleagues'),
  'flows.listLive items': fewOf('flows; calls and variables are cut'),
  'flows.listNames items': played,
  'flowHooks.listUses items': fewOf('flows'),
  'flows.getRun nodes': fewOf('nodes of a flow'),
  'flows.getRun timeline': newest('maxStepsShown, each value cut'),
  'flows.get triggers': ofOneRow,
  'flows.getVersion triggers': ofOneRow,
  'flows.figures nodes': fewOf('nodes of a flow'),
  'flowSecrets.listSecrets items': played,
  'flowTests.get test.numbers': ofOneRow,
  'flowTests.get test.sessions': newest('maxTestedAtOnce'),
  'messageInfo.getMessageInfo attempts': newest('the last attempts'),
  'optOuts.getSettings stopWords': ofSettings,
  'optOuts.getSettings resumeWords': ofSettings,
  'outgoingWebhooks.listWebhooks items': played,
  'incomingHooks.listHooks items': played,
  'outgoingWebhooks.listNames items': fewOf('outgoing webhooks'),
  'outgoingWebhooks.listEvents items': fewOf('events'),
  'readyAnswers.listAnswers items': played,
  'templates.get components': ofOneRow,
  'templates.get media': ofOneRow,
  'templates.get languages': fewOf("Meta's languages, which are checked"),
  'templates.getByName components': ofOneRow,
  'templates.getByName media': ofOneRow,
  'templates.getByName languages': fewOf("Meta's languages, which are checked"),
  'templates.getSync languages': fewOf("Meta's languages, which are checked"),
  'savedViews.listViews items': played,
  'upstream.getUpstream calls': fewOf('calls that an upstream answers'),
}

t.test('every list without pages is in `bounds` with its limit, and every entry exists', async t => {
  const found = new Set<string>()
  for (const route of await listRoutes()) {
    if (route.method !== 'GET' || hasPages(route)) continue
    for (const name of openArrays(route.endpoint?.reply as Schema | undefined))
      found.add(`${route.name} ${name}`.trim())
  }
  for (const one of found)
    t.ok(bounds[one], `${one} could grow without a limit: add pages, or name its limit in bounds, test/lists.test.ts`)
  for (const one of Object.keys(bounds))
    t.ok(found.has(one), `${one} is no list without pages: delete it from bounds, test/lists.test.ts`)
})

interface Played {
  readonly name: string
  readonly limit: number
  readonly table: keyof Database
  /** Columns whose values must differ from row to row. */
  readonly counted: readonly string[]
  readonly list: string
  readonly code: string
  /** The largest input that a row of the list can have. */
  add(i: number): readonly [method: 'POST' | 'PUT', path: string, body: object]
}

const longText = 'é'.repeat(4096)
const phone = '5491155550100'
const graph = { nodes: [{ id: 'start', type: 'start', position: { x: 0, y: 0 }, data: {} }], edges: [] }
const steps = {
  audience: { tagIds: [], match: 'any', numbers: phone },
  ...{ hadFile: false, hadMoreNumbers: false, sources: {} },
  cap: { isOn: true, sends: '1', days: '1' },
  care: {
    ...{ hasCanary: false, people: '50', waitMinutes: '30', hasHours: false },
    ...{ from: '9', to: '20', failedPercent: '20', optedOutPercent: '5' },
  },
}
const letters = (i: number) => `x${i.toString(36)}`

const lists = (organizationId: string, at: string): readonly Played[] => [
  {
    ...{ name: 'bulk drafts of a person', limit: bulkDraftLimits.ofPerson, table: 'bulk_draft', counted: ['id'] },
    ...{ list: '/whatsapp/bulk-drafts', code: 'BULK_SENDS_TOO_MANY_DRAFTS' },
    add: () => ['POST', '/whatsapp/bulk-drafts', { steps }],
  },
  {
    ...{ name: 'shared ready answers', limit: maxSharedAnswers, table: 'ready_answer', counted: ['id', 'shortcut'] },
    ...{ list: '/whatsapp/ready-answers', code: 'READY_ANSWERS_TOO_MANY' },
    add: i => [
      'POST',
      '/whatsapp/ready-answers',
      { title: 'Precio', shortcut: `s${letters(i)}`, text: longText, shared: true },
    ],
  },
  {
    ...{ name: 'segments', limit: maxSegments, table: 'audience_segment', counted: ['id'] },
    ...{ list: '/whatsapp/segments', code: 'BULK_SENDS_TOO_MANY_SEGMENTS' },
    add: () => ['POST', '/whatsapp/segments', { label: 'Sin marketing', filter: { optedOut: false } }],
  },
  {
    ...{ name: 'tags', limit: maxTags, table: 'tag', counted: ['id', 'label'] },
    ...{ list: '/whatsapp/all-tags', code: 'TAGS_TOO_MANY' },
    add: i => ['POST', '/whatsapp/tags', { label: `Etiqueta ${i}` }],
  },
  {
    ...{ name: 'saved views of a person', limit: maxViews, table: 'saved_view', counted: ['id', 'name'] },
    ...{ list: '/whatsapp/views', code: 'SAVED_VIEWS_TOO_MANY' },
    add: i => ['POST', '/whatsapp/views', { name: `Vista ${i}`, filter: { unread: true } }],
  },
  {
    ...{ name: 'outgoing webhooks', limit: webhookLimits.webhooks, table: 'outgoing_webhook', counted: ['id', 'name'] },
    ...{ list: '/whatsapp/outgoing-webhooks', code: 'OUTGOING_WEBHOOKS_TOO_MANY' },
    add: i => ['POST', '/whatsapp/outgoing-webhooks', { name: letters(i), url: 'https://example.com/' }],
  },
  {
    ...{ name: 'incoming webhooks', limit: incomingLimits.hooks, table: 'incoming_hook' },
    ...{ counted: ['id', 'name', 'secret_hash'], list: '/whatsapp/incoming-hooks', code: 'INCOMING_HOOKS_TOO_MANY' },
    add: i => [
      'POST',
      '/whatsapp/incoming-hooks',
      { name: `Entrante ${i}`, action: { kind: 'contact', number: '{{phone}}', name: '{{name}}' } },
    ],
  },
  {
    ...{ name: 'teams', limit: maxTeams, table: 'team', counted: ['id', 'name'] },
    ...{ list: '/members/teams', code: 'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS' },
    add: i => ['POST', '/auth/organization/create-team', { name: `Equipo ${i}`, organizationId }],
  },
  {
    ...{ name: 'API keys', limit: maxKeysPerOrg, table: 'apikey', counted: ['id', 'key'] },
    ...{ list: '/auth/api-key/list', code: 'AUTH_TOO_MANY_KEYS' },
    add: i => ['POST', '/auth/api-key/create', { name: `Programa ${i}` }],
  },
  {
    ...{ name: 'flows', limit: maxFlows, table: 'flow', counted: ['id', 'name', 'position'] },
    ...{ list: '/whatsapp/flow-names', code: 'FLOWS_TOO_MANY' },
    add: i => ['POST', '/whatsapp/flows', { name: `Flujo ${i}`, triggers: [], graph }],
  },
  {
    ...{ name: 'secrets of flows', limit: maxFlowSecrets, table: 'flow_secret', counted: ['name'] },
    ...{ list: '/whatsapp/flow-secrets', code: 'FLOWS_TOO_MANY_SECRETS' },
    add: i => ['POST', '/whatsapp/flow-secrets', { name: letters(i), host: 'api.example.com', value: 'abcd' }],
  },
  {
    ...{ name: 'fields of contacts', limit: maxContactFields, table: 'contact_field', counted: ['id', 'label'] },
    ...{ list: '/whatsapp/contact-fields', code: 'INBOX_TOO_MANY_FIELDS' },
    add: i => ['POST', '/whatsapp/contact-fields', { label: `Campo ${i}`, kind: 'text' }],
  },
  {
    ...{ name: 'scheduled messages of a chat', limit: scheduledLimits.ofChat, table: 'scheduled_message' },
    ...{ counted: ['id'], list: `/whatsapp/conversations/${phone}/scheduled`, code: 'SCHEDULED_TOO_MANY' },
    add: () => ['POST', `/whatsapp/conversations/${phone}/scheduled`, { text: 'Mañana', at }],
  },
  {
    ...{ name: 'faults in the simulator', limit: maxFaultsArmed, table: 'sandbox_fault', counted: ['seq'] },
    ...{ list: '/sandbox', code: 'SANDBOX_TOO_MANY_FAULTS' },
    add: () => ['POST', '/sandbox/fail', { code: '131026' }],
  },
  {
    ...{ name: 'open invitations', limit: maxOpenInvitations, table: 'invitation', counted: ['id', 'email'] },
    ...{ list: '/members/invitations', code: 'INVITATION_LIMIT_REACHED' },
    add: i => [
      'POST',
      '/auth/organization/invite-member',
      { email: `p${i}@example.com`, role: 'member', organizationId },
    ],
  },
]

/** The length of the longest array in a response, which is the list. */
const longest = (json: unknown): number =>
  Array.isArray(json)
    ? json.length
    : Math.max(0, ...Object.values((json ?? {}) as object).map(one => (Array.isArray(one) ? one.length : 0)))

/** The size of a response at the limit. Ready answers of 4,096 characters take the most. */
const mostBytes = 4 * 1024 * 1024

t.test('one row above the limit of a list is refused, and nothing changes', async t => {
  const backend = await startBackend(t)
  const { databases } = backend
  const owner = await aMember({ databases, orgName: 'Panadería' })
  const call = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => {
    const headers = { cookie: owner.cookie, 'accept-language': 'es' }
    const reply = await backend.inject({ method, url: `/api${path}`, headers, ...(body ? { payload: body } : {}) })
    return { status: reply.statusCode, text: reply.body, json: reply.body ? reply.json() : undefined }
  }
  const count = async (table: keyof Database) => {
    const row = await databases.read
      .selectFrom(table)
      .select(eb => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return Number((row as { count: number }).count)
  }
  await call('POST', '/whatsapp/connection/sandbox')
  await call('POST', '/sandbox/inbound', { from: phone, type: 'text', text: 'Hola' })
  await backend.settle()
  const at = new Date(backend.clock.now().getTime() + 3_600_000).toISOString()
  for (const one of lists(owner.org.id, at)) {
    const before = await count(one.table)
    const first = await call(...one.add(1))
    t.ok(first.status < 300, `${one.name}: ${first.status} ${first.text.slice(0, 300)}`)
    const rows = (await databases.read.selectFrom(one.table).selectAll().execute()) as unknown as PlainRow[]
    const like = rows.at(-1) as PlainRow
    await fillTable(databases, one.table, { like, counted: one.counted, count: one.limit - before - 2, from: 10 })
    const last = await call(...one.add(2))
    t.ok(last.status < 300, `${one.name}: ${last.status} ${last.text.slice(0, 300)}`)
    t.equal(await count(one.table), one.limit, one.name)
    const refused = await call(...one.add(3))
    t.ok([400, 403, 409].includes(refused.status), `${one.name}: ${refused.status} ${refused.text.slice(0, 300)}`)
    t.equal(refused.json.code, one.code, one.name)
    t.equal(await count(one.table), one.limit, one.name)
    const listed = await call('GET', one.list)
    t.equal(longest(listed.json), one.limit, `${one.name}: all are listed`)
    t.ok(Buffer.byteLength(listed.text) < mostBytes, `${one.name}: ${Buffer.byteLength(listed.text)} bytes`)
  }
  t.same(backend.errors(), [])
})

t.test("one row above the limit of a person's own list is refused", async t => {
  const backend = await startBackend(t)
  const { databases } = backend
  const owner = await aMember({ databases, orgName: 'Panadería' })
  const headers = { cookie: owner.cookie, 'accept-language': 'es' }
  const call = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => {
    const reply = await backend.inject({ method, url: `/api${path}`, headers, ...(body ? { payload: body } : {}) })
    return { status: reply.statusCode, json: reply.json() }
  }
  await call('POST', '/whatsapp/connection/sandbox')
  for (const [i, from] of [phone, '5491155550101', '5491155550102'].entries())
    await call('POST', '/sandbox/inbound', { from, type: 'text', text: `Hola ${i}` })
  await backend.settle()
  const chats = await databases.read.selectFrom('conversation').selectAll().orderBy('created_at').execute()
  const contacts = await databases.read.selectFrom('contact').selectAll().limit(1).execute()
  const more = { count: maxMutedConversations, from: 10 }
  await fillTable(databases, 'contact', { like: contacts[0] as unknown as PlainRow, counted: ['id'], ...more })
  const like = { ...(chats[0] as unknown as PlainRow), contact_id: 'f11' }
  await fillTable(databases, 'conversation', { like, counted: ['id', 'contact_id'], ...more })

  const draft = (of: string) => call('PUT', `/whatsapp/conversations/${of}/draft`, { text: 'a medias' })
  t.equal((await draft(phone)).status, 200)
  const rows = await databases.read.selectFrom('chat_draft').selectAll().execute()
  await fillTable(databases, 'chat_draft', {
    ...{ like: rows[0] as unknown as PlainRow, counted: ['conversation_id'] },
    ...{ count: draftLimits.ofPerson - 2, from: 10 },
  })
  t.equal((await draft('5491155550101')).status, 200)
  t.match(await draft('5491155550102'), { status: 409, json: { code: 'DRAFTS_TOO_MANY' } })
  t.equal((await draft(phone)).status, 200, 'an existing draft can still be saved')
  t.equal((await call('GET', '/whatsapp/team-drafts')).json.own.length, draftLimits.ofPerson)

  const mute = (id: string) => call('PUT', `/notify/mutes/${id}`, { muted: true })
  const ids = chats.map(({ id }) => id)
  t.equal((await mute(ids[0] as string)).status, 200)
  const muted = await databases.read.selectFrom('conversation_mute').selectAll().execute()
  await fillTable(databases, 'conversation_mute', {
    ...{ like: muted[0] as unknown as PlainRow, counted: ['conversation_id'] },
    ...{ count: maxMutedConversations - 2, from: 10 },
  })
  t.equal((await mute(ids[1] as string)).status, 200)
  t.match(await mute(ids[2] as string), { status: 409, json: { code: 'NOTIFICATIONS_TOO_MANY_MUTED' } })
  t.equal((await mute(ids[0] as string)).status, 200, 'muting again changes nothing')
  const settings = (await call('GET', '/notify/settings')).json
  t.equal(settings.mutedConversations.length, maxMutedConversations)
  t.notOk(settings.mutedConversations.includes(ids[2]))

  const answer = (i: number) =>
    call('POST', '/whatsapp/ready-answers', { title: 'Precio', shortcut: `p${letters(i)}`, text: 'Hola' })
  t.ok((await answer(1)).status < 300)
  const answers = await databases.read.selectFrom('ready_answer').selectAll().execute()
  await fillTable(databases, 'ready_answer', {
    ...{ like: answers[0] as unknown as PlainRow, counted: ['id', 'shortcut'] },
    ...{ count: maxOwnAnswers - 2, from: 10 },
  })
  t.ok((await answer(2)).status < 300)
  t.match(await answer(3), { status: 409, json: { code: 'READY_ANSWERS_TOO_MANY' } })
  t.same(backend.errors(), [])
})
