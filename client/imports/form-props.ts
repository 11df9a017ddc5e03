import type { ReactNode } from 'react'
import type { ChatImport } from '#shared/imports/api.ts'

/** Of a form that maps an import and starts it. */
export interface FormProps {
  readonly one: ChatImport
  /** Its button stands beside the one that starts. */
  readonly discard: ReactNode
  onChanged(): void
}
