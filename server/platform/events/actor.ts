/**
 * The actor of an event or audit entry, as stored: id and name at that time, no language. `customer`: the contact;
 * `phone`: a member in the WhatsApp app; `vendor`: WhatsApp; `system`: this product, with the part as `id`.
 */
export interface EventActor {
  readonly kind: 'person' | 'key' | 'bot' | 'customer' | 'phone' | 'vendor' | 'system'
  readonly id: string | null
  readonly name: string | null
}
