import { Type } from 'typebox'
import { type BlockReason, bulkPerSecond } from '#shared/bulk-sends.ts'
import type { EventActor } from '#shared/events/actor.ts'
import { roleCan } from '#shared/permissions.ts'
import { phoneKey } from '#shared/phone.ts'
import { type Clock, isoNow } from '../clock.ts'
import type { Db } from '../db.ts'
import type { OrgWrite } from '../events/writes.ts'
import type { Outcome } from '../jobs/job.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { ReadyTemplate, TemplateFreezing } from '../templates/freezing.ts'
import type { Scopes } from '../visibility/scopes.ts'
import type { Announcing } from './announcing.ts'
import { findByPhone } from './audience-store.ts'
import { moveSend } from './changed.ts'
import { listPlanned, type PlannedRecipient, saveHandedOver } from './recipient-store.ts'
import { findGrantedTags, findPermitted } from './rights.ts'
import type { Senders } from './senders.ts'
import { addToCounts, findSend, type SendChange, type StoredSend } from './store.ts'

/** What a bulk send needs of the inbox. */
export interface SendingToMany {
  sendToMany(
    write: OrgWrite,
    to: {
      connectionId: string
      author: EventActor
      many: readonly { id: string; phone: string; ready: ReadyTemplate }[]
    },
  ): Promise<ReadonlyMap<string, string>>
  takeBack(write: OrgWrite, messageIds: readonly string[]): Promise<void>
}

export interface HandOverParts {
  readonly clock: Clock
  readonly jobs: Jobs
  readonly templates: TemplateFreezing
  readonly scopes: Pick<Scopes, 'tagsOfRole'>
  readonly inbox: SendingToMany
  readonly senders: Senders
  readonly announcing: Announcing
}

/** Of a number; sends that share it take turns. */
const everyMs = 1000
/** So many wait to leave at most: what is paused stops within seconds, and a person's reply finds a short queue. */
const mostQueued = bulkPerSecond * 2

const ofTemplate: Readonly<Record<string, BlockReason>> = { PAUSED: 'templatePaused', DISABLED: 'templateDisabled' }

/**
 * Hands the people of a running send to the outbox, a second's worth at a time in one commit. A process that dies after
 * that commit finds them handed over.
 */
export function createHandOver(parts: HandOverParts) {
  const { clock, jobs, templates, scopes, inbox, senders, announcing } = parts

  const numberObstacle = async (db: Db, { orgId, connectionId }: StoredSend): Promise<BlockReason | undefined> => {
    const number = (await senders.listNumbers(db, orgId)).find(({ id }) => id === connectionId)
    if (!number?.isConnected) return 'notConnected'
    if (number.status === 'reauthorise') return 'tokenLost'
    return number.status === 'blocked' ? 'accountBlocked' : undefined
  }

  const templateObstacle = async (db: Db, { orgId, templateId }: StoredSend): Promise<BlockReason | undefined> => {
    const status = await templates.findStatus(db, orgId, templateId)
    if (status === undefined) return 'templateGone'
    return status === 'APPROVED' ? undefined : (ofTemplate[status] ?? 'templateNotApproved')
  }

  /** Whether whoever made it may still send to all of these. */
  const rightsObstacle = async (
    db: Db,
    { orgId, creatorId }: StoredSend,
    people: readonly PlannedRecipient[],
  ): Promise<BlockReason | undefined> => {
    const role = await senders.findRole(db, orgId, creatorId)
    if (!role || !roleCan(role, 'bulk:send')) return 'noPermission'
    const granted = await findGrantedTags(db, orgId, role, scopes)
    if (granted === null) return undefined
    const keys = people.map(({ phone }) => phoneKey(phone))
    const contacts = await findByPhone(db, keys, { orgId })
    const permitted = await findPermitted(
      db,
      orgId,
      granted,
      contacts.map(({ id }) => id),
    )
    const allowed = new Set(contacts.filter(({ id }) => permitted.has(id)).map(contact => contact.match_key))
    return keys.every(key => allowed.has(key)) ? undefined : 'noPermission'
  }

  const handSome = async (write: OrgWrite, send: StoredSend): Promise<'done' | 'again'> => {
    const { db, orgId } = write
    if (!send.counts.planned) {
      if (!send.counts.queued) await moveSend(write, send, { state: 'completed', endedAt: isoNow(clock) })
      return 'done'
    }
    const room = Math.min(bulkPerSecond, mostQueued - send.counts.queued)
    const people = room > 0 ? await listPlanned(db, orgId, send.id, room) : []
    const obstacle =
      (await numberObstacle(db, send)) ?? (await templateObstacle(db, send)) ?? (await rightsObstacle(db, send, people))
    if (obstacle) {
      await moveSend(write, send, { state: 'blocked', reason: obstacle })
      return 'done'
    }
    if (!people.length) return 'again'
    const many = people.map(({ id, phone, values }) => {
      const ready = templates.fill(send.template, values)
      // They fitted when they were frozen, with the template they were frozen with.
      if (ready.faults) throw new Error(`The values of ${id} do not fit their template any more`)
      return { id, phone, ready }
    })
    const author = { kind: 'person', id: send.authorId, name: send.authorName } as const
    const conversations = await inbox.sendToMany(write, { connectionId: send.connectionId, author, many })
    const handed = [...conversations].map(([id, conversationId]) => ({ id, conversationId }))
    await saveHandedOver(db, handed, { orgId, at: isoNow(clock) })
    await addToCounts(db, orgId, send.id, { planned: -handed.length, queued: handed.length })
    await templates.noteUse(db, orgId, send.templateId, { count: handed.length, at: isoNow(clock) })
    await announcing.ask(write, send)
    return send.counts.planned > handed.length ? 'again' : 'done'
  }

  const queue = jobs.register({
    name: 'bulkSends.handOver',
    payload: Type.Object({ sendId: Type.String() }),
    lane: 'bulk',
    // Of a lower lane's places that is one: a second's worth of one number is as much as one commit should hold.
    atOnce: 2,
    perSecond: 1000 / everyMs,
    isKept: false,
    // All of it, and how the job goes on, is one commit: whoever resumes finds the job, or finds it ended.
    async claimed(writes, claimed) {
      const over = new Map<number, { over: Outcome }>()
      for (const { seq, orgId, payload } of claimed) {
        const write = writes.of(orgId)
        const send = await findSend(write.db, orgId, payload.sendId)
        const next = send?.state === 'running' ? await handSome(write, send) : 'done'
        over.set(seq, { over: next === 'again' ? { kind: 'again', afterMs: everyMs } : { kind: 'done' } })
      }
      return over
    },
    run: async () => ({ kind: 'again', afterMs: 0 }),
    lost: () => ({ kind: 'again', afterMs: 0 }),
  })

  return {
    /** Starts or goes on, in the caller's transaction. */
    async begin(write: OrgWrite, send: StoredSend, change: SendChange = {}): Promise<StoredSend> {
      const { db, orgId, afterCommit } = write
      const startedAt = send.startedAt ?? isoNow(clock)
      const moved = await moveSend(write, send, { ...change, state: 'running', reason: null, startedAt })
      const paceKey = `bulk ${send.connectionId}`
      await queue.add(db, orgId, [{ payload: { sendId: send.id }, uniqueKey: send.id, paceKey }])
      afterCommit(queue.wake)
      return moved
    },
  }
}
export type HandOver = ReturnType<typeof createHandOver>
