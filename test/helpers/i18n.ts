import { createServerI18n } from '#server/platform/text/i18n.ts'

/** The texts as they are, read once in a process: they never change, and each reading costs a fifth of a backend. */
export const i18n = createServerI18n()
