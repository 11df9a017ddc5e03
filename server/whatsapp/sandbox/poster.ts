import { inTransaction } from '../../db.ts'
import { deleteJobs, listDuePosts, type PostJob, postponeJobs } from './job-store.ts'
import { listConnectedNumbers, type SandboxNumber } from './number-store.ts'
import { nowMs, type SandboxParts, secretPlace } from './parts.ts'
import { signatureOf } from './serialize.ts'

const timeoutMs = 10_000
const atOnce = 24
const second = 1000
const minute = 60 * second

/** Growing gaps after each failure; what is older than Meta's horizon is dropped. @see Meta, "Webhooks › Retries" */
const gapsMs = [second, 5 * second, minute, 5 * minute, 15 * minute, 60 * minute]
const horizonMs = 36 * 60 * minute

const gapAfter = (attempts: number): number => gapsMs[Math.min(attempts, gapsMs.length) - 1] ?? second

type Parts = Pick<SandboxParts, 'databases' | 'clock' | 'log' | 'vault' | 'deliver'>

/**
 * Delivers one webhook: the bytes as they are, signed with the secret of the app that receives. Answers the HTTP
 * status; 0 when nobody answered in time.
 */
export async function deliverOnce(parts: Parts, number: SandboxNumber, body: string): Promise<number> {
  const bytes = Buffer.from(body)
  const headers = {
    'content-type': 'application/json',
    accept: '*/*',
    'user-agent': 'facebookexternalua',
    'x-hub-signature-256': signatureOf(
      bytes,
      parts.vault.open(number.appSecretSealed, secretPlace(number.phoneNumberId)),
    ),
  }
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<number>(resolve => {
    timer = setTimeout(resolve, timeoutMs, 0)
  })
  try {
    return await Promise.race([parts.deliver(`/webhooks/whatsapp/${number.connectionId}`, bytes, headers), late])
  } catch (error) {
    parts.log.warn({ err: error, orgId: number.orgId }, 'a simulated webhook found nobody')
    return 0
  } finally {
    clearTimeout(timer)
  }
}

interface Result {
  post: PostJob
  isDone: boolean
}

/**
 * Delivers the webhooks that wait, several at once but one after another within a lane. A row goes when it was
 * answered with 200, or when there is nobody left to tell; else it waits for its next try.
 */
export function createPoster(parts: Parts, onSettled: () => void) {
  const { databases, clock, log } = parts
  const lanes = new Set<string>()
  const calls = new Set<Promise<void>>()
  let results: Result[] = []
  let settling: Promise<void> | undefined

  const settle = async () => {
    const batch = results
    results = []
    const now = nowMs(clock)
    const isOver = ({ post, isDone }: Result) => isDone || now - post.sinceMs > horizonMs
    const over = batch.filter(isOver).map(({ post }) => post.seq)
    const byAttempts = Map.groupBy(
      batch.filter(result => !isOver(result)),
      ({ post }) => post.attempts + 1,
    )
    try {
      await inTransaction(databases, async trx => {
        await deleteJobs(trx, over)
        for (const [attempts, group] of byAttempts)
          await postponeJobs(
            trx,
            group.map(({ post }) => post.seq),
            { dueMs: now + gapAfter(attempts), attempts },
          )
      })
    } catch (error) {
      // Their rows are still due: they are delivered again, as Meta's may be.
      log.error({ err: error, webhooks: batch.length }, 'delivered simulated webhooks could not be settled')
    }
    for (const { post } of batch) lanes.delete(post.lane)
  }

  const settleSoon = () => {
    settling ??= new Promise<void>(resolve => setImmediate(resolve)).then(settle).finally(() => {
      settling = undefined
      if (results.length) settleSoon()
      else onSettled()
    })
  }

  const post = (job: PostJob, number: SandboxNumber | undefined) => {
    lanes.add(job.lane)
    const isNobody = !number?.connectionId || !number.isSubscribed
    const call: Promise<void> = (isNobody ? Promise.resolve(200) : deliverOnce(parts, number, job.body))
      .catch((error: unknown) => {
        log.error({ err: error, orgId: job.orgId }, 'a simulated webhook could not be signed')
        return 0
      })
      .then(status => {
        results.push({ post: job, isDone: status === 200 })
        calls.delete(call)
        settleSoon()
      })
    calls.add(call)
  }

  return {
    /** Starts what is due and has room. */
    async claim(): Promise<void> {
      const room = atOnce - lanes.size
      if (room <= 0) return
      const due = await listDuePosts(databases.read, nowMs(clock), [...lanes], 4 * atOnce)
      const firsts: PostJob[] = []
      for (const job of due)
        if (firsts.length < room && !firsts.some(first => first.lane === job.lane)) firsts.push(job)
      if (!firsts.length) return
      const numbers = await listConnectedNumbers(databases.read, [...new Set(firsts.map(job => job.orgId))])
      for (const job of firsts) post(job, numbers.get(job.orgId))
    },
    isBusy: () => calls.size > 0 || settling !== undefined,
    async finish(): Promise<void> {
      while (calls.size || settling) {
        await Promise.all(calls)
        await settling
      }
    },
  }
}
