/**
 * Who did it, as events and the audit keep it: ids and names of that moment, no language. `customer`: the contact
 * itself; `phone`: somebody of ours in the WhatsApp app; `vendor`: WhatsApp; `system`: this product, `id` names the part.
 */
export interface EventActor {
  readonly kind: 'person' | 'key' | 'bot' | 'customer' | 'phone' | 'vendor' | 'system'
  readonly id: string | null
  readonly name: string | null
}
