import { insertProgram } from '#server/identity/auth/programs/program-store.ts'
import { insertCode, insertTokens } from '#server/identity/auth/programs/token-store.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { randomHex, randomInt } from '#server/platform/crypto/random.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { AMember } from './actors.ts'

/** The organization that gets the rows. */
interface Place {
  readonly orgId: string
  readonly orgName: string
  readonly owner: AMember
  /** Its customer's number, digits. */
  readonly customer: string
  readonly at: string
}

/** Ids of rows that calls of the product have made. */
interface MadeRows {
  readonly message: string
  readonly readyAnswer: string
  readonly bulkSend: string
  readonly flow: string
  /** The last node of the flow. */
  readonly flowEnd: string
  readonly chatImport: string
}

/** Rows about a contact and a message. */
async function insertInboxRows(
  trx: Db,
  { orgId, orgName, at }: Place,
  contactId: string,
  made: MadeRows,
  { tag, contactMerge: merge }: NewIds,
): Promise<void> {
  await trx
    .insertInto('tag')
    .values({ id: tag, org_id: orgId, label: `Rótulo de ${orgName}`, created_at: at })
    .execute()
  await trx.insertInto('contact_tag').values({ contact_id: contactId, tag_id: tag, org_id: orgId }).execute()
  await trx
    .insertInto('gateway_message')
    .values({ id: made.message, org_id: orgId, message_id: made.message, callback_data: `Pedido de ${orgName}` })
    .execute()
  await trx
    .insertInto('gateway_file')
    .values({
      id: String(randomInt(1e12, 2e12)),
      org_id: orgId,
      mime: 'application/pdf',
      name: `Lista de ${orgName}.pdf`,
      size: 1,
      sha256: randomHex(32),
      path: `${orgId}/zz/${newId()}`,
      header_file_id: null,
      created_at: at,
    })
    .execute()
  await trx
    .insertInto('ready_answer_file')
    .values({
      answer_id: made.readyAnswer,
      org_id: orgId,
      id: newId(),
      kind: 'document',
      mime: 'application/pdf',
      name: `Carta de ${orgName}.pdf`,
      size: 1,
      sha256: randomHex(32),
      path: `${orgId}/zz/${newId()}`,
    })
    .execute()
  await trx
    .insertInto('contact_merge')
    .values({
      id: merge,
      org_id: orgId,
      contact_id: contactId,
      name: `Repetida de ${orgName}`,
      by_name: `Dueña de ${orgName}`,
      merged_at: at,
      undo_until: '2999-01-01T00:00:00.000Z',
      moved: null,
    })
    .execute()
  await trx
    .insertInto('contact_merge_message')
    .values({ merge_id: merge, message_id: made.message, org_id: orgId, conversation_id: newId() })
    .execute()
  await trx
    .insertInto('opened_person')
    .values({ org_id: orgId, contact_id: contactId, opened_at: '2026-01-05T12:00:00.000Z' })
    .onConflict(conflict => conflict.column('contact_id').doUpdateSet({ opened_at: '2026-01-05T12:00:00.000Z' }))
    .execute()
}

/** Rows of a bulk send and of its number. */
async function insertSendRows(trx: Db, { orgId, at }: Place, bulkSend: string): Promise<void> {
  const { id: connectionId } = await trx
    .selectFrom('wa_connection')
    .select('id')
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('bulk_send_text')
    .values({ send_id: bulkSend, org_id: orgId, part: 'csv', place: 0, text: 'telefono' })
    .execute()
  await trx
    .insertInto('bulk_send_curve')
    .values({ send_id: bulkSend, org_id: orgId, until: at, sent: 1, delivered: 1, read: 0, failed: 0 })
    .execute()
  await trx
    .insertInto('bulk_pace')
    .values({ org_id: orgId, connection_id: connectionId, per_second: 10, slowed_at: at })
    .execute()
}

/** Rows about a conversation. */
async function insertConversationRows(trx: Db, { orgId, owner, at }: Place, conversationId: string): Promise<void> {
  await trx.insertInto('notification_mute').values({ org_id: orgId, user_id: owner.user.id, created_at: at }).execute()
  await trx
    .insertInto('answer_due')
    .values({
      conversation_id: conversationId,
      org_id: orgId,
      segment_id: newId(),
      since: at,
      due_at: at,
      warned_at: null,
    })
    .onConflict(conflict => conflict.column('conversation_id').doNothing())
    .execute()
  await trx
    .insertInto('snooze')
    .values({
      conversation_id: conversationId,
      org_id: orgId,
      until: at,
      if_no_answer: 0,
      ...{ by_id: owner.user.id, by_name: owner.user.name, created_at: at, ended_at: null },
    })
    .execute()
  await trx
    .insertInto('conversation_mute')
    .values({ org_id: orgId, user_id: owner.user.id, conversation_id: conversationId, created_at: at })
    .execute()
}

/** Jobs, files and webhooks that wait. */
async function insertWaitingRows(trx: Db, { orgId, orgName, owner, at }: Place, subscription: string): Promise<void> {
  const notice = await trx.selectFrom('notification').select('id').where('org_id', '=', orgId).executeTakeFirstOrThrow()
  await trx
    .insertInto('push_subscription')
    .values({
      id: subscription,
      user_id: owner.user.id,
      session_id: owner.person.sessionId,
      endpoint: `https://push.example.com/${subscription}`,
      p256dh: 'BAAA',
      auth: 'AAAA',
      created_at: at,
    })
    .execute()
  await trx
    .insertInto('job_pace')
    .values({ org_id: orgId, pace_key: 'neighbour', per_second: 1, free_at: at })
    .execute()
  const { seq } = await trx
    .selectFrom('webhook_journal')
    .innerJoin('wa_connection', 'wa_connection.id', 'webhook_journal.connection_id')
    .select('webhook_journal.seq')
    .where('wa_connection.org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  await trx.insertInto('webhook_place').values({ seq, place: 1 }).execute()
  await trx
    .insertInto('untaken_item')
    .values({
      seq: 1,
      place: Math.floor(Math.random() * 1e9),
      org_id: orgId,
      name: 'calls',
      item: `"${orgName}"`,
      at,
    })
    .execute()
  // A moment that no test's clock reaches, and that is allowed for a push. The worker would drop other jobs.
  await trx
    .insertInto('job')
    .values({
      org_id: orgId,
      kind: 'push',
      lane: 1,
      queue: `push/1/${orgId}/${owner.user.id}`,
      pace_key: owner.user.id,
      unique_key: `${notice.id} ${subscription}`,
      payload: JSON.stringify({ notificationId: notice.id, subscriptionId: subscription }),
      state: 'scheduled',
      blocked: 0,
      attempts: 0,
      due_at: new Date(Date.parse(at) + 55 * 60_000).toISOString(),
      added_at: at,
    })
    .execute()
  await trx
    .insertInto('received_file')
    .values({ id: newId(), org_id: orgId, path: `${orgId}/received`, created_at: at })
    .execute()
  await trx
    .insertInto('uploaded_file')
    .values({
      org_id: orgId,
      connection_id: newId(),
      sha256: newId(),
      mime: 'image/png',
      provider_id: newId(),
      uploaded_at: at,
    })
    .execute()
}

/** Rows of members, invitations, sign-in and programs. */
async function insertAccountRows(trx: Db, { orgId, orgName, owner, at }: Place, ids: NewIds): Promise<void> {
  await trx
    .insertInto('former_slug')
    .values({ slug: `antes-${newId().slice(0, 20)}`, org_id: orgId })
    .execute()
  await trx
    .insertInto('org_deletion')
    .values({ org_id: orgId, requested_by: orgName, requested_at: at, due_at: '2999-01-01T00:00:00.000Z' })
    .execute()
  await trx
    .insertInto('invitation')
    .values({
      id: ids.invitation,
      organizationId: orgId,
      email: `${newId()}@example.com`,
      role: 'member',
      teamId: null,
      status: 'pending',
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      createdAt: at,
      inviterId: owner.user.id,
    })
    .execute()
  const { id: provider_id } = await trx
    .selectFrom('sso_provider')
    .select('id')
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('sso_identity')
    .values({ provider_id, subject: newId(), user_id: owner.user.id, created_at: at })
    .execute()
  await trx
    .insertInto('sso_attempt')
    .values({
      state_hash: newId(),
      provider_id,
      browser_hash: newId(),
      return_to: null,
      expires_at: '2099-01-01T00:00:00.000Z',
    })
    .execute()
  const { id: memberId } = await trx
    .selectFrom('member')
    .select('id')
    .where('organizationId', '=', orgId)
    .where('userId', '=', owner.user.id)
    .executeTakeFirstOrThrow()
  const program = {
    ...{ id: ids.program, memberId, clientHash: newId(), name: `Agente de ${orgName}`, host: 'localhost' },
    ...{
      ssoProviderId: null,
      permissions: '{"chat":["read"]}',
      keyHash: newId(),
      at,
      endsAt: '2099-01-01T00:00:00.000Z',
    },
  }
  await insertProgram(trx, orgId, program)
  await insertTokens(trx, orgId, program.id, [{ hash: newId(), kind: 'refresh', expires_at: program.endsAt }])
  await insertCode(trx, orgId, {
    ...{ code_hash: newId(), member_id: memberId, client_hash: program.clientHash, name: program.name },
    ...{ host: program.host, redirect_uri: 'http://localhost/', challenge: newId(), scopes: 'chat:read' },
    ...{ sso_provider_id: null, expires_at: program.endsAt },
  })
  await trx.insertInto('invitation_renewal').values({ invitation_id: ids.invitation, asked_at: at }).execute()
  await trx
    .insertInto('team')
    .values({
      id: ids.team,
      name: `Equipo de ${orgName}`,
      organizationId: orgId,
      createdAt: at,
      memberCount: 0,
      updatedAt: null,
    })
    .execute()
}

/** An erasure that has ended, and its marks. */
async function insertErasureRows(trx: Db, { orgId, orgName, owner }: Place): Promise<void> {
  const erasure = {
    ...{ id: newId(), org_id: orgId, reason: 'asked' as const, author_id: owner.user.id, author_name: orgName },
    ...{ requested_at: '2026-08-01T12:00:00.000Z', finished_at: '2026-08-01T12:00:01.000Z', number_hash: newId() },
    ...{ contact_id: null, target: null, step: 1, place: '', messages: 1 },
  }
  await trx.insertInto('erasure').values(erasure).execute()
  await trx
    .insertInto('opt_out_mark')
    .values({
      org_id: orgId,
      hash: newId(),
      erasure_id: erasure.id,
      at: erasure.requested_at,
      source: 'keyword',
    })
    .execute()
  await trx
    .insertInto('block_mark')
    .values({
      ...{ org_id: orgId, hash: newId(), erasure_id: erasure.id },
      ...{ at: erasure.requested_at, blocked_by: orgName },
    })
    .execute()
}

/** A session of a flow, and what people keep of flows. */
async function insertFlowRows(
  trx: Db,
  { orgId, orgName, owner, at }: Place,
  { flow, flowEnd }: MadeRows,
  { contactId, conversationId, ids }: { contactId: string; conversationId: string; ids: NewIds },
): Promise<void> {
  const session = { id: ids.flowRun, org_id: orgId, flow_id: flow, version: 1 }
  await trx
    .insertInto('flow_session')
    .values({
      ...session,
      contact_id: contactId,
      conversation_id: conversationId,
      trigger: newId(),
      test_id: null,
      state: 'finished',
      reason: null,
      place: JSON.stringify({ nodeId: flowEnd, variables: { secreto: orgName }, tries: 0 }),
      steps: 1,
      wakes_at: null,
      started_at: at,
      moved_at: at,
      ended_at: at,
    })
    .execute()
  await trx
    .insertInto('flow_step')
    .values({
      session_id: session.id,
      place: 1,
      org_id: orgId,
      node_id: flowEnd,
      at,
      input: `Respuesta a ${orgName}`,
      output: null,
      why: null,
      changes: null,
      message_id: ids.flowSaid,
      call: null,
    })
    .execute()
  const played = { id: newId(), org_id: orgId }
  await trx
    .insertInto('flow_replay')
    .values({
      ...{ ...played, flow_id: flow, graph: JSON.stringify({ nodes: [], edges: [] }), since: at, state: 'done' },
      ...{ total: 1, done: 1, after: '', started_at: at, started_by: `Repitió en ${orgName}`, ended_at: at },
    })
    .execute()
  await trx
    .insertInto('flow_replayed')
    .values({
      ...{ replay_id: played.id, place: 1, org_id: orgId, session_id: session.id },
      ...{ conversation_id: conversationId, verdict: 'same' },
    })
    .execute()
  await trx
    .insertInto('flow_test')
    .values({
      ...{ id: newId(), org_id: orgId, flow_id: flow, code: '000000', name: `Probó en ${orgName}` },
      ...{ graph: JSON.stringify({ nodes: [], edges: [] }), author_id: owner.user.id, author_name: orgName },
      ...{ created_at: at, ends_at: at },
    })
    .execute()
  await trx
    .insertInto('flow_presence')
    .values({
      ...{ flow_id: flow, person_id: owner.user.id, org_id: orgId, name: orgName },
      ...{ looks_until: at, writes_until: null },
    })
    .execute()
  await trx
    .insertInto('flow_secret')
    .values({
      ...{ org_id: orgId, name: ids.flowSecret, host: `${newId()}.example`, sealed: newId() },
      ...{ changed_at: at, changed_by: `Guardó en ${orgName}` },
    })
    .execute()
  await trx
    .insertInto('flow_settings')
    .values({
      ...{ org_id: orgId, restart_words: '["menú"]', leave_words: '["salir"]', person_words: '["alguien"]' },
      ...{ expires_after_hours: 4, expired_text: `Seguimos en ${orgName}`, closed_text: null, updated_at: at },
    })
    .execute()
  await trx
    .insertInto('flow_hook')
    .values({
      ...{ flow_id: flow, org_id: orgId, secret_hash: newId(), sealed: newId(), changed_at: at },
      ...{ changed_by: `Puso en ${orgName}`, calls: 0, minute_ends_at: null, called_at: null },
    })
    .execute()
  await trx
    .insertInto('flow_day')
    .values({ flow_id: flow, day: '2019-02-03', org_id: orgId, started: 1, finished: 1, handed_off: 0 })
    .execute()
}

/** Webhooks in both directions, and an event of a product API. */
async function insertHookRows(trx: Db, { orgId, orgName, at, customer }: Place, ids: NewIds): Promise<void> {
  await trx
    .insertInto('outgoing_webhook')
    .values({
      ...{ org_id: orgId, name: ids.webhook, url: `https://${newId()}.example/`, sealed: newId(), active: 1 },
      ...{ stopped_for: null, created_at: at, changed_at: at, changed_by: `Conectó en ${orgName}` },
      ...{ events: '["action.tapped"]', filter: null, format: 'standard', headers: null },
      ...{ former_sealed: null, former_until: null, verify_token: null },
    })
    .execute()
  await trx
    .insertInto('webhook_event')
    .values({
      ...{ id: ids.webhookDelivery, org_id: orgId, type: 'test', body: '{}', line: null },
      created_at: at,
    })
    .execute()
  await trx
    .insertInto('webhook_delivery')
    .values({
      ...{ id: ids.webhookDelivery, org_id: orgId, webhook: ids.webhook, type: 'test', state: 'failed' },
      event_id: ids.webhookDelivery,
      ...{
        attempts: 1,
        created_at: at,
        attempted_at: at,
        status: 500,
        failure: 'status',
        answer: orgName,
        took_ms: 1,
      },
    })
    .execute()
  await trx
    .insertInto('incoming_hook')
    .values({
      ...{ id: ids.incomingHook, org_id: orgId, name: `Entrante de ${orgName}`, secret_hash: newId(), active: 1 },
      ...{ action: JSON.stringify({ kind: 'note', number: '{{phone}}', text: orgName }), sample: `"${orgName}"` },
      ...{ created_at: at, changed_at: at, changed_by: `Creó en ${orgName}`, calls: 0, minute_ends_at: null },
    })
    .execute()
  await trx
    .insertInto('incoming_call')
    .values({
      ...{ id: ids.incomingCall, org_id: orgId, hook_id: ids.incomingHook, at, state: 'done', number: customer },
      outcome: JSON.stringify({ did: 'note', number: customer, what: orgName, messageId: null, runId: null }),
      body: JSON.stringify({ phone: customer }),
      ...{ bytes: 2, took_ms: 1, client_key: newId(), replay_of: null },
    })
    .execute()
  await trx
    .insertInto('upstream_event')
    .values({ org_id: orgId, id: `Aviso de ${orgName}`, received_at: at })
    .execute()
}

/** A chat import and an archive. */
async function insertMovingRows(trx: Db, { orgId, orgName, owner, at }: Place, chatImport: string): Promise<void> {
  await trx
    .insertInto('chat_import_chat')
    .values({
      ...{ import_id: chatImport, org_id: orgId, source: newId(), name: `Chat de ${orgName}`, found: 1 },
      ...{ found_sum: '0000000000000001', conversation_id: null, contact_id: null, before: null },
    })
    .execute()
  await trx
    .insertInto('chat_import_made')
    .values({
      ...{ import_id: chatImport, org_id: orgId, kind: 'tag', source: `Etiqueta de ${orgName}`, target: newId() },
      added: null,
    })
    .execute()
  await trx
    .insertInto('org_archive')
    .values({
      ...{ org_id: orgId, id: newId(), author_id: owner.user.id, author_name: `Exportó ${orgName}`, language: 'es' },
      ...{
        state: 'failed',
        failure: 'broken',
        contacts: 1,
        messages: 1,
        path: newId(),
        created_at: at,
        ended_at: at,
      },
    })
    .execute()
}

/** Ids of the rows that no call of the product makes. */
export const newRowIds = (customer: string) => ({
  flowRun: newId(),
  contactMerge: newId(),
  flowSecret: `llave_${customer}`,
  webhook: `hook-${newId()}`,
  webhookDelivery: newId(),
  incomingHook: newId(),
  incomingCall: newId(),
  flowSaid: newId(),
  tag: newId(),
  notification: newId(),
  invitation: newId(),
  program: newId(),
  team: newId(),
  subscription: newId(),
})

type NewIds = ReturnType<typeof newRowIds>

/** Inserts a row of every kind that no call of the product makes. */
export async function insertNeighbourRows(trx: Db, place: Place, made: MadeRows, ids: NewIds): Promise<void> {
  const { id: contactId } = await trx
    .selectFrom('contact')
    .select('id')
    .where('org_id', '=', place.orgId)
    .executeTakeFirstOrThrow()
  const { id: conversationId } = await trx
    .selectFrom('conversation')
    .select('id')
    .where('org_id', '=', place.orgId)
    .executeTakeFirstOrThrow()
  await insertInboxRows(trx, place, contactId, made, ids)
  await insertSendRows(trx, place, made.bulkSend)
  await insertConversationRows(trx, place, conversationId)
  await insertWaitingRows(trx, place, ids.subscription)
  await insertAccountRows(trx, place, ids)
  await insertErasureRows(trx, place)
  await insertFlowRows(trx, place, made, { contactId, conversationId, ids })
  await insertHookRows(trx, place, ids)
  await insertMovingRows(trx, place, made.chatImport)
}
