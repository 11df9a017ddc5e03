import type { EventActor } from '#shared/events/actor.ts'

/** A signed-in person as events keep them. */
export const personActor = ({ userId, name }: { userId: string; name: string }): EventActor => ({
  kind: 'person',
  id: userId,
  name,
})

/** A part of this product that works by itself. */
export const systemActor = (part: string): EventActor => ({ kind: 'system', id: part, name: null })

/** WhatsApp, by its webhooks and answers. */
export const vendorActor: EventActor = { kind: 'vendor', id: null, name: null }
