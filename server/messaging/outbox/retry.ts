import { limitsWholeNumber, mayKnowOtherSpelling } from '#server/whatsapp/code-meanings.ts'
import type { WhatsAppError } from '#server/whatsapp/provider.ts'
import { otherSpelling } from '#shared/kernel/phone.ts'

/** What becomes of a message after a refused or broken call. */
export type Decision =
  | { kind: 'retry'; afterMs: number; pausesNumberMs?: number }
  | { kind: 'failed'; code: string; detail: string | undefined }
  | { kind: 'unknown'; code: string; detail: string | undefined }

const quickTries = 4
const laterTries = 8
const longestBackoffMs = 15 * 60 * 1000
/** Waiting longer than this for leave to send is a failure somebody should see. */
export const longestWaitMs = 30 * 60 * 1000

/** 1 s, 4 s, 16 s …, at most a quarter of an hour. Meta: retry 131056 after 4^n seconds. */
const backoffMs = (tries: number) => Math.min(longestBackoffMs, 1000 * 4 ** (tries - 1))

/** The spelling to send to: the contact's own, or the other one right after Meta said it does not know the first. */
export const addressFor = (facts: {
  to: string
  lastErrorCode: string | null
  attempts: number
  isUnconfirmedContact: boolean
}): string => {
  const { to, lastErrorCode, attempts, isUnconfirmedContact } = facts
  if (attempts === 0 || !lastErrorCode || !mayKnowOtherSpelling(lastErrorCode, isUnconfirmedContact)) return to
  return otherSpelling(to) ?? to
}

/** @param tries calls made so far for this row, this one included. */
export function decide(
  error: WhatsAppError,
  facts: { tries: number; to: string; lastErrorCode: string | null; isUnconfirmedContact: boolean },
): Decision {
  const { tries, to, lastErrorCode, isUnconfirmedContact } = facts
  const { code, detail } = error
  if (error.retry === 'unknown') return { kind: 'unknown', code, detail }
  const failed: Decision = { kind: 'failed', code, detail }
  const wasRespelled = tries > 1 && lastErrorCode !== null && mayKnowOtherSpelling(lastErrorCode, isUnconfirmedContact)
  if (mayKnowOtherSpelling(code, isUnconfirmedContact) && !wasRespelled && tries < laterTries && otherSpelling(to))
    return { kind: 'retry', afterMs: 0 }
  if (error.retry === 'quick')
    return tries < quickTries ? { kind: 'retry', afterMs: Math.max(error.retryAfterMs ?? 0, backoffMs(tries)) } : failed
  if (error.retry !== 'later') return failed
  const afterMs = Math.max(error.retryAfterMs ?? 0, backoffMs(tries))
  if (tries >= laterTries || afterMs > longestWaitMs) return failed
  return { kind: 'retry', afterMs, ...(limitsWholeNumber(code) ? { pausesNumberMs: afterMs } : {}) }
}
