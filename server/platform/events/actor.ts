/**
 * Who did it, as stored with events and audit entries: id and name at that time, no language. `customer`: the contact;
 * `phone`: a member in the WhatsApp app; `vendor`: WhatsApp; `system`: this product, with the part as `id`.
 */
export interface EventActor {
  readonly kind: 'person' | 'key' | 'bot' | 'customer' | 'phone' | 'vendor' | 'system'
  readonly id: string | null
  readonly name: string | null
}
