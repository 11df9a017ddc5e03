import type { ReactNode } from 'react'
import type { ChatImport } from '#shared/imports/api.ts'

/** Properties of the forms that map an import and start it. */
export interface FormProps {
  readonly one: ChatImport
  /** Its button stands beside the one that starts. */
  readonly discard: ReactNode
  onChanged(): void
}
