import { AsyncLocalStorage } from 'node:async_hooks'
import type { Person } from '#server/platform/http/actor.ts'
import type { Language } from '#shared/kernel/language.ts'

/**
 * What a call to better-auth is about, for the callbacks it makes meanwhile: they get neither our language nor a way
 * to say that the mail failed (the library swallows their errors).
 */
export interface CallContext {
  readonly language: Language
  /** Who calls; absent or null: nobody who is signed in. */
  readonly person?: Person | null
  /** False: the address is not admitted; do the work, send nothing. */
  readonly deliver: boolean
  /** Whose codes are meant, when sign-in is in several browsers at once. */
  readonly codeFlow?: string | undefined
  /** What the browser came with: it may show that it is trusted. */
  readonly cookie?: string | undefined
  mailFailure?: unknown
  /** By what somebody came in meanwhile who has to give the second factor, too. */
  halfSignedInBy?: string
  /** What stood behind a bare 500 of the library: the database out of reach, or one of its rules broken. */
  databaseFailure?: unknown
}

export type CallContexts = AsyncLocalStorage<CallContext>

export const createCallContexts = (): CallContexts => new AsyncLocalStorage<CallContext>()
