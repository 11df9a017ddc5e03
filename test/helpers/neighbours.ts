import { newId } from '#server/platform/crypto/ids.ts'
import { randomHex } from '#server/platform/crypto/random.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import { derivedSsoEndpoints } from '#shared/auth/sso.ts'
import { type AMember, aMember } from './actors.ts'
import type { TestBackend } from './backend.ts'
import { aBulkDraft } from './bulk-drafts.ts'
import { insertNeighbourRows, newRowIds } from './neighbour-rows.ts'

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

/** Makes what an organization keeps in lists: drafts, segments, views, fields, imports, exports and settings. */
async function createListedRows(
  backend: TestBackend,
  headers: Record<string, string>,
  { orgName, customer, owner }: { orgName: string; customer: string; owner: AMember },
) {
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
  return {
    segment: segment.id,
    bulkDraft: draft.id,
    readyAnswer: answer.id,
    savedView: view.id,
    contactField: field.id,
    contactImport: imported.id,
    statsExport: statsExport.id,
    chatImport: chatImport.id,
    history: entry.id,
  }
}

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

  const listed = await createListedRows(backend, headers, { ...facts, owner })

  const at = backend.clock.now().toISOString()
  const ids = newRowIds(customer)
  const made = {
    message: sent.id,
    bulkSend,
    flow,
    flowEnd: last,
    readyAnswer: listed.readyAnswer,
    chatImport: listed.chatImport,
  }
  await inTransaction(databases, trx => insertNeighbourRows(trx, { orgId, orgName, owner, customer, at }, made, ids))
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
      ...listed,
      bulkSend,
      flow,
      message: sent.id,
      note: note.id,
      scheduled: scheduled.id,
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
