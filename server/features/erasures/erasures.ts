import { setImmediate as nextTurn } from 'node:timers/promises'
import { Type } from 'typebox'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { EncryptedColumn, Vault } from '#server/platform/crypto/secrets.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf, systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { callerId, type OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { longestGapMs, type Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { type Erasure, type erasuresApi, erasuresPerPage } from '#shared/erasures/api.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { fold } from '#shared/kernel/fold.ts'
import { digitsOf, phoneKey } from '#shared/kernel/phone.ts'
import { detachContact, listQueued } from './contact-store.ts'
import type { Kept, Marks, Recognized } from './marks.ts'
import { createSteps, type Progress, type StepParts } from './steps.ts'
import {
  findErasure,
  findRunning,
  finishErasure,
  insertErasure,
  listErasures,
  type StoredErasure,
  saveProgress,
} from './store.ts'
import { spellingsOf, type Target } from './target.ts'

/** The facts about a chat's customer that an erasure needs. */
interface Known extends Kept {
  readonly contactId: string
  readonly conversationIds: readonly string[]
  readonly names: readonly string[]
  readonly identities: readonly (Recognized & { readonly value: string })[]
}

interface ErasureParts extends StepParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  readonly ids: (at?: number) => string
  readonly jobs: Jobs
  readonly writes: Pick<Writes, 'run'>
  readonly vault: Vault
  readonly marks: Marks
  /** @throws INBOX_CHAT_NOT_FOUND, also for a chat this viewer does not see. */
  findPerson(db: Db, viewer: Viewer, address: string): Promise<Known>
  /** Archives their conversations, which ends running flows. */
  archiveForErasure(write: OrgWrite, contactId: string): Promise<void>
  /** Cancels those of these messages that are still queued. */
  cancelQueued(write: OrgWrite, messageIds: readonly string[]): Promise<void>
}

const troubleMs = 60_000
/** Then other jobs of its lane run. */
const piecesPerRun = 100
/** More than any contact has queued. */
const maxCancelled = 500

const targetContext = (id: string) => `erasure ${id} target`

export const sealedTargets: EncryptedColumn = {
  table: 'erasure',
  key: ['id'],
  column: 'target',
  contextOf: targetContext,
}

const isConfirmed = ({ names, identities }: Known, typed: string): boolean => {
  const phones = identities.filter(({ kind }) => kind === 'phone')
  if (phones.length) return phones.some(({ key }) => key === phoneKey(digitsOf(typed)))
  const said = fold(typed).replace(/^@/, '')
  return [...names, ...identities.map(({ value }) => value)].some(name => fold(name).replace(/^@/, '') === said)
}

const targetOf = ({ contactId, conversationIds, identities }: Known): Target => {
  const valuesOf = (kind: Recognized['kind']) => identities.filter(one => one.kind === kind).map(({ value }) => value)
  return {
    contactId,
    conversationIds,
    phones: spellingsOf(valuesOf('phone')),
    userIds: valuesOf('bsuid'),
  }
}

/** Removes a person from everything an organization has, permanently: begun by a call, continued by a job. */
export function createErasures(parts: ErasureParts): ServiceOf<typeof erasuresApi, OrgCaller> {
  const { databases, clock, log, ids, jobs, writes, vault, marks, findPerson, archiveForErasure, cancelQueued } = parts
  const steps = createSteps(parts)
  const by = systemActor('erasure')

  const present = (row: StoredErasure): Erasure => ({
    id: row.id,
    reason: row.reason,
    requestedAt: row.requested_at,
    requestedBy: row.author_name,
    finishedAt: row.finished_at,
    percent: row.finished_at === null ? Math.floor((100 * row.step) / (steps.length + 1)) : 100,
    messages: row.messages,
  })

  /** A person who hides their number is identified by WhatsApp's user id, or by nothing stable. */
  const numberHashOf = (orgId: string, { contactId, identities }: Known): string => {
    const main = identities.find(({ kind }) => kind === 'phone') ?? identities.find(({ kind }) => kind === 'bsuid')
    return marks.hashOf(orgId, main ?? { kind: 'username', key: contactId })
  }

  /** Runs one piece, unless another process has done it meanwhile. */
  const runPiece = async (orgId: string, row: StoredErasure, target: Target): Promise<Progress> => {
    const step = steps[row.step]
    if (!step) return 'done'
    const work = { orgId, target, since: row.requested_at, place: row.place }
    const prepared = await step.prepare?.(work)
    return writes.run(orgId, by, async (write): Promise<Progress> => {
      const current = await findErasure(write.db, orgId, row.id)
      if (current?.step !== row.step || current.place !== row.place) return { next: '' }
      const progress = await step.write(write, work, prepared)
      if (progress === 'done') {
        await saveProgress(write.db, orgId, { ...row, step: row.step + 1, place: '' })
        write.emit({ type: 'organization.changed', data: {} })
      } else if ('next' in progress) {
        const count = row.messages + (progress.messages ?? 0)
        await saveProgress(write.db, orgId, { ...row, place: progress.next, messages: count })
      }
      return progress
    })
  }

  const finish = (orgId: string, id: string) =>
    writes.run(orgId, by, async ({ db, emit }) => {
      await finishErasure(db, orgId, { id, step: steps.length, at: isoNow(clock) })
      emit({ type: 'organization.changed', data: {} })
    })

  const work = async (orgId: string, id: string, signal: AbortSignal): Promise<Outcome> => {
    for (let piece = 0; piece < piecesPerRun; piece += 1, await nextTurn()) {
      if (signal.aborted) return { kind: 'released' }
      const row = await findErasure(databases.read, orgId, id)
      if (!row || row.target === null) return { kind: 'done' }
      if (row.step >= steps.length) {
        await finish(orgId, id)
        log.info({ orgId, erasure: id, messages: row.messages }, 'a person was erased')
        return { kind: 'done' }
      }
      const progress = await runPiece(orgId, row, JSON.parse(vault.decrypt(row.target, targetContext(id))) as Target)
      if (progress !== 'done' && progress.waitMs !== undefined) return { kind: 'again', afterMs: progress.waitMs }
    }
    return { kind: 'again', afterMs: 0 }
  }

  const queue = jobs.register({
    name: 'contact.erasure',
    looksWithinMs: longestGapMs,
    payload: Type.Object({ erasureId: Type.String() }),
    atOnce: 2,
    perOrg: 1,
    isKept: false,
    run: ({ orgId, payload }, { signal }) =>
      work(orgId, payload.erasureId, signal).catch((error: unknown): Outcome => {
        log.error({ err: error, orgId, erasure: payload.erasureId }, 'an erasure failed and will continue later')
        return { kind: 'again', afterMs: troubleMs }
      }),
    lost: () => ({ kind: 'again', afterMs: 0 }),
  })

  const begin = async (write: OrgWrite, caller: OrgCaller, person: Known, reason: Erasure['reason']) => {
    const { db, orgId, afterCommit } = write
    const { contactId, conversationIds, identities, optOut, block } = person
    const now = clock.now()
    const id = ids(now.getTime())
    const row: StoredErasure = {
      id,
      org_id: orgId,
      reason,
      author_id: callerId(caller),
      author_name: caller.name,
      requested_at: now.toISOString(),
      finished_at: null,
      number_hash: numberHashOf(orgId, person),
      contact_id: contactId,
      target: vault.encrypt(JSON.stringify(targetOf(person)), targetContext(id)),
      step: 0,
      place: '',
      messages: 0,
    }
    const { org_id: _org, ...stored } = row
    await insertErasure(db, orgId, stored)
    await marks.keep(db, orgId, identities, { erasureId: id, optOut, block })
    await cancelQueued(write, await listQueued(db, orgId, { conversationIds, limit: maxCancelled }))
    await archiveForErasure(write, contactId)
    await detachContact(db, orgId, contactId)
    await queue.add(db, orgId, [{ payload: { erasureId: id }, uniqueKey: id }])
    afterCommit(queue.wake)
    return row
  }

  return {
    eraseContact: (caller, { params, body }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const person = await findPerson(write.db, caller, params.phone)
        const running = await findRunning(write.db, caller.orgId, person.contactId)
        if (running) return present(running)
        if (!isConfirmed(person, body.confirm))
          throw new InvalidInput([{ field: 'body.confirm', code: 'invalid', params: {} }])
        return present(await begin(write, caller, person, body.reason))
      }),

    async listErasures({ orgId }, { query: { phone, before } }) {
      const digits = phone === undefined ? undefined : digitsOf(phone)
      if (digits === '') throw new InvalidInput([{ field: 'query.phone', code: 'invalid', params: {} }])
      const rows = await listErasures(databases.read, orgId, {
        numberHash: digits === undefined ? undefined : marks.hashOf(orgId, { kind: 'phone', key: phoneKey(digits) }),
        before,
        limit: erasuresPerPage + 1,
      })
      return { items: rows.slice(0, erasuresPerPage).map(present), hasMore: rows.length > erasuresPerPage }
    },
  }
}
