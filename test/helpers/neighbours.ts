import { insertProgram } from '#server/identity/auth/programs/program-store.ts'
import { insertCode, insertTokens } from '#server/identity/auth/programs/token-store.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { randomHex, randomInt } from '#server/platform/crypto/random.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import { derivedSsoEndpoints } from '#shared/auth/sso.ts'
import { type AMember, aMember } from './actors.ts'
import type { TestBackend } from './backend.ts'
import { aBulkDraft } from './bulk-drafts.ts'

export interface Neighbour {
  readonly owner: AMember
  /** Its customer's number, digits. */
  readonly customer: string
  readonly headers: Record<string, string>
  /** The ids of one row of each kind. */
  readonly ids: {
    readonly message: string
    readonly note: string
    readonly readyAnswer: string
    readonly contactField: string
    readonly contactImport: string
    readonly contactMerge: string
    readonly savedView: string
    readonly statsExport: string
    readonly chatImport: string
    readonly scheduled: string
    readonly history: string
    readonly failed: string
    readonly media: string
    /** The file's id in the simulator. */
    readonly simulatedMedia: string
    readonly notification: string
    readonly conversation: string
    readonly tag: string
    readonly bulkSend: string
    readonly segment: string
    readonly bulkDraft: string
    readonly flow: string
    readonly flowRun: string
    /** The secret's name. */
    readonly flowSecret: string
    /** The webhook's name. */
    readonly webhook: string
    readonly webhookDelivery: string
    readonly incomingHook: string
    readonly incomingCall: string
    /** A message that a flow sent. */
    readonly flowSaid: string
    readonly wamid: string
    readonly invitation: string
    readonly program: string
    readonly template: string
    readonly templateName: string
    readonly templateMedia: string
    readonly team: string
  }
}

const ask = async (
  backend: TestBackend,
  headers: Record<string, string>,
  method: 'POST' | 'PATCH' | 'PUT',
  path: string,
  body?: object,
) => {
  const reply = await backend.inject({ method, url: `/api${path}`, headers, ...(body ? { payload: body } : {}) })
  if (reply.statusCode >= 300) throw new Error(`${method} ${path}: ${reply.statusCode} ${reply.body}`)
  return reply.json()
}

/** A PNG of one pixel, as base64. */
export const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/**
 * Makes an organization with rows of every kind, through the product's own calls where they exist: a simulated number,
 * a customer with a text and a picture, a message in flight and a failed one. Rows that no call creates are inserted
 * directly.
 */
export async function aNeighbour(
  backend: TestBackend,
  facts: { orgName: string; customer: string },
): Promise<Neighbour> {
  const { databases } = backend
  const { customer, orgName } = facts
  const owner = await aMember({
    databases,
    orgName,
    name: `Dueña de ${orgName}`,
    email: `${newId()}@${newId()}.example`,
  })
  const orgId = owner.org.id
  const headers = { cookie: owner.cookie }
  await ask(backend, headers, 'POST', '/whatsapp/connection/sandbox')
  const say = (body: object) => ask(backend, headers, 'POST', '/sandbox/inbound', { from: customer, ...body })
  const { wamid } = await say({ text: `Secreto de ${orgName}`, name: `Cliente de ${orgName}` })
  await say({ type: 'image', caption: `Foto de ${orgName}` })
  const { key } = await ask(backend, headers, 'POST', '/auth/api-key/create', { name: `Programa de ${orgName}` })
  await backend.inject({ method: 'GET', url: '/api/whatsapp/conversations', headers: { 'x-api-key': key } })
  await backend.parts.callRecorder.flush()
  await ask(backend, headers, 'POST', '/auth/sso/register', {
    providerId: `recado-${randomHex(4).slice(0, 5)}`,
    domain: `${newId()}.example`,
    clientId: `cliente de ${orgName}`,
    clientSecret: `secreto de ${orgName}`,
    ...derivedSsoEndpoints('id.example.com'),
  })
  await ask(backend, headers, 'PATCH', '/organization/settings', { timeZone: 'America/Argentina/Cordoba' })
  await backend.settle()
  const send = (message: string): Promise<{ id: string }> =>
    ask(backend, headers, 'POST', '/whatsapp/messages', { message, numberTel: customer })
  const templateName = `aviso_${newId()}`
  const { id: template } = await ask(backend, headers, 'POST', '/whatsapp/template', {
    template: {
      name: templateName,
      language: 'es_AR',
      category: 'UTILITY',
      components: [
        { type: 'HEADER', format: 'IMAGE' },
        { type: 'BODY', text: `Aviso de ${orgName} para quienes compran ahí.` },
      ],
    },
    file: { name: `${templateName}.png`, dataBase64: pixel },
  })
  await ask(backend, headers, 'POST', '/whatsapp/template/sync')
  const sent = await send(`Respuesta de ${orgName}`)
  const note: { id: string } = await ask(backend, headers, 'POST', `/whatsapp/conversations/${customer}/notes`, {
    text: `Nota de ${orgName}`,
  })
  const scheduled: { id: string } = await ask(
    backend,
    headers,
    'POST',
    `/whatsapp/conversations/${customer}/scheduled`,
    {
      text: `Mensaje programado de ${orgName}`,
      at: '2027-06-01T12:00:00.000Z',
    },
  )
  await backend.settle()
  await ask(backend, headers, 'POST', '/sandbox/fail', { code: '131026' })
  const failed = await send(`Fallida de ${orgName}`)
  // The simulator takes seconds each for sent, delivered and read.
  for (let step = 0; step < 4; step += 1) {
    await backend.settle()
    backend.clock.advance(30_000)
  }
  await backend.settle()

  await ask(backend, headers, 'POST', `/sandbox/template/${template}`, { status: 'APPROVED' })
  await backend.settle()
  const { id: bulkSend } = await ask(backend, headers, 'POST', '/whatsapp/bulk-sends', {
    template,
    audience: { numbers: customer },
    values: { image: `https://example.com/${templateName}.png` },
  })
  await backend.settle()

  const [first, last] = [newId(), newId()]
  const { id: flow } = await ask(backend, headers, 'POST', '/whatsapp/flows', {
    name: `Flujo de ${orgName}`,
    graph: {
      nodes: [
        { id: first, type: 'start' },
        { id: last, type: 'end', position: { x: 0, y: 100 } },
      ],
      edges: [{ id: newId(), source: first, target: last }],
      notes: [{ id: newId(), text: `Apunte de ${orgName}` }],
    },
    triggers: [{ id: newId(), kind: 'manual' }],
  })
  await ask(backend, headers, 'POST', `/whatsapp/flows/${flow}/publish`, { revision: 1 })

  // Each neighbour has different dates. The second rate card makes the first one a past one.
  for (const validFrom of [`20${customer.slice(-2)}-02-07`, `20${customer.slice(-2)}-03-07`])
    await ask(backend, headers, 'PUT', '/whatsapp/rate-card', {
      currency: 'USD',
      validFrom,
      rates: [{ country: 'AR', prices: { MARKETING: 0.0618 } }],
    })
  const draft: { id: string } = await ask(backend, headers, 'POST', '/whatsapp/bulk-drafts', {
    steps: aBulkDraft({ text: `Borrador de ${orgName}` }),
  })
  const segment: { id: string } = await ask(backend, headers, 'POST', '/whatsapp/segments', {
    label: `Segmento de ${orgName}`,
    filter: { field: { id: 'f', value: `Valor de ${orgName}` } },
  })
  const entry: { id: string } = await ask(backend, headers, 'POST', '/whatsapp/history', {
    title: `Historial de ${orgName}`,
    summary: `Resumen de ${orgName}`,
    payload: { note: `Apunte del historial de ${orgName}` },
  })
  const answer: { id: string } = await ask(backend, headers, 'POST', '/whatsapp/ready-answers', {
    title: `Horarios de ${orgName}`,
    shortcut: 'horarios',
    text: `Respuesta lista de ${orgName}`,
    shared: true,
  })
  const view: { id: string } = await ask(backend, headers, 'POST', '/whatsapp/views', {
    name: `Vista de ${orgName}`.slice(0, 40),
    filter: { unread: true },
    shared: true,
  })
  const field: { id: string } = await ask(backend, headers, 'POST', '/whatsapp/contact-fields', {
    label: `Dato de ${orgName}`,
    kind: 'choice',
    options: [`Opción de ${orgName}`],
  })
  const imported: { id: string } = await ask(backend, headers, 'POST', '/whatsapp/contact-imports', {
    text: `phone\n+${customer}`,
    file: `Archivo de ${orgName}.csv`,
  })
  await ask(backend, headers, 'PUT', '/stats/mail', {
    rhythm: 'weekly',
    recipients: [{ userId: owner.user.id }],
  })
  await ask(backend, headers, 'POST', '/stats/mail/send')
  const chatImport: { id: string } = await ask(backend, headers, 'POST', '/imports', {
    source: 'whatsapp',
    options: { fileName: `Chat de ${orgName}.zip` },
  })
  await backend.inject({
    ...{ method: 'PUT', url: `/api/imports/${chatImport.id}/file`, payload: 'mitad' },
    headers: { ...headers, 'content-type': 'application/octet-stream', 'content-range': 'bytes 0-4/10' },
  })
  const statsExport: { id: string } = await ask(backend, headers, 'POST', '/stats/report', {})
  await backend.settle()
  await ask(backend, headers, 'PATCH', `/whatsapp/conversations/${customer}/contact`, {
    fields: [{ id: field.id, value: `Opción de ${orgName}` }],
  })
  await ask(backend, headers, 'PUT', '/whatsapp/availability', { state: 'away' })
  await ask(backend, headers, 'PUT', '/whatsapp/assignment-rules', {
    teamId: null,
    rule: { way: 'off', most: 7, toLast: true },
  })
  await ask(backend, headers, 'PUT', `/whatsapp/conversations/${customer}/draft`, { text: `Borrador de ${orgName}` })
  await ask(backend, headers, 'PUT', `/whatsapp/conversations/${customer}/presence`, { state: 'looking' })
  await ask(backend, headers, 'PATCH', '/whatsapp/opt-out-settings', { stopText: `Listo, de parte de ${orgName}` })

  const at = backend.clock.now().toISOString()
  const ids = {
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
  }
  await inTransaction(databases, async trx => {
    const { id: contactId } = await trx
      .selectFrom('contact')
      .select('id')
      .where('org_id', '=', orgId)
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('tag')
      .values({ id: ids.tag, org_id: orgId, label: `Rótulo de ${orgName}`, created_at: at })
      .execute()
    await trx.insertInto('contact_tag').values({ contact_id: contactId, tag_id: ids.tag, org_id: orgId }).execute()
    await trx
      .insertInto('gateway_message')
      .values({ id: sent.id, org_id: orgId, message_id: sent.id, callback_data: `Pedido de ${orgName}` })
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
        answer_id: answer.id,
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
        id: ids.contactMerge,
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
      .values({ merge_id: ids.contactMerge, message_id: sent.id, org_id: orgId, conversation_id: newId() })
      .execute()
    await trx
      .insertInto('opened_person')
      .values({ org_id: orgId, contact_id: contactId, opened_at: '2026-01-05T12:00:00.000Z' })
      .onConflict(conflict => conflict.column('contact_id').doUpdateSet({ opened_at: '2026-01-05T12:00:00.000Z' }))
      .execute()
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
    await trx
      .insertInto('notification_mute')
      .values({ org_id: orgId, user_id: owner.user.id, created_at: at })
      .execute()
    const conversation = await trx
      .selectFrom('conversation')
      .select('id')
      .where('org_id', '=', orgId)
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('answer_due')
      .values({
        conversation_id: conversation.id,
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
        conversation_id: conversation.id,
        org_id: orgId,
        until: at,
        if_no_answer: 0,
        ...{ by_id: owner.user.id, by_name: owner.user.name, created_at: at, ended_at: null },
      })
      .execute()
    await trx
      .insertInto('conversation_mute')
      .values({ org_id: orgId, user_id: owner.user.id, conversation_id: conversation.id, created_at: at })
      .execute()
    const notice = await trx
      .selectFrom('notification')
      .select('id')
      .where('org_id', '=', orgId)
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('push_subscription')
      .values({
        id: ids.subscription,
        user_id: owner.user.id,
        session_id: owner.person.sessionId,
        endpoint: `https://push.example.com/${ids.subscription}`,
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
        unique_key: `${notice.id} ${ids.subscription}`,
        payload: JSON.stringify({ notificationId: notice.id, subscriptionId: ids.subscription }),
        state: 'scheduled',
        blocked: 0,
        attempts: 0,
        due_at: new Date(Date.parse(at) + 55 * 60_000).toISOString(),
        added_at: at,
      })
      .execute()
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
    const session = { id: ids.flowRun, org_id: orgId, flow_id: flow, version: 1 }
    await trx
      .insertInto('flow_session')
      .values({
        ...session,
        contact_id: contactId,
        conversation_id: conversation.id,
        trigger: newId(),
        test_id: null,
        state: 'finished',
        reason: null,
        place: JSON.stringify({ nodeId: last, variables: { secreto: orgName }, tries: 0 }),
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
        node_id: last,
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
        ...{ conversation_id: conversation.id, verdict: 'same' },
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
      .insertInto('chat_import_chat')
      .values({
        ...{ import_id: chatImport.id, org_id: orgId, source: newId(), name: `Chat de ${orgName}`, found: 1 },
        ...{ found_sum: '0000000000000001', conversation_id: null, contact_id: null, before: null },
      })
      .execute()
    await trx
      .insertInto('chat_import_made')
      .values({
        ...{ import_id: chatImport.id, org_id: orgId, kind: 'tag', source: `Etiqueta de ${orgName}`, target: newId() },
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
    await trx
      .insertInto('upstream_event')
      .values({ org_id: orgId, id: `Aviso de ${orgName}`, received_at: at })
      .execute()
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
  })
  await ask(backend, headers, 'POST', '/members/content-permissions', { role: 'member', phoneTagId: ids.tag })
  for (const conversations of [true, false])
    await ask(backend, headers, 'PUT', '/members/content-access', { conversations })
  // Nothing started by these calls is still running, so tests that compare rows see no other changes.
  await backend.settle()
  const one = async (table: 'media' | 'notification' | 'conversation' | 'sandbox_media' | 'template_media') =>
    (await databases.read.selectFrom(table).select('id').where('org_id', '=', orgId).executeTakeFirstOrThrow()).id
  return {
    owner,
    customer,
    headers,
    ids: {
      ...ids,
      bulkSend,
      segment: segment.id,
      bulkDraft: draft.id,
      flow,
      message: sent.id,
      note: note.id,
      readyAnswer: answer.id,
      savedView: view.id,
      scheduled: scheduled.id,
      contactField: field.id,
      contactImport: imported.id,
      statsExport: statsExport.id,
      chatImport: chatImport.id,
      history: entry.id,
      failed: failed.id,
      wamid,
      template,
      templateName,
      templateMedia: await one('template_media'),
      media: await one('media'),
      simulatedMedia: await one('sandbox_media'),
      notification: await one('notification'),
      conversation: await one('conversation'),
    },
  }
}
