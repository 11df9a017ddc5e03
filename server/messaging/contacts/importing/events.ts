import type { ImportState } from '#shared/contacts/imports.ts'

interface ContactImportEvents {
  /** An import began, progressed (once a second at most) or ended. */
  'contactImport.changed': { id: string; state: ImportState }
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends ContactImportEvents {}
}
