/** Events of an organization's templates. */
interface TemplateEvents {
  /**
   * A template is new, changed or deleted. `before`: null for a new one. `byVendor`: WhatsApp decided it, not a member.
   */
  'template.changed': {
    id: string
    name: string
    language: string
    /** Meta's status, or `DRAFT`. */
    status: string
    category: string
    /** Meta's quality rating. */
    quality: string
    before: { status: string; category: string; quality: string } | null
    byVendor: boolean
    removed: boolean
  }
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends TemplateEvents {}
}
