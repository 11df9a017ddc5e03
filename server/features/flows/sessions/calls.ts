import { type Static, Type } from 'typebox'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Job, Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import { type Outbound, OutboundFailure } from '#server/platform/outbound/outbound.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import {
  type CallFailure,
  type CallResult,
  completeCall,
  namedIn,
  type PreparedCall,
  withoutSecrets,
} from '#shared/flows/http/http.ts'
import type { FlowSecrets } from '../secrets.ts'

const Call = Type.Object({
  sessionId: Type.String(),
  contactId: Type.String(),
  steps: Type.Integer(),
  call: Type.Unsafe<PreparedCall>({ type: 'object', additionalProperties: true }),
})
type CallJob = Static<typeof Call>

interface CallParts {
  readonly clock: Clock
  readonly outbound: Outbound
  readonly flowSecrets: Pick<FlowSecrets, 'open'>
}

const answerMaxBytes = 256 * 1024
const maxTries = 3
const gapsMs = [1000, 3000]

const failures: Partial<Record<OutboundFailure['reason'], CallFailure>> = {
  address: 'callAddress',
  private: 'callAddress',
  redirects: 'callAddress',
  tooLarge: 'callTooLarge',
  timeout: 'callTimedOut',
}

/** One attempt of a call. Of a failure only the reason is kept, because addresses and bodies may contain secrets. */
export async function attemptCall(
  orgId: string,
  call: PreparedCall,
  { clock, outbound, flowSecrets, signal, key }: CallParts & { readonly signal?: AbortSignal; readonly key: string },
): Promise<CallResult> {
  const began = clock.now().getTime()
  const ended = () => ({ ms: Math.max(0, clock.now().getTime() - began), tries: 1 })
  const failed = (why: CallFailure): CallResult => ({ kind: 'failed', why, ...ended() })
  const named = namedIn(call)
  const outline = completeCall(call, new Map(), key).address
  const host = URL.canParse(outline) ? new URL(outline).hostname : ''
  const secrets = await flowSecrets.open(orgId, named, host)
  if (!secrets) return failed('callSecret')
  const { address, headers, body } = completeCall(call, secrets, key)
  try {
    const { status, body: said } = await outbound.call(address, {
      method: call.method,
      headers,
      ...(body === undefined ? {} : { body }),
      timeoutMs: call.timeoutMs,
      maxBytes: answerMaxBytes,
      ...(signal ? { signal } : {}),
    })
    return { kind: 'answered', status, text: withoutSecrets(said.toString('utf8'), secrets.values()), ...ended() }
  } catch (error) {
    if (!(error instanceof OutboundFailure)) return failed('callNoAnswer')
    return failed(failures[error.reason] ?? 'callNoAnswer')
  }
}

const isRetryable = (result: CallResult): boolean =>
  result.kind === 'answered'
    ? result.status >= 500 || result.status === 429
    : result.why === 'callTimedOut' || result.why === 'callNoAnswer'

/** A session has at most one call at each step. */
const keyOf = ({ sessionId, steps }: Pick<CallJob, 'sessionId' | 'steps'>) => `${sessionId} ${steps}`

/**
 * Calls of external services, as jobs: made after the commit of the advance that requests them; the commit that ends the
 * job also continues the session. A call that may have been made is repeated only if that is harmless; otherwise the
 * session gets the result "unconfirmed".
 */
export function createFlowCalls(
  jobs: Pick<Jobs, 'register'>,
  parts: CallParts,
  ended: (write: OrgWrite, job: CallJob, result: CallResult) => Promise<void>,
) {
  const over = ({ orgId, payload, attempts, addedAt }: Job<CallJob>, result: CallResult): Outcome => ({
    kind: 'done',
    write: writes => {
      const ms = attempts > 1 ? Math.max(result.ms, parts.clock.now().getTime() - Date.parse(addedAt)) : result.ms
      return ended(writes.of(orgId), payload, { ...result, ms, tries: attempts })
    },
  })
  const calls = jobs.register({
    name: 'flows.call',
    looksWithinMs: Math.max(...gapsMs),
    payload: Call,
    lane: 'bot',
    // A call may hang for half a minute, but costs only a socket and a job slot.
    atOnce: 128,
    perOrg: 8,
    leavesSlots: true,
    tries: maxTries,
    gapsMs,
    isKept: false,
    hasGrace: true,
    async run(job, { signal }): Promise<Outcome> {
      const { call } = job.payload
      const result = await attemptCall(job.orgId, call, { ...parts, signal, key: keyOf(job.payload).replace(' ', '-') })
      // The process is stopping: another one makes the call.
      if (signal.aborted && call.isSafe) return { kind: 'retry', reason: 'stopped', afterMs: 0 }
      if (isRetryable(result) && call.isSafe && job.attempts < maxTries) return { kind: 'retry', reason: 'notAnswered' }
      return over(job, signal.aborted && result.kind === 'failed' ? { ...result, why: 'callUnconfirmed' } : result)
    },
    lost: job =>
      job.payload.call.isSafe && job.attempts < maxTries
        ? { kind: 'retry', reason: 'lost' }
        : over(job, { kind: 'failed', why: 'callUnconfirmed', ms: 0, tries: job.attempts }),
  })
  return {
    async add(write: OrgWrite, job: CallJob): Promise<void> {
      await calls.add(write.db, write.orgId, [{ payload: job, uniqueKey: keyOf(job) }])
      write.afterCommit(calls.wake)
    },
    /** The session no longer waits for it. */
    async cancel({ db, orgId }: OrgWrite, session: { readonly id: string; readonly steps: number }): Promise<void> {
      await calls.cancel(db, orgId, [keyOf({ sessionId: session.id, steps: session.steps })])
    },
  }
}
