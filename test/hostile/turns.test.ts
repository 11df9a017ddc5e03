/**
 * However much there is: no reading call, webhook or job of any kind asks SQLite for more than a bounded amount of work
 * per turn of the event loop.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { listRoutes } from '#server/cli/route-list.ts'
import { createVault } from '#server/platform/crypto/secrets.ts'
import { webhookFields } from '#server/whatsapp/webhooks/field-items.ts'
import type { EndpointShape } from '#shared/kernel/contract.ts'
import { webhookLimits } from '#shared/outgoing-webhooks/api.ts'
import { testSecret } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { addressOf, exampleOf, fieldsOf } from '#test/helpers/examples.ts'
import { countedTurn } from '#test/helpers/loop-turn.ts'
import { each, type Row, rowsInto } from '#test/helpers/many-rows.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'
import { isNight } from '#test/helpers/night.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { addConversations, expectLittle, waIdOf } from '#test/helpers/turns.ts'

t.setTimeout(fileTimeoutMs)

/** Handled at once, each of these would be too much for a turn. */
const many = isNight ? 2000 : 1200
const manyRows = 6000
/** As many as one job of outgoing webhooks has. */
const [eventsPerJob, webhooksPerJob, manyJobs] = [50, 20, 8]
/** Each is a call over the network. */
const manyCalls = 120

const backend = await startBackend(t, {
  databases: await freshDatabases(countedTurn()),
  takeSnapshot: async () => ({ bytes: 1, rows: 1 }),
})
const { owner } = await aNeighbour(backend, { orgName: 'Panadería', customer: '5491155550101' })
const orgId = owner.org.id
const { write } = backend.databases.raw
const now = () => backend.clock.now().toISOString()
const old = '2020-01-01T00:00:00.000Z'
const longAgo = Date.parse(old)

const { insert, copy } = rowsInto(write)
const ofOrg = `org_id = '${orgId}'`
const idIn = (table: string, where = '1') =>
  write.prepare(`select id from "${table}" where ${where} limit 1`).pluck().get() as string
const connectionId = idIn('wa_connection', ofOrg)
const subscriptionId = idIn('push_subscription')

addConversations(write, orgId, many)

/** Rows of due jobs. */
const due = (kind: string, payloads: readonly unknown[], of = orgId) =>
  insert(
    'job',
    payloads.map(payload => ({
      org_id: of,
      kind,
      lane: 1,
      queue: `${kind}/1/${of}/`,
      pace_key: '',
      payload: JSON.stringify(payload),
      state: 'waiting',
      blocked: 0,
      attempts: 0,
      due_at: now(),
      added_at: now(),
    })),
  )
const dueNow = (kind: string) =>
  write.prepare("update job set state = 'waiting', due_at = ? where kind = ? and state = 'scheduled'").run(old, kind)

/** Rows for each chore to delete. */
const oldRows = () => {
  const orgRow = (i: number) => ({ org_id: orgId, seq: i + 1_000_000, type: 'x', at: old, data: '{}' })
  insert(
    'webhook_journal',
    each(manyRows, () => ({ received_at: old, raw: Buffer.from('{}'), state: 1 })),
  )
  write.prepare('update webhook_journal set state = 1, received_at = ?').run(old)
  insert('event', each(manyRows, orgRow))
  insert(
    'idempotency',
    each(manyRows, i => ({ org_id: orgId, caller: 'x', key: `${i}`, endpoint: '', request_hash: '', created_at: old })),
  )
  insert(
    'verification',
    each(manyRows, i => ({ id: `${i}`, identifier: '', value: '', expiresAt: old, createdAt: old, updatedAt: old })),
  )
  insert(
    'sign_in_budget',
    each(manyRows, i => ({ key: `${i}`, used: 1, window_ends_at: old })),
  )
  insert(
    'sign_in_flow',
    each(manyRows, i => ({ id: `${i}`, address_key: '', network_key: '', asked_at: old })),
  )
  insert(
    'uploaded_file',
    each(manyRows, i => ({
      org_id: orgId,
      connection_id: connectionId,
      sha256: `${i}`,
      mime: '',
      provider_id: '',
      uploaded_at: old,
    })),
  )
  // Not two letters, which are the names of media folders.
  insert(
    'received_file',
    each(many, i => ({ id: `r${i}`, org_id: orgId, path: `${orgId}/received${i}`, created_at: old })),
  )
  insert(
    'sandbox_media',
    each(manyRows, i => ({
      id: `sm${i}`,
      org_id: orgId,
      mime: '',
      size: 0,
      sha256: '',
      expires_ms: longAgo,
      bytes: Buffer.alloc(0),
    })),
  )
  const merge = { org_id: orgId, contact_id: 'c0', name: 'Ana', by_name: 'Ana', merged_at: old, undo_until: old }
  insert(
    'contact_merge',
    each(many, i => ({ ...merge, id: `merge${i}` })),
  )
  insert(
    'contact_merge_message',
    each(manyRows, i => ({ org_id: orgId, merge_id: 'merge0', message_id: `${i}`, conversation_id: 'v0' })),
  )
  const flowId = idIn('flow', ofOrg)
  insert(
    'flow_presence',
    each(manyRows, i => ({ org_id: orgId, flow_id: flowId, person_id: `${i}`, name: 'Ana', looks_until: old })),
  )
  const call = { method: 'GET', route: '', status: 200, has_failed: 0, took_ms: 1, address: '', request_id: '' }
  const keyId = idIn('apikey')
  insert(
    'api_call',
    each(manyRows, i => ({ ...call, id: `call${i}`, org_id: orgId, key_id: keyId, at: old })),
  )
  const hookId = idIn('incoming_hook', ofOrg)
  copy('incoming_call', ofOrg, manyRows, i => ({ id: `asked${i}`, hook_id: hookId, at: old, client_key: null }))
  // One a night, or one an hour that fails.
  insert(
    'snapshot',
    each(many, i => ({ id: `night${i}`, began_at: old, ended_at: old, failure: 'failed' })),
  )
  copy('sandbox_message', ofOrg, manyRows, i => ({ wamid: `wamid.old${i}`, at_ms: longAgo }))
  copy('session', '1', manyRows, i => ({ id: `s${i}`, token: `s${i}`, expiresAt: old }))
  copy('notification', ofOrg, manyRows, i => ({ id: `old${i}`, place: '', conversation_id: null, created_at: old }))
  copy('job', "state = 'done'", manyRows, () => ({ unique_key: null, order_key: null, finished_at: old }))
}

const hasOldRows = () =>
  Object.entries({
    webhook_journal: 'received_at',
    event: 'at',
    idempotency: 'created_at',
    verification: 'expiresAt',
    sign_in_budget: 'window_ends_at',
    sign_in_flow: 'asked_at',
    uploaded_file: 'uploaded_at',
    received_file: 'created_at',
    sandbox_media: 'expires_ms',
    sandbox_message: 'at_ms',
    session: 'expiresAt',
    notification: 'created_at',
    job: 'finished_at',
    contact_merge: 'undo_until',
    flow_presence: 'looks_until',
    api_call: 'at',
    incoming_call: 'at',
    snapshot: 'began_at',
  })
    .filter(([table, at]) =>
      write.prepare(`select 1 from "${table}" where "${at}" in (?, ?) limit 1`).get(old, longAgo),
    )
    .map(([table]) => table)

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

/** The customers of these conversations, and nobody else, wait for a first response. */
const waitOf = (conversationIds: readonly string[]) => {
  write.exec('delete from answer_due')
  insert(
    'answer_due',
    conversationIds.map(id => ({
      conversation_id: id,
      org_id: orgId,
      segment_id: 'none',
      since: now(),
      due_at: old,
      warned_at: null,
    })),
  )
}

/** Gives each kind of job as much to do as possible. A new kind fails until it is listed here. */
const loads: Readonly<Record<string, () => unknown>> = {
  'outbox.message': () =>
    due(
      'outbox.message',
      each(manyCalls, i => ({ messageId: `out${i}` })),
    ),
  'outbox.gone'() {
    copy('job', "kind = 'outbox.message'", manyCalls, i => ({
      payload: JSON.stringify({ messageId: `out${i}` }),
      unique_key: `out${String(i).padStart(5, '0')}`,
      order_key: null,
      pace_key: 'number gone',
      queue: `outbox.message/1/${orgId}/number gone`,
      state: 'scheduled',
      due_at: new Date(Date.now() + 20 * 60_000).toISOString(),
      finished_at: null,
    }))
    due('outbox.gone', [{ connectionId: 'gone', after: '' }])
  },
  'outbox.unconfirmed': () =>
    due(
      'outbox.unconfirmed',
      each(many - 2 * manyCalls, i => ({ messageId: `out${i + manyCalls}` })),
    ),
  'outbox.receipt': () =>
    due(
      'outbox.receipt',
      each(manyCalls, i => ({ kind: 'read', wamid: `wamid.in${i}`, connectionId })),
    ),
  'outbox.reaction': () =>
    due(
      'outbox.reaction',
      each(manyCalls, i => ({
        messageId: `in${i}`,
        connectionId,
        targetWamid: `wamid.in${i}`,
        to: waIdOf(i),
        emoji: '👍',
        before: '',
        at: now(),
      })),
    ),
  'bulkSends.prepare'() {
    const tagId = idIn('tag', ofOrg)
    copy('contact_tag', ofOrg, many, i => ({ contact_id: `c${i}`, tag_id: tagId }))
    const values = { image: 'https://example.com/x.png' }
    const rows = Array.from({ length: manyRows }, (_, i) => `+54911${46_000_000 + i},Ana ${i}`)
    const audiences = {
      tagged: { tags: { ids: [tagId], match: 'any' } },
      file: { csv: { text: ['telefono,nombre', ...rows].join('\n') } },
    }
    for (const [id, audience] of Object.entries(audiences))
      copy('bulk_send', ofOrg, 1, () => ({
        ...nothingSent,
        id,
        state: 'preparing',
        request: JSON.stringify({ template: 'x', audience, values }),
      }))
    due('bulkSends.prepare', [{ sendId: 'tagged' }, { sendId: 'file' }])
  },
  'bulkSends.handOver'() {
    copy('bulk_send', ofOrg, 3, i => ({ ...nothingSent, id: `running${i}`, state: 'running', planned: many }))
    for (const sendId of ['running0', 'running1', 'running2'])
      copy('bulk_recipient', ofOrg, many, i => ({
        id: `${sendId} ${i}`,
        send_id: sendId,
        place: i,
        given: waIdOf(i),
        state: 'planned',
        reason: null,
      }))
    due('bulkSends.handOver', [{ sendId: 'running0' }, { sendId: 'running1' }, { sendId: 'running2' }])
  },
  'bulkSends.start'() {
    const startsAt = now()
    copy('bulk_send', ofOrg, manyCalls, i => ({
      ...nothingSent,
      id: `due${i}`,
      state: 'scheduled',
      starts_at: startsAt,
      planned: 1,
    }))
    due(
      'bulkSends.start',
      each(manyCalls, i => ({ sendId: `due${i}`, startsAt })),
    )
  },
  'inbox.windowClosing': () =>
    due(
      'inbox.windowClosing',
      each(manyCalls, i => ({ conversationId: `v${i}` })),
    ),
  'promise.warning'() {
    waitOf(Array.from({ length: manyCalls }, (_, i) => `v${i}`))
    due(
      'promise.warning',
      each(manyCalls, i => ({ conversationId: `v${i}`, segmentId: 'none' })),
    )
  },
  'promise.changed'() {
    waitOf(write.prepare(`select id from conversation where ${ofOrg}`).pluck().all() as string[])
    due('promise.changed', [{}])
  },
  'inbox.scheduledMessage'() {
    const dueAt = now()
    copy('scheduled_message', ofOrg, manyCalls, i => ({
      id: `later${i}`,
      conversation_id: `v${i}`,
      due_at: dueAt,
      held_code: null,
    }))
    due(
      'inbox.scheduledMessage',
      each(manyCalls, i => ({ scheduledId: `later${i}`, dueAt })),
    )
  },
  'inbox.snooze'() {
    const until = now()
    insert(
      'snooze',
      each(manyCalls, i => ({
        ...{ conversation_id: `v${i}`, org_id: orgId, until, if_no_answer: 0, created_at: old, ended_at: null },
        ...{ by_id: owner.user.id, by_name: owner.user.name },
      })),
    )
    write.prepare(`update conversation set archived = 2 where id in (select conversation_id from snooze)`).run()
    due(
      'inbox.snooze',
      each(manyCalls, i => ({ conversationId: `v${i}`, until })),
    )
  },
  'flows.message': () =>
    due(
      'flows.message',
      each(manyCalls, i => ({
        messageId: `in${i}`,
        conversationId: `k${i}`,
        contactId: `c${i}`,
        text: 'Hola',
        isText: true,
        tappedId: null,
        starts: null,
      })),
    ),
  'flows.timer': () =>
    due(
      'flows.timer',
      each(manyCalls, i => ({ sessionId: `f${i}`, contactId: `c${i}`, steps: 1 })),
    ),
  'flows.call': () =>
    due(
      'flows.call',
      each(manyCalls, i => ({
        sessionId: `h${i}`,
        contactId: `c${i}`,
        steps: 1,
        call: {
          ...{ method: 'GET', url: ['https://tienda.example/pedidos'], headers: [], body: null, bodyKind: 'nothing' },
          ...{ timeoutMs: 1000, isSafe: true, isKeyed: false },
        },
      })),
    ),
  'outgoing.delivery': () =>
    due(
      'outgoing.delivery',
      each(manyCalls, i => ({ deliveryId: `d${i}` })),
    ),
  'outgoing.events': () =>
    due(
      'outgoing.events',
      each(manyJobs, job => ({
        events: each(eventsPerJob, i => ({
          ...{ id: `e${job}-${i}`, type: 'message.received', body: '{}', line: `v${i}` },
          webhooks: Array.from({ length: webhookLimits.webhooks }, (_, name) => `w${name}`),
        })),
      })),
    ),
  'outgoing.raw'() {
    copy('outgoing_webhook', ofOrg, webhookLimits.webhooks, i => ({ name: `raw${i}`, format: 'meta', active: 1 }))
    copy('webhook_journal', '1', manyJobs * webhooksPerJob, () => ({}))
    const seqs = write
      .prepare('select seq from webhook_journal order by seq desc limit ?')
      .pluck()
      .all(many) as number[]
    due(
      'outgoing.raw',
      each(manyJobs, job => ({ seqs: seqs.slice(job * webhooksPerJob, (job + 1) * webhooksPerJob) })),
    )
  },
  'outgoing.again'() {
    copy('webhook_delivery', ofOrg, many, i => ({ id: `again${i}`, webhook: 'w0', state: 'failed', created_at: old }))
    const range = { webhook: 'w0', since: old, until: now(), states: ['failed'] }
    due('outgoing.again', [{ ...range, after: '', left: many }])
  },
  'outgoing.gone': () =>
    due(
      'outgoing.gone',
      each(manyCalls, i => ({ webhook: `w${i}`, until: '2020-01-01T00:00:00.000Z' })),
    ),
  'flows.replay': () =>
    due(
      'flows.replay',
      each(manyCalls, i => ({ replayId: `r${i}` })),
    ),
  'flows.begin': () =>
    due(
      'flows.begin',
      each(manyCalls, i => ({ flowId: 'f', triggerId: 't', conversationId: `k${i}`, contactId: `c${i}` })),
    ),
  'bulkSends.rights'() {
    copy('bulk_send', ofOrg, many, i => ({
      ...nothingSent,
      id: `waiting${i}`,
      state: 'scheduled',
      starts_at: '2099-01-01T00:00:00.000Z',
      started_at: null,
      creator_id: 'gone',
      people_tags: '[["a"]]',
    }))
    due('bulkSends.rights', [{ peopleOnly: false, merged: { from: 'a', into: 'b' } }])
  },
  'bulkSends.announce'() {
    copy('bulk_send', ofOrg, manyCalls, i => ({ ...nothingSent, id: `full${i}` }))
    due(
      'bulkSends.announce',
      each(manyCalls, i => ({ sendId: `full${i}` })),
    )
  },
  media() {
    copy('media', ofOrg, manyCalls, i => ({
      id: `m${i}`,
      message_id: `in${i}`,
      provider_id: `${i}`,
      state: 'pending',
      path: null,
    }))
    due(
      'media',
      each(manyCalls, i => ({ mediaId: `m${i}` })),
    )
  },
  'media.upload'() {
    copy('media', ofOrg, manyCalls, i => ({ id: `up${i}`, message_id: `out${many - 1 - i}`, sha256: `${i}` }))
    due(
      'media.upload',
      each(manyCalls, i => ({ messageId: `out${many - 1 - i}`, fileId: `up${i}`, connectionId })),
    )
  },
  push() {
    copy('notification', ofOrg, manyCalls, i => ({
      id: `n${i}`,
      viewed_at: null,
      conversation_id: `v${i}`,
      place: `p${i}`,
      created_at: now(),
    }))
    due(
      'push',
      each(manyCalls, i => ({ notificationId: `n${i}`, subscriptionId })),
    )
  },
  'numbers.messagingLimit'() {
    copy('wa_connection', ofOrg, 40, i => ({ id: `n${i}`, phone_number_id: `${7_000_000 + i}`, disconnected_at: null }))
    due('numbers.messagingLimit', [{}])
  },
  'templates.sync'() {
    copy('sandbox_template', ofOrg, many, i => ({ id: `${9_000_000 + i}`, name: `nueva_${i}` }))
    copy('template', ofOrg, many, i => ({ id: `t${i}`, name: `borrada_${i}`, status: 'APPROVED', updated_at: old }))
    due('templates.sync', [{}])
  },
  'conversation.release'() {
    write.prepare("update conversation set assignee_id = 'gone'").run()
    const by = { kind: 'system', id: 'members', name: null }
    due('conversation.release', [{ leaver: { kind: 'person', id: 'gone' }, by }])
  },
  index() {
    write.exec("insert into message_index (message_index) values ('delete-all'); update search_place set seq = 0")
    due('index', [{}], '')
  },
  segments() {
    write.exec(`delete from conversation_segment; delete from conversation_segment_place;
      update conversation_segment_read set seq = 0`)
    due('segments', [{}], '')
  },
  'stats.sent'() {
    write.exec(`delete from sent_message; delete from sent_day; delete from reply_month;
      update sent_message_read set seq = 0;
      insert into sent_message_due (message_id, org_id, opted_out)
        select id, org_id, 1 from message where direction = 'out' on conflict do nothing`)
    due('stats.sent', [{}], '')
  },
  'stats.metaPrices'() {
    due('stats.metaPrices', [{}])
  },
  'stats.export'() {
    write.exec(`delete from stats_export_part;
      update stats_export set state = 'running', ended_at = null, parts = 0, done = 0, place_at = null, place_id = null`)
    due('stats.export', [{ exportId: idIn('stats_export', ofOrg) }])
  },
  'stats.reportDue'() {
    const last = { sent_period: 'weekly 2019-02-04', next_at: old }
    write.prepare('delete from stats_report').run()
    insert('stats_report', [{ org_id: orgId, rhythm: 'weekly', ...last }])
    due('stats.reportDue', [{}])
  },
  'stats.reportMail'() {
    const userId = write.prepare('select "userId" from member where "organizationId" = ?').pluck().get(orgId)
    const days = { from: now().slice(0, 10), to: now().slice(0, 10) }
    due('stats.reportMail', [{ userId, language: 'es', rhythm: 'weekly', ...days, isAsked: true }])
  },
  'auth.credentialNotice'() {
    const notice = { to: 'ana@example.com', language: 'es', what: 'password', device: 'Firefox' }
    due(
      'auth.credentialNotice',
      each(manyCalls, () => notice),
      '',
    )
  },
  'simulator.status': () =>
    due(
      'simulator.status',
      each(many, i => ({ wamid: `wamid.sim${i % manyCalls}`, waId: waIdOf(i), plan: ['sent', 'delivered', 'read'] })),
    ),
  'simulator.webhook': () =>
    due(
      'simulator.webhook',
      each(manyCalls, () => ({ body: '{}', tried: 0 })),
    ),
  'simulator.review'() {
    copy('sandbox_template', ofOrg, manyCalls, i => ({
      id: `${8_000_000 + i}`,
      name: `espera_${i}`,
      review_ms: longAgo,
    }))
    due(
      'simulator.review',
      each(manyCalls, i => ({ templateId: `${8_000_000 + i}` })),
    )
  },
  maintenance() {
    oldRows()
    dueNow('maintenance')
  },
  'organization.halfMade'() {
    insert(
      'organization',
      each(20, i => ({ id: `half${i}`, name: 'A medias', slug: `half${i}`, createdAt: old })),
    )
    dueNow('organization.halfMade')
  },
  'organization.ownerLetter'() {
    const letter = { to: 'ana@example.com', language: 'es', what: 'slugChanged', org: 'X', by: 'Ana', detail: 'x' }
    due(
      'organization.ownerLetter',
      each(manyCalls, () => letter),
      '',
    )
  },
  'organization.deletion': () =>
    due(
      'organization.deletion',
      each(many, i => ({ orgId: `gone${i}` })),
      '',
    ),
  'contact.block': () =>
    due(
      'contact.block',
      each(manyCalls, i => ({ conversationId: `v${i}` })),
    ),
  'contact.erasure'() {
    const made = { contact_id: 'c1', name: 'Ana', by_name: 'Ana', merged_at: now(), undo_until: now() }
    insert('contact_merge', [{ ...made, id: 'erasing', org_id: orgId }])
    insert(
      'contact_merge_message',
      each(manyRows, i => ({ org_id: orgId, merge_id: 'erasing', message_id: `${i}`, conversation_id: 'v1' })),
    )
    const target = { contactId: 'c1', conversationIds: ['v1'], phones: [waIdOf(1)], userIds: [] }
    copy('message', `${ofOrg} and direction = 'in'`, many, i => ({
      ...{ id: `erased${i}`, conversation_id: 'v1', wamid: `wamid.erased${i}` },
    }))
    const at = now()
    insert(
      'event',
      each(manyRows, i => ({ org_id: orgId, seq: i + 3_000_000, type: 'x', at, data: '{}', number: waIdOf(1) })),
    )
    copy('sandbox_message', ofOrg, many, i => ({ wamid: `wamid.erasing${i}`, wa_id: waIdOf(1) }))
    insert(
      'webhook_journal',
      each(many, () => ({ received_at: at, raw: Buffer.from(waIdOf(1)), state: 1, connection_id: connectionId })),
    )
    insert('erasure', [
      {
        ...{ id: 'erasure', org_id: orgId, reason: 'asked', author_id: 'x', author_name: 'x', requested_at: at },
        ...{ number_hash: 'x', contact_id: 'c1', step: 0, place: '', messages: 0 },
        target: createVault(testSecret).encrypt(JSON.stringify(target), 'erasure erasure target'),
      },
    ])
    due('contact.erasure', [{ erasureId: 'erasure' }])
  },
  'contactField.removal'() {
    insert('contact_field', [{ id: 'field', org_id: orgId, label: 'Dato', kind: 'text', options: '[]' }])
    insert(
      'contact_value',
      each(many, i => ({ contact_id: `c${i}`, field_id: 'field', org_id: orgId, value: 'x' })),
    )
    due('contactField.removal', [{ fieldId: 'field' }])
  },
  'contactImports.take'() {
    const rows = Array.from({ length: many }, (_, i) => `+54911${44_000_000 + i},Cliente ${i},Etiqueta ${i % 20}`)
    const request = JSON.stringify({ text: ['telefono,nombre,etiquetas', ...rows].join('\n') })
    const file = { file: 'lista.csv', author_name: 'Ana', state: 'running', row_count: many, faults: '[]' }
    insert('contact_import', [{ id: 'file', org_id: orgId, ...file, request, created_at: old, announced_at: old }])
    due('contactImports.take', [{ importId: 'file' }])
  },
  'exports.archive'() {
    const author = { author_id: owner.user.id, author_name: 'Ana', language: 'es' }
    const size = { contacts: many, messages: many }
    write.prepare('delete from org_archive where org_id = ?').run(orgId)
    insert('org_archive', [
      {
        ...author,
        ...size,
        id: 'archive',
        org_id: orgId,
        state: 'running',
        path: `${orgId}/ar/chive`,
        created_at: old,
      },
    ])
    due('exports.archive', [{ id: 'archive' }])
  },
  'imports.work'() {
    const lines = Array.from(
      { length: many },
      (_, i) => `12/3/24, ${10 + (i % 10)}:${10 + (i % 50)} - ${i % 3 ? 'Ana' : 'Panadería'}: mensaje ${i}`,
    )
    const body = Buffer.from(lines.join('\n'))
    const path = `${orgId}/im/port`
    mkdirSync(join(backend.dataDir, 'media', orgId, 'im'), { recursive: true })
    writeFileSync(join(backend.dataDir, 'media', path), body)
    const mapping = { ours: 'Panadería', number: '5491155550777', connectionId }
    const found = { chats: 1, messages: many, contacts: 1, files: 0, missingFiles: 0, from: null, to: null }
    const names = [{ name: 'Ana', messages: many }]
    const one = { id: 'import', org_id: orgId, source: 'whatsapp', author_id: owner.user.id, author_name: 'Ana' }
    const json = {
      mapping: JSON.stringify(mapping),
      found: JSON.stringify({ ...found, names, dateOrder: 'dmy', isDateSure: true }),
      taken: JSON.stringify({ messages: 0, files: 0, contacts: 0, existing: 0 }),
      refused: JSON.stringify({ count: 0, first: [] }),
    }
    const size = body.length
    insert('chat_import', [
      { ...one, ...json, state: 'running', size, received: size, created_at: old, announced_at: old },
    ])
    insert('chat_import_piece', [{ import_id: 'import', org_id: orgId, start: 0, file_id: 'f', path, size }])
    due('imports.work', [{ importId: 'import' }])
  },
  'imports.fetch'() {
    // What it asked brings nothing: the conversations that came are read again, and it waits.
    const rows = Array.from({ length: many }, (_, i) => `('${i + 1}','1','${i + 1}','1','')`)
    const body = Buffer.from(
      `INSERT INTO conversations (id, account_id, contact_id, inbox_id, cached_label_list) VALUES ${rows.join(',')};\n`,
    )
    const path = `${orgId}/im/fetched`
    mkdirSync(join(backend.dataDir, 'media', orgId, 'im'), { recursive: true })
    writeFileSync(join(backend.dataDir, 'media', path), body)
    const size = body.length
    const cursor = { phase: 'messages', from: 0, to: null, after: 0, done: 0, total: many }
    insert('chat_import', [
      {
        ...{ id: 'fetched', org_id: orgId, source: 'chatwoot', author_id: owner.user.id, author_name: 'Ana' },
        ...{ state: 'reading', mapping: '{}', refused: JSON.stringify({ count: 0, first: [] }), size, received: size },
        taken: JSON.stringify({ messages: 0, files: 0, contacts: 0, existing: 0 }),
        remote: JSON.stringify({ address: 'https://chatwoot.example.com', account: '1', cursor, troubles: 0 }),
        token: backend.parts.vault.encrypt('token', `chat_import.token:${orgId}/fetched`),
        ...{ created_at: old, announced_at: old },
      },
    ])
    insert('chat_import_piece', [{ import_id: 'fetched', org_id: orgId, start: 0, file_id: 'f2', path, size }])
    due('imports.fetch', [{ importId: 'fetched' }])
  },
  'numbers.standing': () => dueNow('numbers.standing'),
  'snapshots.nightly'() {
    insert(
      'snapshot',
      each(manyCalls, i => ({
        id: `kept${i}`,
        began_at: '2020-02-01T00:00:00.000Z',
        ended_at: old,
        file: `${i}.backup`,
        bytes: 1,
        row_count: 1,
      })),
    )
    dueNow('snapshots.nightly')
  },
  'organization.retention'() {
    write.prepare('update message set at = ?').run(old)
    write.prepare('update org_settings set retention_months = 12').run()
    due('organization.retention', [{}])
  },
  'organization.removal'() {
    const made = { contact_id: 'c0', name: 'Ana', by_name: 'Ana', merged_at: now(), undo_until: now() }
    insert('contact_merge', [{ ...made, id: 'removing', org_id: orgId }])
    insert(
      'contact_merge_message',
      each(manyRows, i => ({ org_id: orgId, merge_id: 'removing', message_id: `${i}`, conversation_id: 'v0' })),
    )
    return backend.parts.removal.hide(orgId)
  },
}

t.test('webhooks of every field, as large as possible', async t => {
  const items = each(many, i => ({
    id: `wamid.w${i}`,
    from: waIdOf(i),
    to: waIdOf(i),
    wa_id: waIdOf(i),
    recipient_id: waIdOf(i),
    user_id: { previous: `AR.${i}`, current: `AR.9${i}` },
    status: 'read',
    timestamp: '1795179600',
    type: 'text',
    text: { body: 'Hola' },
    messages: [{ id: `wamid.p${i}`, from: waIdOf(i), timestamp: '1795179600', type: 'text', text: { body: 'Hola' } }],
  }))
  const metadata = {
    phone_number_id: write.prepare('select phone_number_id from wa_connection where id = ?').pluck().get(connectionId),
  }
  for (const [field, { lists }] of webhookFields)
    for (const list of lists.length ? lists : ['anything']) {
      const value = { metadata, [list]: list === 'history' ? [{ threads: items }] : items }
      const raw = Buffer.from(JSON.stringify({ entry: [{ id: '1', changes: [{ field, value }] }] }))
      await expectLittle(t, write, `${field}.${list}`, async () => {
        await backend.parts.journal.append({ connectionId, raw })
        backend.parts.derive.wake()
        await backend.parts.derive.drain()
      })
    }
  const taken = write.prepare("select count(*) from message where wamid like 'wamid.w%' or wamid like 'wamid.p%'")
  t.ok((taken.pluck().get() as number) >= many, 'they were stored as messages')
  await backend.settle()
})

/** Values by parameter or field; a search without results reads the most. */
const known: Row = {
  phone: waIdOf(1),
  slug: owner.org.slug,
  search: 'nadie dice esto',
  id: idIn('tag', ofOrg),
  name: write.prepare(`select name from template where ${ofOrg}`).pluck().get(),
}
const mostOf = (endpoint: EndpointShape, part: 'params' | 'query') =>
  Object.fromEntries(
    fieldsOf(endpoint[part]).flatMap(([name, schema]) => {
      const { maximum } = schema as { maximum?: number }
      const value = /size|limit/i.test(name) ? maximum : known[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** The size of an answer that its contract has to declare as large. */
const largeBytes = 100_000

t.test('every reading call, in a large organization', async t => {
  const answered: string[] = []
  for (const { method, url, endpoint } of await listRoutes()) {
    // The event stream ends only when its client leaves.
    if (method !== 'GET' || !endpoint || url === '/api/sse') continue
    const example = exampleOf(url, endpoint)
    for (const query of [{}, mostOf(endpoint, 'query')]) {
      const input = {
        params: { ...example.params, ...mostOf(endpoint, 'params') },
        query: { ...example.query, ...query },
      }
      await expectLittle(t, write, addressOf(url, input), async () => {
        const reply = await backend.inject({ url: addressOf(url, input), headers: { cookie: owner.cookie } })
        if (reply.statusCode === 200) answered.push(url)
        if (reply.rawPayload.length > largeBytes)
          t.ok(endpoint.large, `${url} answers ${reply.rawPayload.length} bytes, and is declared as large`)
      })
    }
  }
  t.ok(new Set(answered).size > 30, `${new Set(answered).size} answered`)
})

t.test('many lists of all chats at once, by one person', async t => {
  await expectLittle(t, write, 'sixty lists', async () => {
    const asked = each(60, i => ({ url: `/api/whatsapp/conversations/matching?unread=true&search=${i % 2 ? '' : i}` }))
    const replies = await Promise.all(
      asked.map(({ url }) => backend.inject({ url: String(url), headers: { cookie: owner.cookie } })),
    )
    t.same(new Set(replies.map(({ statusCode }) => statusCode)), new Set([200]))
  })
})

/** Last, because others need what they delete. */
const lasts = ['contact.erasure', 'organization.retention', 'organization.removal']
const kinds = (await backend.parts.jobs.health())
  .map(({ kind }) => kind)
  .sort((a, b) => lasts.indexOf(a) - lasts.indexOf(b))

for (const kind of kinds)
  t.test(`jobs of the kind ${kind}`, async t => {
    const load = loads[kind]
    if (!load) return t.fail(`say in test/hostile/turns.test.ts how ${kind} gets much to do`)
    await load()
    const waiting = write.prepare("select count(*) from job where kind = ? and state = 'waiting'").pluck()
    t.ok((waiting.get(kind) as number) > 0, 'there are jobs to run')
    await expectLittle(t, write, kind, async () => {
      backend.parts.jobs.wake()
      await backend.parts.jobs.idle()
    })
    t.equal(waiting.get(kind), 0, 'all of them were started')
    if (kind === 'maintenance') t.same(hasOldRows(), [], 'nothing old is left')
  })

t.test('no kind is listed here that no longer exists', async t => {
  t.same(Object.keys(loads).sort(), [...kinds].sort())
})
