import type { Test } from 'tap'
import type { ChatImport } from '#shared/imports/api.ts'
import type { ImportSource } from '#shared/imports/states.ts'
import { aMember } from '#test/helpers/actors.ts'
import type { TestBackend } from '#test/helpers/backend.ts'
import { pixel } from '#test/helpers/neighbours.ts'
import { rowsOfOrg } from '#test/helpers/rows.ts'
import { zipOf } from '#test/helpers/zip-of.ts'

export const picture = Buffer.from(pixel, 'base64')

export const chat = [
  '[12/3/24, 10:00:00] Ana: \u200eLos mensajes y las llamadas están cifrados de extremo a extremo.',
  '[12/3/24, 10:15:02] Ana: Hola, ¿tienen torta de ricota?',
  '[12/3/24, 10:15:02] Ana: Hola, ¿tienen torta de ricota?',
  '[12/3/24, 10:16:00] Panadería: Sí, de dos tamaños.',
  'La chica es para doce.',
  '[13/3/24, 11:00:00] Ana: Esta \u200e<adjunto: 0001-foto.jpg>',
  '[13/3/24, 11:01:00] Ana: \u200e<adjunto: 0002-falta.pdf>',
  '[13/3/24, 11:02:00] Panadería: Listo \u200e<Se editó este mensaje.>',
  '[13/3/24, 11:03:00] Panadería: \u200eEliminaste este mensaje.',
  '',
].join('\r\n')

export const anExport = () => zipOf({ '_chat.txt': chat, '0001-foto.jpg': picture })

export interface Caller {
  readonly backend: TestBackend
  readonly cookie: string
}

export const call = ({ backend, cookie }: Caller, method: 'GET' | 'POST', path: string, payload?: object) =>
  backend.inject({ method, url: `/api/imports${path}`, headers: { cookie }, ...(payload ? { payload } : {}) })

export const getImport = async (caller: Caller, id: string): Promise<ChatImport> =>
  (await call(caller, 'GET', `/${id}`)).json()

/** An uploaded file that was looked through. */
export const preview = async (
  t: Test,
  caller: Caller,
  file: Buffer,
  { source = 'whatsapp', ...options }: { source?: ImportSource; fileName?: string } = {},
): Promise<ChatImport> => {
  const { backend, cookie } = caller
  const made = await call(caller, 'POST', '', { source, options })
  t.equal(made.statusCode, 201, made.body)
  const { id, uploadUrl } = made.json()
  const half = Math.ceil(file.length / 2)
  for (const [from, to] of [
    [0, half],
    [half, file.length],
  ] as const) {
    if (from === to) continue
    const sent = await backend.inject({
      ...{ method: 'PUT', url: uploadUrl, payload: file.subarray(from, to) },
      headers: {
        ...{ cookie, 'content-type': 'application/octet-stream' },
        'content-range': `bytes ${from}-${to - 1}/${file.length}`,
      },
    })
    t.equal(sent.statusCode, 200, sent.body)
  }
  const asked = await call(caller, 'POST', `/${id}/preview`)
  t.equal(asked.statusCode, 202, asked.body)
  await backend.settle()
  return getImport(caller, id)
}

export const customer = '5491155550303'
export const mapping = { number: `+${customer}`, ours: 'Panadería' }

/** Takes a file in. */
export const take = async (t: Test, caller: Caller, file: Buffer): Promise<ChatImport> => {
  const { id } = await preview(t, caller, file)
  const mapped = await call(caller, 'POST', `/${id}/mapping`, mapping)
  t.equal(mapped.statusCode, 200, mapped.body)
  const started = await call(caller, 'POST', `/${id}/start`)
  t.equal(started.statusCode, 202, started.body)
  await caller.backend.settle()
  return getImport(caller, id)
}

/** The archive of the caller's organization. */
export const archiveOf = async ({ backend, cookie }: Caller): Promise<Buffer> => {
  const headers = { cookie }
  await backend.inject({ method: 'POST', url: '/api/organization/export', headers })
  await backend.settle()
  const { archive } = (await backend.inject({ method: 'GET', url: '/api/organization/export', headers })).json()
  return (await backend.inject({ method: 'GET', url: archive.url, headers })).rawPayload
}

/** Takes an archive in, with what is suggested. */
export const takeArchive = (t: Test, caller: Caller, file: Buffer): Promise<ChatImport> =>
  takeDump(t, caller, file, 'recado')

export const undo = async (t: Test, caller: Caller, id: string): Promise<void> => {
  const asked = await call(caller, 'POST', `/${id}/undo`)
  t.equal(asked.statusCode, 202, asked.body)
  await caller.backend.settle()
  t.match(await getImport(caller, id), { state: 'undone' })
}

/**
 * What an import may leave behind when it is undone: its own row, what is written down of calls, live events, and that
 * figures of a conversation are to be counted again.
 */
const ownTables = new Set([
  ...['chat_import', 'audit_entry', 'event', 'org_counter', 'idempotency', 'job', 'api_call', 'search_org'],
  ...['search_place', 'org_archive', 'notification', 'row_use', 'conversation_segment_due'],
])
export const rowsLeft = async (backend: TestBackend, orgId: string): Promise<Record<string, string[]>> => {
  await backend.settle()
  const rows = Object.entries(await rowsOfOrg(backend.databases, orgId)).filter(([table]) => !ownTables.has(table))
  const isNothing = (row: object) => 'bytes' in row && row.bytes === 0
  return Object.fromEntries(
    rows.map(([table, all]) => [
      table,
      all
        .filter(row => !isNothing(row))
        .map(row => JSON.stringify(row))
        .sort(),
    ]),
  )
}

/** An organization with a number of the simulator. */
export const connectedOrg = async (backend: TestBackend, orgName: string) => {
  const owner = await aMember({ databases: backend.databases, orgName })
  const headers = { cookie: owner.cookie }
  await backend.inject({ method: 'POST', url: '/api/whatsapp/connection/sandbox', headers })
  await backend.settle()
  return { owner, headers, orgId: owner.org.id, caller: { backend, cookie: owner.cookie } }
}

/** Every message that came in, in the order of their times, with its file, contact and author. */
export const messagesOf = ({ databases }: TestBackend, orgId: string) =>
  databases.read
    .selectFrom('message')
    .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
    .innerJoin('contact', 'contact.id', 'conversation.contact_id')
    .leftJoin('media', 'media.message_id', 'message.id')
    .select(['message.at', 'message.direction', 'message.type', 'message.text', 'message.content', 'message.status'])
    .select([
      'message.wamid',
      'message.reply_to_wamid',
      'message.error_code',
      'message.revoked_at',
      'message.edited_at',
    ])
    .select(['message.author_kind', 'message.author_id', 'message.author_name', 'contact.wa_id'])
    .select(['media.name', 'media.mime', 'media.size', 'media.state', 'media.sha256'])
    .where('message.org_id', '=', orgId)
    .where('message.type', '<>', 'activity')
    .orderBy('message.at')
    .orderBy('message.text')
    .orderBy('media.name')
    .execute()

/** What is suggested is taken in. */
export const takeDump = async (t: Test, caller: Caller, file: Buffer, source: ImportSource): Promise<ChatImport> => {
  const { id, state, failure } = await preview(t, caller, file, { source })
  t.equal(state, 'ready', String(failure))
  const started = await call(caller, 'POST', `/${id}/start`)
  t.equal(started.statusCode, 202, started.body)
  await caller.backend.settle()
  return getImport(caller, id)
}
