import { conversationKey } from '#server/messaging/outbox/order.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { emptyLog } from '#server/platform/db/empty-log.ts'
import { purgeWords } from '#server/platform/db/purge-words.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import { deleteContact, deleteMergeMessages, deleteMessages, deleteSessions, listMessages } from './contact-store.ts'
import {
  deleteAnswer,
  findTheirMessages,
  forgetSimulated,
  listAnswers,
  listConnections,
  type SweptTable,
  sweep,
  sweepJournal,
  sweptTables,
} from './sweep-store.ts'
import { isTheirs, type Target, tracesOf } from './target.ts'

export interface StepParts {
  readonly databases: Databases
  readonly jobs: Pick<Jobs, 'forget' | 'isUnderWay'>
  removeFile(path: string): Promise<void>
  /** Deletes template files that only messages of these conversations carried. */
  forgetFiles(orgId: string, conversationIds: readonly string[]): Promise<unknown>
  /** Removes them from bulk sends, some rows at a time. */
  forgetRecipients(
    write: OrgWrite,
    after: string,
    who: { conversationIds: readonly string[]; isTheirs(given: string): boolean },
  ): Promise<string | 'wait' | undefined>
}

interface Work {
  readonly orgId: string
  readonly target: Target
  /** The erasure was requested at this time. */
  readonly since: string
  /** Empty at the beginning of a step. */
  readonly place: string
}

/** Progress of a step: `next` is where to continue, `waitMs` how long to wait before. */
export type Progress =
  | 'done'
  | { readonly next: string; readonly messages?: number; readonly waitMs?: number }
  | { readonly waitMs: number }

/** A step, in pieces of about ten milliseconds. `prepare` runs outside the transaction and may run twice. */
interface Step {
  prepare?(work: Work): Promise<unknown>
  write(write: OrgWrite, work: Work, prepared: unknown): Promise<Progress>
}

const messagesAtOnce = 200
const rowsAtOnce = 500
const webhooksAtOnce = 50
const answersAtOnce = 50
/** A page has fifty messages. An answer with more ids is not about one chat. */
const maxIds = 100
const pollMs = 500
/** A reader that holds the log for longer delays only the log, not the erasure. */
const maxLooks = 60

const further = (place: string | undefined): Progress => (place === undefined ? 'done' : { next: place })

const idsIn = (body: string): string[] =>
  [...body.matchAll(/"id":"([0-9a-z]{24})"/g)].slice(0, maxIds).map(found => found[1] as string)

const sweepStep = (table: SweptTable): Step => ({
  write: async ({ db, orgId }, { target, place }) =>
    further(
      await sweep(db, orgId, table, {
        place: place || (table.key === 'seq' ? '0' : ''),
        limit: rowsAtOnce,
        traces: tracesOf(target),
      }),
    ),
})

/** The steps of an erasure in order: queued work first, records that lead to other data last. */
export function createSteps({
  databases,
  jobs,
  removeFile,
  forgetFiles,
  forgetRecipients,
}: StepParts): readonly Step[] {
  const outgoing: Step = {
    async write({ db, orgId }, { target }) {
      const keys = target.conversationIds.map(conversationKey)
      return keys.length && (await jobs.isUnderWay(db, orgId, keys)) ? { waitMs: pollMs } : 'done'
    },
  }
  /** Before messages are deleted, because a stored answer may name a message by id only. */
  const answers: Step = {
    async write({ db, orgId }, { target, place }) {
      const page = await listAnswers(db, place, answersAtOnce)
      const own = page
        .filter(row => row.org_id === orgId && row.body !== null)
        .map(row => ({ ...row, ids: idsIn(row.body ?? '') }))
      const { conversationIds } = target
      const theirs = await findTheirMessages(db, orgId, { ids: own.flatMap(({ ids }) => ids), conversationIds })
      for (const row of own) if (row.ids.some(id => theirs.has(id))) await deleteAnswer(db, orgId, row)
      return further(page.at(-1)?.created_at)
    },
  }
  /** Files first: after a crash the rows still name the remaining files. */
  const messages: Step = {
    async prepare({ orgId, target }) {
      const some = await listMessages(databases.read, orgId, { ...target, limit: messagesAtOnce })
      for (const { path } of some) if (path !== null) await removeFile(path)
      return some.map(({ id }) => id)
    },
    async write({ db, orgId }, _work, ids) {
      const gone = await deleteMessages(db, orgId, ids as string[])
      return (ids as string[]).length ? { next: 'more', messages: gone } : 'done'
    },
  }
  const headerFiles: Step = {
    prepare: ({ orgId, target }) => forgetFiles(orgId, target.conversationIds),
    write: async () => 'done',
  }
  const recipients: Step = {
    async write(write, { target, place }) {
      const { conversationIds } = target
      const came = await forgetRecipients(write, place, { conversationIds, isTheirs: typed => isTheirs(target, typed) })
      return came === 'wait' ? { waitMs: pollMs } : further(came)
    },
  }
  const contact: Step = {
    async write({ db, orgId, emit }, { target }) {
      const { contactId, conversationIds } = target
      const gone = await deleteSessions(db, orgId, { contactId, limit: messagesAtOnce })
      if (gone === messagesAtOnce) return { next: 'more' }
      const parted = await deleteMergeMessages(db, orgId, { contactId, limit: rowsAtOnce })
      if (parted === rowsAtOnce) return { next: 'more' }
      await deleteContact(db, orgId, contactId)
      emit({ type: 'contact.erased', data: { contactId, conversationIds: [...conversationIds] } })
      return 'done'
    },
  }
  const waiting: Step = {
    async write({ db, orgId }, { target, since, place }) {
      const page = { after: Number(place), limit: rowsAtOnce, addedBy: since, traces: tracesOf(target) }
      const { last, isRunning } = await jobs.forget(db, orgId, page)
      if (isRunning) return { waitMs: pollMs }
      return last === null ? 'done' : { next: String(last) }
    },
  }
  const simulator: Step = {
    async write({ db, orgId }, { target }) {
      const gone = await forgetSimulated(db, orgId, { ...target, limit: messagesAtOnce })
      return gone ? { next: 'more' } : 'done'
    },
  }
  const webhooks: Step = {
    prepare: ({ orgId }) => listConnections(databases.read, orgId),
    async write({ db }, { target, place }, connections) {
      const page = { place: place || '0', limit: webhooksAtOnce, traces: tracesOf(target) }
      return further(
        await sweepJournal(db, { ...page, connections: connections as Awaited<ReturnType<typeof listConnections>> }),
      )
    },
  }
  const words: Step = {
    prepare: ({ place }) => purgeWords(databases, place === ''),
    write: async (_write, _work, isMore) => (isMore ? { next: 'more' } : 'done'),
  }
  const log: Step = {
    prepare: () => emptyLog(databases),
    async write(_write, { place }, isEmpty) {
      const looks = Number(place)
      return isEmpty || looks >= maxLooks ? 'done' : { next: String(looks + 1), waitMs: pollMs }
    },
  }
  return [
    outgoing,
    answers,
    messages,
    recipients,
    headerFiles,
    simulator,
    waiting,
    contact,
    ...sweptTables.map(sweepStep),
    webhooks,
    words,
    log,
  ]
}
