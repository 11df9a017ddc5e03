import type { Databases } from '#server/db.ts'
import { createListeners, type Listeners, type TransactionListener } from '#server/events/listeners.ts'
import { createWrites, type Writes } from '#server/events/writes.ts'
import { createServerI18n } from '#server/i18n.ts'
import { spanishFailure } from '#server/inbox/failure.ts'
import type { EventDraft } from '#server/live/hub.ts'
import { type EventWords, presentEvents } from '#server/live/listener.ts'
import type { DomainEvent } from '#shared/events/domain.ts'
import type { HandClock } from './clock.ts'
import { type KeptLog, keptLog } from './log.ts'

const translate = createServerI18n().translator('es')

/** The words of live events, as in the house. */
export const eventWords: EventWords = {
  failure: spanishFailure,
  notice: ({ key, params }) => ({
    title: translate(`notices:${key}.title`, params),
    message: translate(`notices:${key}.message`, params),
  }),
}

export interface KeptWrites extends Writes {
  readonly listeners: Listeners
  /** What happened, in order, committed only. */
  readonly happened: DomainEvent[]
  /** What open tabs would be told of it. */
  readonly told: EventDraft[]
}

/** Real writes whose events are kept to be looked at. */
export function keptWrites(parts: { databases: Databases; clock: HandClock; log?: KeptLog }): KeptWrites {
  const happened: DomainEvent[] = []
  const told: EventDraft[] = []
  const keep: TransactionListener = {
    name: 'kept',
    on: 'all',
    async handle(write, events) {
      write.afterCommit(() => {
        happened.push(...events)
        told.push(...presentEvents(events, eventWords))
      })
    },
  }
  const known = createListeners()
  // It hears what all the others derive, whenever they are registered.
  const listeners: Listeners = Object.create(known, { transactional: { get: () => [...known.transactional, keep] } })
  return { ...createWrites({ log: keptLog(), ...parts, listeners }), listeners, happened, told }
}
