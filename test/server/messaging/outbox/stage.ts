import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { mediaPath } from '#server/messaging/media/path.ts'
import { createUploads } from '#server/messaging/media/uploads.ts'
import { undoReaction } from '#server/messaging/messages/changes/own-reactions.ts'
import { applyAccepted } from '#server/messaging/messages/delivery/accepted.ts'
import { applyDelivery, failMessages } from '#server/messaging/messages/delivery/delivery.ts'
import { createOutbox, type OutboxParts } from '#server/messaging/outbox/outbox.ts'
import type { Spacing } from '#server/messaging/outbox/spacing.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { createJobs } from '#server/platform/jobs/jobs.ts'
import { createFolderStorage } from '#server/platform/storage/folder.ts'
import { createCloudNumber } from '#server/whatsapp/cloud.ts'
import type { OutboundMessage } from '#shared/inbox/message-kinds.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { fakeGraph } from '#test/helpers/graph.ts'
import { keptLog } from '#test/helpers/log.ts'
import { keptWrites } from '#test/helpers/writes.ts'
import { aMachine } from '#test/server/platform/jobs/stage.ts'

const at = '2026-11-20T12:00:00.000Z'

export const anOrg = async (databases: Databases, id = newId()) => {
  await databases.write
    .insertInto('organization')
    .values({ id, name: id, slug: id, logo: null, createdAt: at, metadata: null })
    .execute()
  return id
}

/** A conversation with a customer who has written, or with `isKnown: false` never has. */
export const aConversation = async (
  databases: Databases,
  orgId: string,
  facts: { to?: string; bsuid?: string; isKnown?: boolean; connectionId?: string } = {},
) => {
  const { to = '5491155551234', bsuid, isKnown = true, connectionId = 'number' } = facts
  const contactId = newId()
  const id = newId()
  await databases.write
    .insertInto('contact')
    .values({
      id: contactId,
      org_id: orgId,
      wa_id: bsuid ? null : to,
      bsuid: bsuid ?? null,
      created_at: at,
      updated_at: at,
    })
    .execute()
  await databases.write
    .insertInto('conversation')
    .values({
      id,
      org_id: orgId,
      contact_id: contactId,
      connection_id: connectionId,
      control: 'human',
      archived: 0,
      unread: 0,
      last_activity_at: at,
      last_inbound_wamid: isKnown ? 'wamid.in' : null,
      created_at: at,
    })
    .execute()
  return id
}

type OutboundFile = Extract<OutboundMessage, { type: 'file' }>

/** One installation with a fake Graph on loopback; `revive` opens another process on the same data. */
export const stage = async (
  t: Test,
  { timeoutMs = 60_000, spacing: first }: { timeoutMs?: number; spacing?: Spacing } = {},
) => {
  /** The timeout of a request; can be changed at any time. By default it is too long to expire on a slow machine. */
  const limit = { timeoutMs }
  const graph = await fakeGraph()
  t.teardown(() => graph.close())
  const databases = await freshDatabases()
  const dataDir = await mkdtemp(join(tmpdir(), 'outbox-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  const storage = createFolderStorage(dataDir)
  const clock = handClock('2026-11-20T13:00:00.000Z')
  const log = keptLog()
  /** Errors that the inbox throws when it gets the outcome of these messages. */
  const spoilt = new Map<string, Error>()
  const marks: [string, string, string?][] = []
  const status = new Map<string, { status: string; statusReason: string | null }>()

  /** Stores the file of an outbound message, on disk and in its row. */
  const storeFile = async (db: Db, org: string, messageId: string, file: OutboundFile) => {
    const body = async function* () {
      yield Buffer.from('the bytes of a picture')
    }
    const { path, size, sha256 } = await storage.write(mediaPath(org, file.fileId), body())
    await db
      .insertInto('media')
      .values({
        id: file.fileId,
        org_id: org,
        message_id: messageId,
        provider_id: '',
        mime: 'image/jpeg',
        name: file.name,
        size,
        sha256,
        state: 'stored',
        path,
        error: null,
        created_at: clock.now().toISOString(),
      })
      .execute()
  }

  const machine = aMachine()
  let host = machine.host()

  /** Starts another process; the one before it is dropped without a shutdown. */
  const revive = (data: Databases, { spacing }: { spacing?: Spacing | undefined } = {}) => {
    machine.die(host)
    host = machine.host()
    const writes = keptWrites({ databases: data, clock, log })
    const published = writes.published
    const clients = new Map<string, ReturnType<typeof createCloudNumber>>()
    const jobs = createJobs({ databases: data, writes, clock, log, ids: newId, host })
    const parts: Omit<OutboxParts, 'uploads'> = {
      jobs,
      writes,
      clock,
      ids: newId,
      log,
      applyDelivery: async (write, target, change, more) => {
        const error = spoilt.get(target.messageId)
        if (error) throw error
        return applyDelivery(write, target, change, more)
      },
      async applyAccepted(write, many, more) {
        for (const { messageId } of many) {
          const error = spoilt.get(messageId)
          if (error) throw error
        }
        return applyAccepted(write, many, more)
      },
      failMessages,
      undoReaction,
      spacing,
      bulkPerSecond: async () => 20,
      headerFiles: { idOf: () => undefined, list: async () => new Map(), markSent: async () => undefined },
      numbers: {
        findClient: async (orgId, connectionId = 'number') => {
          const connection = status.get(orgId)
          if (!connection) return undefined
          const number =
            clients.get(`${orgId} ${limit.timeoutMs}`) ??
            createCloudNumber({
              baseUrl: graph.url,
              version: 'v25.0',
              phoneNumberId: '106540352242922',
              wabaId: '1',
              accessToken: `token-of-${orgId}`,
              timeoutMs: limit.timeoutMs,
            })
          clients.set(`${orgId} ${limit.timeoutMs}`, number)
          return { number, connection: { id: connectionId, ...connection } }
        },
        markReauthorise: async (orgId, _connectionId, reason) => {
          marks.push(['reauthorise', orgId, reason])
          status.set(orgId, { status: 'reauthorise', statusReason: reason })
        },
        markBlocked: async (orgId, _connectionId, reason) => void marks.push(['blocked', orgId, reason]),
        markWorking: async orgId => void marks.push(['working', orgId]),
      },
    }
    const uploads = createUploads({ ...parts, databases: data, storage })
    const outbox = {
      ...createOutbox({ ...parts, uploads }),
      idle: jobs.idle,
      stop: jobs.stop,
      prune: jobs.prune,
      beat: jobs.beat,
    }
    t.teardown(() => jobs.stop())
    jobs.start()

    const write = async (orgId: string, conversationId: string, text: string, file?: OutboundFile) => {
      const id = newId()
      await writes.tell(orgId, async write => {
        await write.db
          .insertInto('message')
          .values({
            id,
            org_id: orgId,
            conversation_id: conversationId,
            direction: 'out',
            type: file ? file.kind : 'text',
            text,
            at: clock.now().toISOString(),
            status: 'queued',
            author_kind: 'person',
            ...(file ? { outbound: JSON.stringify(file) } : {}),
          })
          .execute()
        if (file) await storeFile(write.db, orgId, id, file)
        const { connection_id: connectionId } = await write.db
          .selectFrom('conversation')
          .select('connection_id')
          .where('id', '=', conversationId)
          .executeTakeFirstOrThrow()
        await outbox.enqueueMessage(write, { conversationId, connectionId, messageId: id, fileId: file?.fileId })
      })
      return id
    }
    const message = (id: string) =>
      data.read.selectFrom('message').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    /** The outbox rows; `unknown` waits for a status. */
    const outboxRows = async () => {
      const rows = await data.read.selectFrom('job').selectAll().orderBy('seq').execute()
      const isOver = (state: string) => ['done', 'failed', 'cancelled'].includes(state)
      const doubted = new Set(
        (await data.read.selectFrom('message').select('id').where('unconfirmed', '=', 1).execute()).map(row => row.id),
      )
      const verdicts = new Set(
        rows
          .filter(row => row.kind === 'outbox.unconfirmed' && !isOver(row.state))
          .map(row => row.unique_key)
          .filter(id => id !== null && doubted.has(id)),
      )
      return rows
        .filter(row => row.kind !== 'outbox.unconfirmed')
        .map(row => {
          if (row.state === 'running') return { state: 'inFlight' }
          if (!isOver(row.state)) return { state: 'queued' }
          return { state: row.kind === 'outbox.message' && verdicts.has(row.unique_key) ? 'unknown' : 'done' }
        })
    }
    const attempts = () => data.read.selectFrom('message_attempt').selectAll().orderBy('seq').execute()
    return { outbox, writes, published, write, message, outboxRows, attempts, databases: data }
  }

  const orgId = await anOrg(databases)
  status.set(orgId, { status: 'connected', statusReason: null })
  const texts = () => graph.taken().map(body => (body.text as { body: string }).body)
  return {
    spoilt,
    limit,
    graph,
    storage,
    clock,
    log,
    marks,
    status,
    orgId,
    texts,
    revive,
    ...revive(databases, { spacing: first }),
  }
}
