import { createServerI18n } from '#server/platform/text/i18n.ts'

/** The product's texts, read once per process, because reading them takes a fifth of a backend's start. */
export const i18n = createServerI18n()
