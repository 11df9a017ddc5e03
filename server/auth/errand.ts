import { AsyncLocalStorage } from 'node:async_hooks'
import type { Language } from '#shared/language.ts'

/**
 * What a call to better-auth is about, for the callbacks it makes meanwhile: they get neither our language nor a way
 * to say that the mail failed (the library swallows their errors).
 */
export interface Errand {
  readonly language: Language
  /** False: the address is not admitted; do the work, send nothing. */
  readonly deliver: boolean
  failure?: unknown
  /** Why the database did not take part; the library tells of its failures by a bare 500. */
  trouble?: unknown
}

export type Errands = AsyncLocalStorage<Errand>

export const createErrands = (): Errands => new AsyncLocalStorage<Errand>()
