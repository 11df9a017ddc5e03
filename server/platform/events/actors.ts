import type { Principal } from '#server/platform/http/actor.ts'
import type { EventActor } from './actor.ts'

/** Converts a principal to the form stored with events. */
export function actorOf(principal: Principal): EventActor {
  switch (principal.kind) {
    case 'person':
      return { kind: 'person', id: principal.userId, name: principal.name }
    case 'key':
      return { kind: 'key', id: principal.keyId, name: principal.name }
    case 'bot':
      return { kind: 'bot', id: principal.flowId, name: principal.name }
    case 'system':
      return systemActor(principal.part)
  }
}

/** The actor for work that a part of this product does by itself. */
export const systemActor = (part: string): EventActor => ({ kind: 'system', id: part, name: null })

/** WhatsApp, through its webhooks and replies. */
export const vendorActor: EventActor = { kind: 'vendor', id: null, name: null }
