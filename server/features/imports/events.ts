import type { ImportSource, ImportState } from '#shared/imports/states.ts'

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents {
    /** An import of chats began, progressed (once a second at most), ended or was deleted. */
    'chatImport.changed': { id: string; state: ImportState | 'discarded' }
    /** Counts of what it added; `existing`: messages that were here already. */
    'chatImport.finished': {
      id: string
      source: ImportSource
      messages: number
      files: number
      contacts: number
      existing: number
      refused: number
    }
  }
}
