/**
 * However much an organization has: no changing call asks SQLite for more than a bounded amount of work per turn of the
 * event loop.
 */
import t from 'tap'
import { listRoutes } from '#server/cli/route-list.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { maxContactsAtOnce } from '#shared/contacts/api.ts'
import { replayLimits } from '#shared/flows/testing/replay.ts'
import { maxChatsAtOnce } from '#shared/inbox/chat-changes.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { aBulkDraft } from '#test/helpers/bulk-drafts.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { addressOf, exampleOf, type Input, ssoTestExample } from '#test/helpers/examples.ts'
import { countedTurn } from '#test/helpers/loop-turn.ts'
import { rowsInto } from '#test/helpers/many-rows.ts'
import { aNeighbour, pixel } from '#test/helpers/neighbours.ts'
import { aBrowser } from '#test/helpers/push-browser.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { addConversations, expectLittle, waIdOf } from '#test/helpers/turns.ts'

t.setTimeout(fileTimeoutMs)

/** Handled at once, this many would be far too much for a turn. */
const many = 3000

const backend = await startBackend(t, { databases: await freshDatabases(countedTurn()) })
const customer = '5491155550101'
const { owner, ids } = await aNeighbour(backend, { orgName: 'Panadería', customer })
const orgId = owner.org.id
const ofOrg = `org_id = '${orgId}'`
const { write } = backend.databases.raw
const { copy, insert } = rowsInto(write)
const theOne = (sql: string) => write.prepare(sql).pluck().get() as string

const connectionId = theOne(`select id from wa_connection where ${ofOrg}`)
const ours = theOne(`select phone from wa_connection where ${ofOrg}`)
const colleague = theOne(`select "userId" from member where "organizationId" = '${orgId}'`)

const heir = await aMember({ databases: backend.databases, org: owner.org, role: 'member' })
const planner = await aMember({ databases: backend.databases, org: owner.org, role: 'admin' })

addConversations(write, orgId, many)
copy('contact_tag', ofOrg, many, i => ({ contact_id: `c${i}` }))
copy('tag', ofOrg, 1, () => ({ id: 'other', label: 'Mayoristas' }))
copy('contact_tag', ofOrg, many, i => ({ contact_id: `c${i}`, tag_id: 'other' }))
copy('message', `${ofOrg} and direction = 'in' and id not like 'in%'`, many, i => ({
  id: `more${i}`,
  wamid: `wamid.more${i}`,
}))
copy('job', "kind = 'outbox.message'", many, i => ({
  org_id: orgId,
  payload: JSON.stringify({ messageId: `out${i}` }),
  unique_key: `out${i}`,
  order_key: null,
  pace_key: `number ${connectionId}`,
  queue: `outbox.message/1/${orgId}/number ${connectionId}`,
  state: 'scheduled',
  // Not while this test runs, and no later than such a job ever waits.
  due_at: new Date(Date.now() + 20 * 60_000).toISOString(),
  finished_at: null,
}))
copy('notification', ofOrg, many, i => ({ id: `n${i}`, viewed_at: null, place: `p${i}`, conversation_id: `v${i}` }))
copy('sandbox_customer', ofOrg, many, i => ({ wa_id: waIdOf(i), bsuid: `AR.${i}` }))
copy('sandbox_message', ofOrg, many, i => ({ wamid: `wamid.s${i}` }))

copy('media', ofOrg, 1, () => ({ id: 'failed', message_id: 'in0', state: 'failed', path: null, sha256: null }))
copy('session', `"userId" = '${owner.user.id}'`, 1, () => ({ id: 'elsewhere', token: 'elsewhere' }))
insert('second_factor', [
  { user_id: owner.user.id, secret: 'sealed', last_step: 0, created_at: '2020-01-01T00:00:00.000Z' },
])
insert('trusted_device', [
  {
    id: 'a-browser',
    user_id: owner.user.id,
    token_hash: 'hash',
    created_at: '2020-01-01T00:00:00.000Z',
    last_used_at: '2020-01-01T00:00:00.000Z',
    expires_at: '2100-01-01T00:00:00.000Z',
  },
])
const expired = newId()
copy('invitation', `id = '${ids.invitation}'`, 1, () => ({
  id: expired,
  email: 'tarde@example.com',
  expiresAt: '2020-01-01T00:00:00.000Z',
}))

const nothingSent = {
  planned: 0,
  queued: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  replied: 0,
  unconfirmed: 0,
  failed: 0,
  omitted: 0,
}
/** A bulk send in the state that each of these calls requires. */
const sends = Object.entries({
  approve: 'ready',
  start: 'ready',
  schedule: 'ready',
  unschedule: 'scheduled',
  pause: 'running',
  resume: 'paused',
  cancel: 'running',
  retry: 'completed',
}).map(([name, state]) => ({ name, state, id: newId() }))
for (const { name, id, state } of sends) {
  copy('bulk_send', ofOrg, 1, () => ({
    ...nothingSent,
    id,
    state,
    ...(name === 'approve'
      ? { approval: 'needed', creator_id: planner.user.id }
      : { approval: null, creator_id: owner.user.id }),
    ...(state === 'completed' ? { failed: many } : { planned: many }),
  }))
  copy('bulk_recipient', ofOrg, many, i => ({
    id: `${id} ${i}`,
    send_id: id,
    place: i,
    given: waIdOf(i),
    ...(state === 'completed' ? { state: 'failed', reason: '131042' } : { state: 'planned', reason: null }),
  }))
}

/** A published flow for each of these calls. */
const flows = (
  [
    ['PUT', '', { revision: 1 }],
    ['DELETE', '', undefined],
    ['POST', '/publish', { revision: 1 }],
    ['POST', '/pause', { paused: true }],
    ['POST', '/start', { phone: customer }],
    ['POST', '/simulate', { inputs: [{ kind: 'advance', ms: 86_400_000 }] }],
    ['POST', '/replay', { days: replayLimits.days }],
    ['POST', '/call', { nodeId: 's' }],
    ['POST', '/versions/:version/restore', { revision: 1 }],
  ] as const
).map(([method, path, body]) => ({ call: `${method} /api/whatsapp/flows/:id${path}`, body, id: newId() }))
for (const { id } of flows) {
  copy('flow', `id = '${ids.flow}'`, 1, () => ({ id }))
  copy('flow_version', `flow_id = '${ids.flow}'`, 1, () => ({ flow_id: id }))
}
copy('flow_session', ofOrg, many, i => ({
  id: `session${i}`,
  flow_id: flows.find(({ call }) => call.startsWith('DELETE'))?.id,
  contact_id: `c${i}`,
  conversation_id: `v${i}`,
  state: 'waitingAnswer',
  ended_at: null,
}))

/** A scheduled message for each of these calls. */
const scheduled = ['PATCH *', 'DELETE *', 'POST */send'].map(call => ({ call, id: newId() }))
for (const { id } of scheduled) copy('scheduled_message', ofOrg, 1, () => ({ id }))

/** Windows that close within two hours, and the template for them. */
const [fieldOption] = JSON.parse(theOne(`select options from contact_field where ${ofOrg}`))
const closing = Array.from({ length: maxChatsAtOnce }, (_, i) => `v${2000 + i}`)
const soon = new Date(backend.clock.now().getTime() + 3_600_000).toISOString()
write
  .prepare(`update conversation set window_closes_at = ? where id in (${closing.map(() => '?').join()})`)
  .run(soon, ...closing)
write.prepare(`update org_settings set window_template = ? where ${ofOrg}`).run(
  JSON.stringify({
    template: ids.templateName,
    language: 'es_AR',
    values: { 'header.media': 'https://example.com/x.png' },
  }),
)

copy('chat_draft', ofOrg, 1, () => ({ person_id: heir.user.id }))

/** Addressed to all contacts with the tag. */
const toMany = {
  template: ids.template,
  audience: { tags: { ids: [ids.tag], match: 'any' } },
  values: { image: 'https://example.com/x.png' },
}

/** None of them is known. */
const file = {
  text: `telefono,nombre\n${Array.from({ length: many }, (_, i) => `+54911${46_000_000 + i},Ana`).join('\n')}`,
}
const manyNumbers = Array.from({ length: many }, (_, i) => `+54911${46_000_000 + i}`).join('\n')

const noteByHook = { kind: 'note', number: '{{phone}}', text: 'Hola' }

/** Parameters and fields for each call. */
const meant: Readonly<Record<string, Input>> = {
  'DELETE /api/account/sessions/:id': { params: { id: 'elsewhere' } },
  'DELETE /api/account/trusted-devices/:id': { params: { id: 'a-browser' } },
  'POST /api/members/content-permissions': { body: { role: 'member', phoneTagId: ids.tag } },
  'POST /api/stats/report/:id/stop': { params: { id: ids.statsExport } },
  'DELETE /api/stats/report/:id': { params: { id: ids.statsExport } },
  'POST /api/imports/:id/mapping': { params: { id: ids.chatImport } },
  'DELETE /api/imports/:id': { params: { id: ids.chatImport } },
  'PATCH /api/notify': { query: { id: ids.notification } },
  'PUT /api/notify/mutes/:id': { params: { id: ids.conversation } },
  'POST /api/notify/viewed': { body: { upTo: `n${many - 1}` } },
  'PUT /api/organization/logo': { body: { dataBase64: pixel } },
  'PUT /api/account/picture': { body: { dataBase64: pixel } },
  'PUT /api/whatsapp/connection/profile/picture': { body: { dataBase64: pixel } },
  'PUT /api/whatsapp/connections/order': { body: { ids: [connectionId] } },
  'POST /api/whatsapp/contact-imports': {
    body: {
      columns: ['phone', 'name'],
      text: `tel,x\n${Array.from({ length: many }, (_, i) => waIdOf(i)).join(',Ana\n')}`,
    },
  },
  'POST /api/whatsapp/contacts': { body: { phone: customer, name: 'Lucía' } },
  'POST /api/whatsapp/contact-imports/:id/stop': { params: { id: ids.contactImport } },
  'POST /api/whatsapp/contact-merges/:id/undo': {
    // The merge just made.
    get params() {
      return { id: theOne(`select id from contact_merge where ${ofOrg} and moved is not null`) }
    },
  },
  'POST /api/whatsapp/conversations/:phone/merge': { params: { phone: waIdOf(7) }, body: { other: customer } },
  'POST /api/whatsapp/flows/:id/hook': { params: { id: ids.flow } },
  'PUT /api/whatsapp/flows/:id/presence': { params: { id: ids.flow } },
  'POST /api/whatsapp/ready-answers/:id/file': { params: { id: ids.readyAnswer } },
  'DELETE /api/whatsapp/ready-answers/:id/file': { params: { id: ids.readyAnswer } },
  'POST /api/organization/deletion': { body: { slug: owner.org.slug } },
  'POST /api/organization/transfer': { body: { userId: heir.user.id } },
  'POST /api/sso/domain-code': {
    body: { providerId: theOne(`select id from sso_provider where ${ofOrg}`), mailbox: 'admin' },
  },
  'POST /api/sso/test': { body: ssoTestExample },
  'POST /api/push/subscriptions': { body: aBrowser().subscription },
  'POST /api/sandbox/inbound': { body: { from: customer, text: 'Hola' } },
  'POST /api/whatsapp/connection/round-trip': { body: { to: customer } },
  'POST /api/sandbox/template/:id': { params: { id: ids.template } },
  'POST /api/verify/invitations/:id/renewal': { params: { id: expired } },
  'POST /api/whatsapp/bulk-sends': { body: { ...toMany, startIfPlanned: many + 1 } },
  'POST /api/whatsapp/bulk-sends/plan': { body: { ...toMany, audience: { ...toMany.audience, csv: file } } },
  'POST /api/whatsapp/bulk-sends/count': { body: { ...toMany, audience: { ...toMany.audience, csv: file } } },
  'POST /api/whatsapp/bulk-sends/test': { body: { ...toMany, number: '+54 9 11 5555-9999' } },
  'DELETE /api/whatsapp/segments/:id': { params: { id: ids.segment } },
  'PUT /api/whatsapp/bulk-drafts/:id': {
    params: { id: ids.bulkDraft },
    body: { revision: 1, steps: aBulkDraft({ numbers: manyNumbers }) },
  },
  'DELETE /api/whatsapp/bulk-drafts/:id': { params: { id: ids.bulkDraft } },
  'POST /api/whatsapp/bulk-sends/file': { body: { csv: { text: `tel,x\n${'1155551234,"a""b"\n'.repeat(many)}` } } },
  ...Object.fromEntries(sends.map(({ name, id }) => [`POST /api/whatsapp/bulk-sends/:id/${name}`, { params: { id } }])),
  ...Object.fromEntries(
    flows.map(({ call, id, body }) => [
      call,
      { params: { id }, ...(body ? { body } : { query: { endSessions: true } }) },
    ]),
  ),
  'PUT /api/whatsapp/assignment-rules': {
    body: { teamId: null, rule: { way: 'leastBusy', most: null, toLast: true } },
  },
  'POST /api/whatsapp/chat/archive': { body: { phoneNumber: customer } },
  'POST /api/whatsapp/contacts/changes': {
    body: {
      ids: Array.from({ length: maxContactsAtOnce }, (_, i) => `c${i}`),
      field: { id: ids.contactField, value: fieldOption },
      optedOut: true,
    },
  },
  'POST /api/whatsapp/conversations/changes': {
    body: {
      ids: Array.from({ length: maxChatsAtOnce }, (_, i) => `v${i}`),
      archived: true,
      read: true,
      untagId: 'other',
      userId: colleague,
    },
  },
  'POST /api/whatsapp/conversations/window-template': { body: { ids: closing } },
  'POST /api/whatsapp/conversations/:phone/snooze': { body: { ifNoAnswerWithinMs: 86_400_000 } },
  'POST /api/whatsapp/conversations/:phone/erasure': { body: { confirm: customer } },
  ...Object.fromEntries(
    scheduled.map(({ call, id }) => [
      `${call.replace('*', '/api/whatsapp/conversations/:phone/scheduled/:id')}`,
      { params: { id } },
    ]),
  ),
  'POST /api/whatsapp/conversations/:phone/draft/take': { body: { personId: heir.user.id } },
  'PATCH /api/whatsapp/conversations/:phone/notes/:noteId': { params: { noteId: ids.note } },
  'DELETE /api/whatsapp/conversations/:phone/notes/:noteId': { params: { noteId: ids.note } },
  'PUT /api/whatsapp/conversations/:phone/assignee': { params: { phone: customer }, body: { userId: colleague } },
  'POST /api/whatsapp/media/:id/retry': { params: { id: 'failed' } },
  'POST /api/whatsapp/messages': { body: { numberTel: customer, message: 'Hola' } },
  'POST /api/whatsapp/messages_template': {
    body: { ...toMany.values, phones: Array.from({ length: many }, (_, i) => waIdOf(i)), template: ids.template },
  },
  'POST /api/whatsapp/number': { body: { phone: ours } },
  'POST /api/verify/auth': { body: { number: ours } },
  'PUT /api/whatsapp/namewaba': { body: { phone: ours } },
  'POST /api/whatsapp/messages/:id/cancel': { params: { id: 'out1' } },
  'POST /api/whatsapp/messages/:id/reaction': { params: { id: ids.message } },
  'POST /api/whatsapp/messages/:id/retry': { params: { id: ids.failed } },
  'DELETE /api/whatsapp/history': { query: { id: ids.history } },
  'PATCH /api/whatsapp/ready-answers/:id': { params: { id: ids.readyAnswer } },
  'DELETE /api/whatsapp/ready-answers/:id': { params: { id: ids.readyAnswer } },
  'PATCH /api/whatsapp/views/:id': { params: { id: ids.savedView }, body: { name: 'Otra' } },
  'DELETE /api/whatsapp/views/:id': { params: { id: ids.savedView } },
  'PATCH /api/whatsapp/contact-fields/:id': { params: { id: ids.contactField }, body: { label: 'Otro dato' } },
  'DELETE /api/whatsapp/contact-fields/:id': { params: { id: ids.contactField } },
  'POST /api/whatsapp/flows/:id/replay/stop': { params: { id: ids.flow } },
  'POST /api/whatsapp/flows/:id/test': { params: { id: ids.flow } },
  'DELETE /api/whatsapp/flows/:id/test': { params: { id: ids.flow } },
  'PUT /api/whatsapp/flow-settings': {},
  'POST /api/whatsapp/outgoing-webhooks': { body: { url: 'https://orders.example.com/' } },
  'PATCH /api/whatsapp/outgoing-webhooks/:name': {
    params: { name: ids.webhook },
    body: { url: 'https://orders.example.com/' },
  },
  'POST /api/whatsapp/outgoing-webhooks/:name/secret': { params: { name: ids.webhook } },
  'POST /api/whatsapp/outgoing-webhooks/:name/test': { params: { name: ids.webhook } },
  'POST /api/whatsapp/outgoing-webhooks/:name/redeliver': {
    params: { name: ids.webhook },
    body: { since: '2026-01-01T00:00:00.000Z' },
  },
  'POST /api/whatsapp/outgoing-webhooks/:name/deliveries/:id/redeliver': {
    params: { name: ids.webhook, id: ids.webhookDelivery },
  },
  'DELETE /api/whatsapp/outgoing-webhooks/:name': { params: { name: ids.webhook } },
  'POST /api/whatsapp/incoming-hooks': { body: { action: noteByHook } },
  'POST /api/whatsapp/incoming-hooks/test': { body: { action: noteByHook, sample: `{"phone":"${customer}"}` } },
  'PATCH /api/whatsapp/incoming-hooks/:id': { params: { id: ids.incomingHook }, body: { name: 'Otro' } },
  'POST /api/whatsapp/incoming-hooks/:id/address': { params: { id: ids.incomingHook } },
  'POST /api/whatsapp/incoming-hooks/:id/calls/:callId/replay': {
    params: { id: ids.incomingHook, callId: ids.incomingCall },
  },
  'DELETE /api/whatsapp/incoming-hooks/:id': { params: { id: ids.incomingHook } },
  'PUT /api/whatsapp/flow-secrets/:name': { params: { name: ids.flowSecret } },
  'DELETE /api/whatsapp/flow-secrets/:name': { params: { name: ids.flowSecret } },
  'PATCH /api/whatsapp/tags/:id': { body: { label: 'Minoristas' } },
  'POST /api/whatsapp/tags/:id/merge': { params: { id: 'other' }, body: { into: ids.tag } },
  'PUT /api/whatsapp/template/:id': { params: { id: ids.template } },
  'DELETE /api/whatsapp/template/:id/:name': { params: { id: ids.template, name: ids.templateName } },
  'POST /api/whatsapp/template': {
    body: {
      template: {
        name: 'nueva',
        language: 'es_AR',
        category: 'UTILITY',
        components: [{ type: 'BODY', text: 'Aviso para quienes compran acá.' }],
      },
    },
  },
}
const paramsOf = (call: string): Record<string, unknown> => ({
  phone: customer,
  tagId: ids.tag,
  ...(call.includes('/tags/:id') ? { id: ids.tag } : {}),
  ...meant[call]?.params,
})

/** Last, because they remove what the others need. */
const last = [
  'DELETE /api/whatsapp/conversations/:phone/notes/:noteId',
  'POST /api/whatsapp/conversations/:phone/merge',
  'POST /api/whatsapp/contact-merges/:id/undo',
  'POST /api/whatsapp/conversations/:phone/erasure',
  'DELETE /api/whatsapp/ready-answers/:id',
  'DELETE /api/stats/report/:id',
  'DELETE /api/imports/:id',
  'DELETE /api/whatsapp/outgoing-webhooks/:name',
  'DELETE /api/whatsapp/incoming-hooks/:id',
  'DELETE /api/whatsapp/tags/:id',
  'DELETE /api/whatsapp/contact-fields/:id',
  'DELETE /api/sandbox',
  'DELETE /api/whatsapp/connection',
  'POST /api/organization/transfer',
]

/** Calls that no input makes succeed here, and why. */
const refused: Readonly<Record<string, string>> = {
  'PUT /api/account/password': 'asks for a code that was mailed; it is of one person, however much an organization has',
  'PUT /api/account/email': 'asks for codes that were mailed, as above',
  'POST /api/account/password/removal': 'there is no password, as above',
  'DELETE /api/site/people/:id/sessions/:sessionId':
    'who administers the site ends one session of a person, however much an organization has',
  'POST /api/organization/programs': 'no program is registered here; it stores one code, however much there is',
  'DELETE /api/organization/programs/:id': 'no program is connected here; it ends one and its tokens',
  'DELETE /api/account/programs/:id': 'no program is connected here, as above',
  'PUT /api/organization/sso': 'no DNS answers here, so no provider is active that could be demanded',
  'POST /api/whatsapp/flows/:id/call': 'no step of the draft calls anybody; who is called is the network, for one step',
  'POST /api/whatsapp/ready-answers/:id/file': 'its file comes as a form; it is one answer, however many there are',
  'POST /api/stats/mail/send': 'it was mailed a moment ago; it is one job, however much an organization has',
  'POST /api/stats/mail/subscription': 'its link stands in a mail; it changes one row of one person',
  ...Object.fromEntries(
    ['preview', 'start', 'pause', 'resume', 'undo'].map(act => [
      `POST /api/imports/:id/${act}`,
      'its file is not whole; it changes one row and adds a job, however much an organization has',
    ]),
  ),
  'POST /api/sandbox/signup': 'no app is set up here; it is one number, however much an organization has',
  'PUT /api/whatsapp/connection': 'Meta looks at the number, and nobody answers for Meta here',
}

t.test('every changing call, in a large organization', async t => {
  const rank = (call: string) => last.indexOf(call)
  const routes = (await listRoutes())
    .filter(({ method, endpoint }) => method !== 'GET' && endpoint)
    .sort((a, b) => rank(`${a.method} ${a.url}`) - rank(`${b.method} ${b.url}`))
  for (const { method, url, endpoint } of routes) {
    if (!endpoint) continue
    const call = `${method} ${url}`
    const example = exampleOf(url, endpoint)
    const input: Input = {
      params: { ...example.params, ...paramsOf(call) },
      query: { ...example.query, ...meant[call]?.query },
      ...(endpoint.body ? { body: { ...example.body, ...meant[call]?.body } } : {}),
    }
    await expectLittle(t, write, call, async () => {
      const reply = await backend.inject({
        method: method as 'POST',
        url: addressOf(url, input),
        headers: { cookie: owner.cookie },
        ...(input.body ? { payload: input.body } : {}),
      })
      t.equal(reply.statusCode >= 300, call in refused, `${call}: ${reply.statusCode} ${reply.body.slice(0, 300)}`)
      // The work that follows counts as well.
      backend.parts.jobs.wake()
      await backend.parts.jobs.idle()
    })
  }
  const calls = routes.map(({ method, url }) => `${method} ${url}`)
  for (const call of [...last, ...Object.keys(refused), ...Object.keys(meant)])
    t.ok(calls.includes(call), `${call} is a call`)
})
