import { type Db, inTransaction } from '../../db.ts'
import { type Customer, listCustomersByWaId } from './customer-store.ts'
import {
  deleteJobs,
  insertPosts,
  insertSteps,
  listDueSteps,
  type NewPost,
  type NewStep,
  type StepJob,
} from './job-store.ts'
import { listMessages, type SandboxMessage, setStatus } from './message-store.ts'
import { listConnectedNumbers, type SandboxNumber } from './number-store.ts'
import { nowMs, type SandboxParts } from './parts.ts'
import { metaJson } from './serialize.ts'
import { canHappen, delayMs, type StatusFacts, statusWebhook } from './statuses.ts'

const stepsAtOnce = 100

/** How far along a status is; what a message shows never goes back. */
const order = ['accepted', 'sent', 'delivered', 'read', 'played', 'failed']

interface Progress {
  facts: StatusFacts[]
  next: NewStep[]
}

const factsOf = (
  job: StepJob,
  message: SandboxMessage,
  customer: Customer,
  number: SandboxNumber,
  now: number,
): StatusFacts => {
  const step = job.plan[0] as string
  // A status that was overtaken tells of what came before.
  const isOvertaken = step === 'sent' && message.status !== 'accepted'
  return {
    step,
    message,
    customer,
    hasDelivered: message.status === 'delivered',
    atMs: isOvertaken ? message.atMs : now,
    behaviour: number.behaviour,
  }
}

/** What the due steps of one organization become: statuses now, and the steps after them. */
const progressOf = async (trx: Db, number: SandboxNumber, jobs: readonly StepJob[], now: number): Promise<Progress> => {
  const messages = new Map(
    (
      await listMessages(
        trx,
        number.orgId,
        jobs.map(job => job.wamid),
      )
    ).map(message => [message.wamid, message]),
  )
  const customers = new Map(
    (await listCustomersByWaId(trx, number.orgId, [...new Set(jobs.map(job => job.waId))])).map(person => [
      person.waId,
      person,
    ]),
  )
  const progress: Progress = { facts: [], next: [] }
  for (const job of jobs) {
    const [step, ...rest] = job.plan
    const message = messages.get(job.wamid)
    const customer = customers.get(job.waId)
    if (step === undefined || !message || !customer) continue
    const row = { orgId: job.orgId, wamid: job.wamid, waId: job.waId, sinceMs: message.atMs }
    if (!canHappen(step, customer, number.behaviour)) {
      progress.next.push({ ...row, plan: job.plan, dueMs: null })
      continue
    }
    progress.facts.push(factsOf(job, message, customer, number, now))
    const [following] = rest
    if (following !== undefined)
      progress.next.push({ ...row, plan: rest, dueMs: now + delayMs(following, number.behaviour) })
  }
  return progress
}

const postsOf = (number: SandboxNumber, facts: readonly StatusFacts[], now: number): NewPost[] => {
  const groups = number.behaviour.batch && facts.length > 1 ? [facts] : facts.map(fact => [fact])
  return groups.flatMap(group => {
    const [first] = group as [StatusFacts, ...StatusFacts[]]
    const lane = group.length > 1 ? `batch ${number.orgId}` : first.message.wamid
    const post = {
      orgId: number.orgId,
      lane,
      waId: first.customer.waId,
      body: metaJson(statusWebhook(number, group)),
      attempts: 0,
      sinceMs: now,
      dueMs: now,
    }
    return number.behaviour.duplicate ? [post, post] : [post]
  })
}

const remember = async (trx: Db, orgId: string, facts: readonly StatusFacts[]) => {
  const reached = Map.groupBy(
    facts.filter(({ step, message }) => order.indexOf(step.split(':')[0] as string) > order.indexOf(message.status)),
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

/**
 * Turns the statuses that are due into webhooks that wait to be delivered, and the steps after them into rows: all
 * in one transaction, so that each status leaves whatever happens. True when there may be more.
 */
export async function advanceSteps({ databases, clock }: Pick<SandboxParts, 'databases' | 'clock'>): Promise<boolean> {
  const now = nowMs(clock)
  if (!(await listDueSteps(databases.read, now, 1)).length) return false
  return inTransaction(databases, async trx => {
    const due = await listDueSteps(trx, now, stepsAtOnce)
    await deleteJobs(
      trx,
      due.map(job => job.seq),
    )
    const byOrg = Map.groupBy(due, job => job.orgId)
    const numbers = await listConnectedNumbers(trx, [...byOrg.keys()])
    for (const [orgId, jobs] of byOrg) {
      const number = numbers.get(orgId)
      if (!number) continue
      const { facts, next } = await progressOf(trx, number, jobs, now)
      await remember(trx, orgId, facts)
      await insertPosts(trx, postsOf(number, facts, now))
      await insertSteps(trx, next)
    }
    return due.length > 0
  })
}
