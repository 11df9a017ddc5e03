import type { ImportState } from '#shared/contacts/imports.ts'

/** What happens to files of contacts. */
export interface ContactImportEvents {
  /** One began, went on (once a second at most), or is over. */
  'contactImport.changed': { id: string; state: ImportState }
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends ContactImportEvents {}
}
