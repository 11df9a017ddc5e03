import type { ImportState } from '#shared/imports/api.ts'

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents {
    /** An import of chats began, progressed (once a second at most) or ended. */
    'chatImport.changed': { id: string; state: ImportState }
  }
}
