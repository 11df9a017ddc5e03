import { Type } from 'typebox'
import type { Db } from '#server/platform/db/database.ts'
import type { Job, Outcome } from '#server/platform/jobs/job.ts'
import { type Customer, listCustomersByWaId } from '../customers/customer-store.ts'
import { listMessages, type SandboxMessage, setStatus } from '../customers/message-store.ts'
import { listConnectedNumbers, type SandboxNumber } from '../numbers/number-store.ts'
import { keptMs, nowMs, type SandboxParts } from '../parts.ts'
import { categoriesOf } from '../templates/template-categories.ts'
import { metaJson } from './serialize.ts'
import { canHappen, delayMs, type StatusFacts, type Step, statusWebhook } from './statuses.ts'
import type { NewWebhook, WebhookJobs } from './webhook-jobs.ts'

/** The remaining statuses of a message, in order. */
const Statuses = Type.Object({ wamid: Type.String(), waId: Type.String(), plan: Type.Array(Type.String()) })
interface Statuses {
  wamid: string
  waId: string
  plan: Step[]
}

/** The order of statuses; a message's status never goes back. */
const order = ['accepted', 'sent', 'delivered', 'read', 'played', 'failed']
const rankOf = (step: Step): number => order.indexOf(step.split(':')[0] as string)

const reasonOf = (waId: string): string => `customer ${waId}`

interface Progress {
  facts: StatusFacts[]
  next: (Statuses & { afterMs: number })[]
  outcomes: Map<number, { over: Outcome }>
}

const factsOf = (
  step: Step,
  message: SandboxMessage,
  customer: Customer,
  number: SandboxNumber,
  now: number,
  category: string | null,
): StatusFacts => {
  // An overtaken `sent` keeps the time at which the message was accepted.
  const isOvertaken = step === 'sent' && message.status !== 'accepted'
  return {
    step,
    message,
    customer,
    category,
    hasDelivered: message.status === 'delivered',
    atMs: isOvertaken ? message.atMs : now,
    behaviour: number.behaviour,
  }
}

/** Sorts an organization's due statuses: sent now, waiting for the customer, or followed by others. */
const progressOf = async (
  trx: Db,
  number: SandboxNumber,
  jobs: readonly Job<Statuses>[],
  now: number,
): Promise<Progress> => {
  const { orgId, behaviour } = number
  const wamids = jobs.map(({ payload }) => payload.wamid)
  const waIds = [...new Set(jobs.map(({ payload }) => payload.waId))]
  const messages = new Map((await listMessages(trx, orgId, wamids)).map(message => [message.wamid, message]))
  const customers = new Map((await listCustomersByWaId(trx, orgId, waIds)).map(person => [person.waId, person]))
  const categories = await categoriesOf(trx, orgId, [...messages.values()])
  const progress: Progress = { facts: [], next: [], outcomes: new Map() }
  for (const { seq, payload } of jobs) {
    const [step, ...rest] = payload.plan
    const message = messages.get(payload.wamid)
    const customer = customers.get(payload.waId)
    if (step === undefined || !message || !customer) continue
    if (!canHappen(step, customer, behaviour)) {
      const afterMs = Math.min(message.atMs + keptMs - now, keptMs)
      if (afterMs > 0) progress.outcomes.set(seq, { over: { kind: 'waits', afterMs, reason: reasonOf(customer.waId) } })
      continue
    }
    progress.facts.push(factsOf(step, message, customer, number, now, categories.get(message.wamid) ?? null))
    const [following] = rest
    if (following !== undefined) progress.next.push({ ...payload, plan: rest, afterMs: delayMs(following, behaviour) })
  }
  return progress
}

const webhooksOf = (number: SandboxNumber, facts: readonly StatusFacts[]): NewWebhook[] => {
  const { batch, agentFields } = number.behaviour
  const heard = facts.filter(({ customer }) => agentFields || !customer.isWithAgent)
  const ofOneField = [...Map.groupBy(heard, ({ customer }) => customer.isWithAgent).values()]
  const groups = batch ? ofOneField : heard.map(fact => [fact])
  return groups.flatMap(group => {
    const [first] = group as [StatusFacts, ...StatusFacts[]]
    const orderKey = group.length > 1 ? `batch ${number.orgId}` : first.message.wamid
    const webhook = { body: metaJson(statusWebhook(number, group)), orderKey }
    return number.behaviour.duplicate ? [webhook, webhook] : [webhook]
  })
}

const saveStatuses = async (trx: Db, orgId: string, facts: readonly StatusFacts[]) => {
  const reached = Map.groupBy(
    facts.filter(({ step, message }) => rankOf(step) > rankOf(message.status)),
    ({ step }) => step.split(':')[0] as string,
  )
  for (const [status, group] of reached)
    await setStatus(
      trx,
      orgId,
      group.map(({ message }) => message.wamid),
      status,
    )
}

export interface StatusJobs {
  /** Schedules a message's statuses; the first after `afterMs`. */
  add(trx: Db, orgId: string, statuses: Statuses & { afterMs: number }): Promise<void>
  /** Runs statuses again that wait for this customer, or for any customer of the organization. */
  hasten(trx: Db, orgId: string, waId?: string): Promise<void>
  bringForward(orgId: string, ms: number): Promise<void>
  deleteAll(orgId: string): Promise<void>
}

/**
 * Turns due statuses into webhooks, and the next ones into jobs, in the commit that claims them. So no status is lost,
 * and several of one moment may share a webhook.
 */
export function createStatusJobs(
  parts: Pick<SandboxParts, 'clock' | 'jobs'> & { webhooks: Pick<WebhookJobs, 'addAndBegin'> },
): StatusJobs {
  const { clock, webhooks } = parts

  const queue = parts.jobs.register({
    name: 'simulator.status',
    looksWithinMs: keptMs,
    payload: Statuses,
    // The work is done when the job is claimed, so it takes no time.
    atOnce: 64,
    isKept: false,
    async claimed(writes, jobs) {
      const now = nowMs(clock)
      const due = jobs.toSorted((a, b) => a.dueAt.localeCompare(b.dueAt) || a.seq - b.seq)
      const outcomes = new Map<number, { over: Outcome }>(jobs.map(({ seq }) => [seq, { over: { kind: 'done' } }]))
      const byOrg = Map.groupBy(due, job => job.orgId)
      const numbers = await listConnectedNumbers(writes.db, [...byOrg.keys()])
      for (const [orgId, some] of byOrg) {
        const number = numbers.get(orgId)
        if (!number) continue
        const { facts, next, outcomes: waiting } = await progressOf(writes.db, number, some, now)
        for (const [seq, outcome] of waiting) outcomes.set(seq, outcome)
        await saveStatuses(writes.db, orgId, facts)
        const write = writes.of(orgId)
        await queue.add(writes.db, orgId, next.map(newJobOf(now)))
        await webhooks.addAndBegin(write, webhooksOf(number, facts))
        if (next.length) write.afterCommit(queue.wake)
      }
      return outcomes
    },
    run: async () => undefined,
  })

  return {
    async add(trx, orgId, statuses) {
      await queue.add(trx, orgId, [newJobOf(nowMs(clock))(statuses)])
    },
    async hasten(trx, orgId, waId) {
      await queue.hasten(trx, orgId, waId === undefined ? undefined : reasonOf(waId))
    },
    bringForward: queue.bringForward,
    deleteAll: queue.deleteAll,
  }
}

const newJobOf =
  (now: number) =>
  ({ afterMs, ...payload }: Statuses & { afterMs: number }) => ({
    payload,
    dueAt: new Date(now + afterMs).toISOString(),
  })
