import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { createMediaFetcher } from '#server/messaging/media/fetcher.ts'
import { createFileQuota } from '#server/messaging/media/quota.ts'
import { emitChanges } from '#server/messaging/messages/changes/changes.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import { createJobs } from '#server/platform/jobs/jobs.ts'
import { OutboundFailure } from '#server/platform/outbound/outbound.ts'
import { createFolderStorage } from '#server/platform/storage/folder.ts'
import { createCloudNumber } from '#server/whatsapp/cloud.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { fakeGraph, type GraphAnswer } from '#test/helpers/graph.ts'
import { composeOn } from '#test/helpers/inbox.ts'
import { keptLog } from '#test/helpers/log.ts'
import { keptWrites } from '#test/helpers/writes.ts'
import { aMachine } from '#test/server/platform/jobs/stage.ts'
import { aConversation } from '../outbox/stage.ts'

export const jpeg = Buffer.concat([Buffer.from('ffd8ffe000104a46494600', 'hex'), Buffer.alloc(3000, 'photo')])
export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** A customer's message with a file waiting to be downloaded. */
export const aFile = async (
  databases: Databases,
  orgId: string,
  facts: { mime?: string; name?: string | null; sha256?: string | null; providerId?: string; at: string },
) => {
  const { mime = 'image/jpeg', name = null, at } = facts
  const conversationId = await aConversation(databases, orgId, { to: `54911${String(Math.random()).slice(2, 10)}` })
  const messageId = newId()
  const id = newId()
  await databases.write
    .insertInto('message')
    .values({
      id: messageId,
      org_id: orgId,
      conversation_id: conversationId,
      wamid: `wamid.${messageId}`,
      direction: 'in',
      type: 'image',
      text: '',
      at,
      status: 'received',
    })
    .execute()
  await databases.write
    .insertInto('media')
    .values({
      id,
      org_id: orgId,
      message_id: messageId,
      provider_id: facts.providerId ?? `7${Date.now()}${Math.floor(Math.random() * 1000)}`,
      mime,
      name,
      size: null,
      sha256: facts.sha256 ?? null,
      state: 'pending',
      path: null,
      error: null,
      created_at: at,
    })
    .execute()
  return { id, messageId }
}

/** A media folder in a temporary directory and a fake Graph that serves `bytes`. */
export const stage = async (t: Test) => {
  const graph = await fakeGraph()
  const dataDir = await mkdtemp(join(tmpdir(), 'media-'))
  const databases = await freshDatabases()
  const clock = handClock('2026-11-20T13:00:00.000Z')
  const log = keptLog()
  const writes = keptWrites({ databases, clock })
  const { notifyRoles } = composeOn(databases, clock).notifications
  const published = writes.published
  const marked: string[] = []
  /** Responses of linked addresses, in order; without one the request is refused. */
  const linked: { body: Buffer; status?: number }[] = []
  const called: string[] = []
  let status: string | undefined = 'connected'
  const number = createCloudNumber({
    baseUrl: graph.url,
    version: 'v25.0',
    phoneNumberId: '106540352242922',
    wabaId: '1',
    accessToken: 'token-of-media',
    timeoutMs: 2000,
  })
  const machine = aMachine()
  const open = () => {
    const host = machine.host()
    const jobs = createJobs({ databases, writes, clock, log, ids: newId, host })
    const media = createMediaFetcher({
      databases,
      clock,
      log,
      jobs,
      emitChanges,
      quota: createFileQuota({ databases, log, writes, notifyRoles, mostBytes: null }),
      storage: createFolderStorage(join(dataDir, 'media')),
      outbound: {
        call: async address => {
          called.push(address)
          const answer = linked.shift()
          if (!answer) throw new OutboundFailure('private', 'leads inside')
          return { status: 200, headers: new Headers(), ...answer }
        },
      },
      writes,
      numbers: {
        findClient: async () => (status ? { number, connection: { status } } : undefined),
        markReauthorise: async orgId => void marked.push(orgId),
      },
    })
    return { ...media, jobs, host }
  }
  const media = open()
  t.teardown(async () => {
    await media.jobs.stop()
    await graph.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  writes.listeners.inTransaction(media.listener)
  media.jobs.start()
  const ana: AMember = await aMember({ databases })

  /** Sets the Graph's response for the next file: its metadata, then its bytes. */
  const serve = (
    bytes: Buffer,
    facts: { mime?: string; sha256?: string; size?: number; count?: number; download?: GraphAnswer } = {},
  ) => {
    const { mime = 'image/jpeg', count = 1 } = facts
    const info = {
      status: 200,
      body: {
        url: `${graph.url}/download`,
        mime_type: mime,
        sha256: facts.sha256 ?? sha256(bytes),
        file_size: facts.size ?? bytes.length,
        id: '7',
      },
    }
    graph.on(/GET \/v25\.0\/7/, info, count)
    graph.on(/GET \/download/, facts.download ?? { bytes, mime }, count)
  }
  const row = (id: string) =>
    databases.read.selectFrom('media').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const job = (id: string) =>
    databases.read.selectFrom('job').selectAll().where('unique_key', '=', id).executeTakeFirst()
  return {
    linked,
    called,
    graph,
    dataDir,
    databases,
    clock,
    log,
    published,
    marked,
    media,
    open,
    ana,
    serve,
    machine,
    settle: () => media.jobs.idle(),
    row,
    job,
    /** Sets and publishes the number's state; undefined: disconnected. */
    async setStatus(now: 'connected' | 'reauthorise' | undefined, orgId = ana.org.id) {
      status = now
      await writes.tell(orgId, async write =>
        write.emit({ type: 'connection.changed', data: { status: now ?? null, phone: null, reason: null } }),
      )
    },
    async file(facts: Partial<Parameters<typeof aFile>[2]> = {}) {
      const made = await aFile(databases, ana.org.id, { at: clock.now().toISOString(), ...facts })
      await writes.run(ana.org.id, systemActor('test'), write => media.enqueue(write, [made.id]))
      return made
    },
  }
}
