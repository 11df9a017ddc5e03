/** What happens to the templates of an organization. */
export interface TemplateEvents {
  /**
   * New, changed or gone. `before`: how it stood, null for a new one. `byVendor`: WhatsApp decided it; otherwise
   * somebody here did.
   */
  'template.changed': {
    id: string
    name: string
    language: string
    /** Meta's word, or `DRAFT`. */
    status: string
    category: string
    /** Meta's word for how people take it. */
    quality: string
    before: { status: string; category: string; quality: string } | null
    byVendor: boolean
    removed: boolean
  }
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends TemplateEvents {}
}
