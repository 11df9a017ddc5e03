/**
 * The list of conversations as one would write it in an afternoon, with the product's JSON. `bare`: Fastify and
 * better-sqlite3, prepared statements, nobody signs in. `guide`: better-auth's `getSession` as its Fastify guide shows,
 * a look at the membership, and Kysely as its guide shows.
 */
import type { AddressInfo } from 'node:net'
import { betterAuth } from 'better-auth'
import { fromNodeHeaders } from 'better-auth/node'
import { organization } from 'better-auth/plugins'
import Sqlite from 'better-sqlite3'
import Fastify from 'fastify'
import { Kysely, SqliteDialect } from 'kysely'
import { displayPhone } from '#server/platform/text/phone-display.ts'
import { PRODUCT_KEY } from '#shared/kernel/product.ts'

const [way, path, orgId, secret] = process.argv.slice(2) as ['bare' | 'guide', string, string, string]
const pageSize = 50

interface Row {
  id: string
  contact_id: string
  control: string
  archived: number
  unread: number
  window_closes_at: string | null
  last_message_at: string | null
  last_message_text: string | null
  last_message_type: string | null
  last_message_direction: string | null
  last_message_status: string | null
  assignee_id: string | null
  assignee_name: string | null
  name: string | null
  profile_name: string | null
  username: string | null
  wa_id: string | null
  bsuid: string | null
}
interface Tag {
  contact_id: string
  id: string
  label: string
  hue: number
}

const present = (row: Row, tags: readonly Tag[]) => {
  const phone = row.wa_id ? displayPhone(row.wa_id) : ''
  return {
    id: row.id,
    phone: row.wa_id ?? row.bsuid ?? '',
    name: row.name || row.profile_name || row.username || phone,
    displayPhone: phone,
    username: row.username,
    lastMessage:
      row.last_message_at === null
        ? null
        : {
            text: row.last_message_text,
            type: row.last_message_type,
            at: row.last_message_at,
            direction: row.last_message_direction,
            status: row.last_message_status,
          },
    unread: row.unread,
    tags: tags.filter(tag => tag.contact_id === row.contact_id).map(({ id, label, hue }) => ({ id, label, hue })),
    archived: row.archived === 1,
    windowClosesAt: row.window_closes_at,
    control: row.control === 'none' ? 'bot' : row.control,
    assignee: row.assignee_id === null ? null : { id: row.assignee_id, name: row.assignee_name },
  }
}
const pageOf = (rows: Row[], tags: Tag[]) => ({
  items: rows.slice(0, pageSize).map(row => present(row, tags)),
  page: 1,
  pageSize,
  hasMore: rows.length > pageSize,
})

const sqlite = new Sqlite(path)
sqlite.pragma('journal_mode = WAL')
sqlite.pragma('cache_size = -32000')
const app = Fastify()
const address = '/api/whatsapp/conversations'

const bare = () => {
  const list = sqlite.prepare<[string, number], Row>(
    `select conversation.id, contact_id, control, archived, unread, window_closes_at, last_message_at, last_message_text, last_message_type,
      last_message_direction, last_message_status, assignee_id, user.name as assignee_name, contact.name, profile_name, contact.username, wa_id, bsuid
    from conversation join contact on contact.id = contact_id left join user on user.id = assignee_id
    where conversation.org_id = ? and kind = 'cloud' and archived = 0 order by last_activity_at desc, conversation.id desc limit ?`,
  )
  const tags = sqlite.prepare<string[], Tag>(
    `select contact_id, tag.id, label, hue from contact_tag join tag on tag.id = tag_id where contact_id in (${Array(pageSize).fill('?')})`,
  )
  app.get(address, async () => {
    const rows = list.all(orgId, pageSize + 1)
    return pageOf(rows, tags.all(...Array.from({ length: pageSize }, (_, i) => rows[i]?.contact_id ?? '')))
  })
}

const guide = () => {
  interface Tables {
    conversation: Omit<Row, 'name' | 'profile_name' | 'username' | 'wa_id' | 'bsuid' | 'assignee_name'> & {
      org_id: string
      kind: string
      last_activity_at: string
    }
    contact: Pick<Row, 'id' | 'name' | 'profile_name' | 'username' | 'wa_id' | 'bsuid'>
    contact_tag: { contact_id: string; tag_id: string; org_id: string }
    tag: { id: string; label: string; hue: number }
    user: { id: string; name: string }
    member: { id: string; userId: string; organizationId: string; role: string }
  }
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) })
  const auth = betterAuth({
    baseURL: 'http://localhost',
    secret,
    database: new Sqlite(path),
    advanced: { cookiePrefix: PRODUCT_KEY },
    plugins: [organization()],
  })
  app.get(address, async (request, reply) => {
    const session = await auth.api.getSession({ headers: fromNodeHeaders(request.headers) })
    const org = session?.session.activeOrganizationId
    if (!session || !org) return reply.code(401).send()
    const member = await db
      .selectFrom('member')
      .select('role')
      .where('userId', '=', session.user.id)
      .where('organizationId', '=', org)
      .executeTakeFirst()
    if (!member) return reply.code(403).send()
    const rows = await db
      .selectFrom('conversation')
      .innerJoin('contact', 'contact.id', 'conversation.contact_id')
      .leftJoin('user', 'user.id', 'conversation.assignee_id')
      .select([
        'conversation.id',
        'contact_id',
        'control',
        'archived',
        'unread',
        'window_closes_at',
        'last_message_at',
        'last_message_text',
      ])
      .select([
        'last_message_type',
        'last_message_direction',
        'last_message_status',
        'assignee_id',
        'user.name as assignee_name',
      ])
      .select(['contact.name', 'profile_name', 'contact.username', 'wa_id', 'bsuid'])
      .where('conversation.org_id', '=', org)
      .where('kind', '=', 'cloud')
      .where('archived', '=', 0)
      .orderBy('last_activity_at', 'desc')
      .orderBy('conversation.id', 'desc')
      .limit(pageSize + 1)
      .execute()
    const tags = await db
      .selectFrom('contact_tag')
      .innerJoin('tag', 'tag.id', 'tag_id')
      .select(['contact_id', 'tag.id', 'label', 'hue'])
      .where(
        'contact_id',
        'in',
        rows.map(row => row.contact_id),
      )
      .execute()
    return pageOf(rows, tags)
  })
}

if (way === 'bare') bare()
else guide()
await app.listen({ host: '127.0.0.1', port: 0, backlog: 4096 })
console.log(`ready: http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
