import { AsyncLocalStorage } from 'node:async_hooks'
import type { Person } from '#server/platform/http/actor.ts'
import type { Language } from '#shared/kernel/language.ts'

/**
 * Context of a call to better-auth for the callbacks it makes: the library passes them no language, and swallows their
 * errors.
 */
export interface CallContext {
  readonly language: Language
  /** The signed-in person, if any. */
  readonly person?: Person | null
  /** False: the address is not admitted. Do all the work but send no mail. */
  readonly deliver: boolean
  /** The flow whose codes count, as one address can have sign-ins under way in several browsers. */
  readonly codeFlow?: string | undefined
  /** The request's cookies, which may contain a trusted-browser cookie. */
  readonly cookie?: string | undefined
  mailFailure?: unknown
  /** The first factor of a sign-in that still needs the second. */
  halfSignedInBy?: string
  /** The cause of a bare 500 of the library: a database error, or a broken rule of ours. */
  databaseFailure?: unknown
}

export type CallContexts = AsyncLocalStorage<CallContext>

export const createCallContexts = (): CallContexts => new AsyncLocalStorage<CallContext>()
