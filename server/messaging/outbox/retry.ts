import { limitsWholeNumber, mayKnowOtherSpelling } from '#server/whatsapp/errors/code-meanings.ts'
import type { WhatsAppError } from '#server/whatsapp/provider.ts'
import { otherSpelling } from '#shared/kernel/phone.ts'

/** The next step of a message after its request failed. */
export type Decision =
  | { kind: 'retry'; afterMs: number; pausesNumberMs?: number }
  | { kind: 'failed'; code: string; detail: string | undefined }
  | { kind: 'unknown'; code: string; detail: string | undefined }

const quickTries = 4
const laterTries = 8
const longestBackoffMs = 15 * 60 * 1000
/** A message that would wait longer fails, so that somebody sees it. */
export const longestWaitMs = 30 * 60 * 1000

/** Meta asks to retry error 131056 after 4^n seconds. */
const backoffMs = (tries: number) => Math.min(longestBackoffMs, 1000 * 4 ** (tries - 1))

/** The contact's number, or its other spelling after Meta said it does not know the first. */
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

/** @param facts.tries requests made for this message, including the one that failed */
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
