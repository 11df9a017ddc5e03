import { digitsOf, phoneKey } from '#shared/kernel/phone.ts'
import { type AuditFacts, asState, type ReadState, text } from './state.ts'

export const contentGrant: ReadState = async (db, { orgId, given }) => {
  const tag = await db
    .selectFrom('tag')
    .where('org_id', '=', orgId)
    .where('id', '=', text(given.phoneTagId))
    .select('label')
    .executeTakeFirst()
  const granted = await db
    .selectFrom('content_access')
    .where('org_id', '=', orgId)
    .where('role', '=', text(given.role))
    .where('tag_id', '=', text(given.phoneTagId))
    .select('tag_id')
    .executeTakeFirst()
  return { subject: `${text(given.role)} · ${tag?.label ?? ''}`, facts: { granted: granted ? 1 : 0 } }
}

export const contentApplied: ReadState = async (db, { orgId }) => {
  const row = await db
    .selectFrom('content_access_setting')
    .where('org_id', '=', orgId)
    .select(['conversations', 'teams'])
    .executeTakeFirst()
  return { subject: null, facts: { conversations: row?.conversations ?? 0, teams: row?.teams ?? 0 } }
}

export const tag: ReadState = async (db, { orgId, given }) =>
  asState(
    await db
      .selectFrom('tag')
      .where('org_id', '=', orgId)
      .where('id', '=', text(given.id))
      .select(['label as subject', 'label as name'])
      .executeTakeFirst(),
  )

export const contactField: ReadState = async (db, { orgId, given }) => {
  const query = db
    .selectFrom('contact_field')
    .where('org_id', '=', orgId)
    .select(['label as subject', 'label as name', 'options'])
  const id = text(given.id)
  const one = id ? query.where('id', '=', id) : query.where('label', '=', text(given.label).trim().replace(/\s+/g, ' '))
  const row = await one.executeTakeFirst()
  return asState(row && { ...row, options: (JSON.parse(row.options) as string[]).join(', ') || null })
}

/** The newest one is the one that begins. */
export const contactImport: ReadState = async (db, { orgId, given }) => {
  const query = db
    .selectFrom('contact_import')
    .where('org_id', '=', orgId)
    .select(['file as subject', 'state as status', 'row_count as rows'])
  const id = text(given.id)
  return asState(await (id ? query.where('id', '=', id) : query.orderBy('id', 'desc').limit(1)).executeTakeFirst())
}

export const chatImport: ReadState = async (db, { orgId, given }) =>
  asState(
    await db
      .selectFrom('chat_import')
      .where('org_id', '=', orgId)
      .where('id', '=', text(given.id))
      .select('file_name as subject')
      .executeTakeFirst(),
  )

/** The secret itself is never read. A new value shows as a new time. */
export const flowSecret: ReadState = async (db, { orgId, given }) =>
  asState(
    await db
      .selectFrom('flow_secret')
      .where('org_id', '=', orgId)
      .where('name', '=', text(given.name))
      .select(['name as subject', 'name', 'host', 'changed_at as sealedAt'])
      .executeTakeFirst(),
  )

export const outgoingWebhook: ReadState = async (db, { orgId, given }) =>
  asState(
    await db
      .selectFrom('outgoing_webhook')
      .where('org_id', '=', orgId)
      .where('name', '=', text(given.name))
      .select(['name as subject', 'name', 'url', 'active', 'changed_at as sealedAt'])
      .executeTakeFirst(),
  )

/** One that was just created is identified by its name. */
export const incomingHook: ReadState = async (db, { orgId, given }) => {
  const query = db
    .selectFrom('incoming_hook')
    .where('org_id', '=', orgId)
    .select(['name as subject', 'name', 'active', 'changed_at as sealedAt'])
  const id = text(given.id)
  const one = id ? query.where('id', '=', id) : query.where('name', '=', text(given.name).trim().replace(/\s+/g, ' '))
  return asState(await one.executeTakeFirst())
}

export const flowHook: ReadState = async (db, { orgId, given }) =>
  asState(
    await db
      .selectFrom('flow_hook')
      .innerJoin('flow', 'flow.id', 'flow_hook.flow_id')
      .where('flow_hook.org_id', '=', orgId)
      .where('flow_hook.flow_id', '=', text(given.id))
      .select(['flow.name as subject', 'flow_hook.changed_at as sealedAt'])
      .executeTakeFirst(),
  )

/** A flow that was just created is the newest of its name. */
export const flow: ReadState = async (db, { orgId, given }) => {
  const query = db
    .selectFrom('flow')
    .where('org_id', '=', orgId)
    .where('deleted_at', 'is', null)
    .select(['name', 'is_enabled', 'version'])
  const id = text(given.id)
  const row = await (id ? query.where('id', '=', id) : query.where('name', '=', text(given.name).trim()))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const { name, version } = row
  const status = version === null ? 'draft' : row.is_enabled ? 'on' : 'off'
  return { subject: name, facts: { name, status, version } }
}

/** A template that was just created is identified by name and language. */
export const template: ReadState = async (db, { orgId, given }) => {
  const query = db.selectFrom('template').where('org_id', '=', orgId).select(['name', 'language', 'status', 'category'])
  const id = text(given.id)
  const written = (given.template ?? {}) as Readonly<Record<string, unknown>>
  const row = await (id
    ? query.where('id', '=', id)
    : query.where('name', '=', text(written.name)).where('language', '=', text(written.language).replace('-', '_'))
  ).executeTakeFirst()
  if (!row) return undefined
  const { name, language, status, category } = row
  return { subject: `${name} (${language})`, facts: { name, status, category } }
}

/** The contact's address as the call named it. Names are not copied. */
export const namedContact: ReadState = async (_db, { given }) => ({ subject: text(given.phone) || null, facts: {} })

/** Entries must not name erased people. */
export const nobody: ReadState = async () => undefined

const maxNumbers = 100

export const connection: ReadState = async (db, { orgId }) => {
  const rows = await db
    .selectFrom('wa_connection')
    .where('org_id', '=', orgId)
    .where('disconnected_at', 'is', null)
    .select(['phone', 'label', 'status'])
    .orderBy('place')
    .orderBy('created_at')
    .limit(maxNumbers)
    .execute()
  return {
    subject: rows.map(row => row.phone).join(', ') || null,
    facts: {
      name: rows.map(row => row.label ?? row.phone).join(', ') || null,
      status: rows.map(row => row.status).join(', ') || null,
    },
  }
}

const spokenProfile = (facts: string): AuditFacts => {
  const said = (JSON.parse(facts) as { profile?: { value?: Readonly<Record<string, unknown>> } }).profile?.value
  if (!said) return {}
  const websites = Array.isArray(said.websites) ? said.websites.join(', ') : ''
  return {
    about: text(said.about),
    address: text(said.address),
    description: text(said.description),
    email: text(said.email),
    websites,
    vertical: text(said.vertical),
  }
}

/** Reads the profile that customers see, of the named number or the first one. */
export const numberProfile: ReadState = async (db, { orgId, given }) => {
  const rows = await db
    .selectFrom('wa_connection')
    .leftJoin('number_standing', 'number_standing.connection_id', 'wa_connection.id')
    .where('wa_connection.org_id', '=', orgId)
    .where('disconnected_at', 'is', null)
    .select(['wa_connection.id', 'phone', 'facts'])
    .orderBy('place')
    .orderBy('created_at')
    .limit(maxNumbers)
    .execute()
  const [id, number] = [text(given.id), phoneKey(digitsOf(text(given.number)))]
  const row = rows.find(one => (!id || one.id === id) && (!number || phoneKey(one.phone) === number))
  return row && { subject: row.phone, facts: row.facts === null ? {} : spokenProfile(row.facts) }
}

export const bulkSend: ReadState = async (db, { orgId, given }) => {
  const row = await db
    .selectFrom('bulk_send')
    .where('org_id', '=', orgId)
    .where('id', '=', text(given.id))
    .select(['name', 'template', 'state as status', 'starts_at'])
    .executeTakeFirst()
  if (!row) return undefined
  const template = JSON.parse(row.template) as { name?: string }
  // Sends made before they had names go by their template's.
  return { subject: row.name ?? template.name ?? null, facts: { status: row.status, startsAt: row.starts_at } }
}

/** Its days; none: what is open now. */
export const statsExport: ReadState = async (db, { orgId, given }) => {
  const row = await db
    .selectFrom('stats_export')
    .where('org_id', '=', orgId)
    .where('id', '=', text(given.id))
    .select(['first_day', 'last_day'])
    .executeTakeFirst()
  return row && { subject: [row.first_day, row.last_day].filter(Boolean).join(' – ') || null, facts: {} }
}

const namedDeliveries = 5

/** Reads which webhooks of WhatsApp were processed again: their numbers in the journal, or the ends of the range. */
export const deliveries: ReadState = async (_db, { given: { ids, from, to } }) => {
  const named = Array.isArray(ids) ? ids.slice(0, namedDeliveries).map(text).join(', ') : undefined
  const hasMore = Array.isArray(ids) && ids.length > namedDeliveries
  return { subject: named === undefined ? `${text(from)} – ${text(to)}` : named + (hasMore ? ', …' : ''), facts: {} }
}

export const historyEntry: ReadState = async (db, { orgId, given }) => {
  const row = await db
    .selectFrom('history_entry')
    .where('org_id', '=', orgId)
    .where('id', '=', text(given.id))
    .where('kind', '=', 'masive')
    .select('title')
    .executeTakeFirst()
  return row && { subject: row.title, facts: {} }
}

export const nothing: ReadState = async () => ({ subject: null, facts: {} })
