import { type EventWords, presentEvents } from '#server/messaging/live/listener.ts'
import type { EventDraft } from '#server/messaging/live/recording.ts'
import { spanishFailure } from '#server/messaging/messages/delivery/failure.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { DomainEvent } from '#server/platform/events/domain.ts'
import { createListeners, type Listeners, type TransactionListener } from '#server/platform/events/listeners.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { createWrites, type Writes } from '#server/platform/events/writes.ts'
import type { HandClock } from './clock.ts'
import { i18n } from './i18n.ts'
import { type KeptLog, keptLog } from './log.ts'

const translate = i18n.translator('es')

/** The texts of live events, as in the product. */
export const eventWords: EventWords = {
  failure: spanishFailure,
  notice: ({ key, params }) => ({
    title: translate(`notices:${key}.title`, params),
    message: translate(`notices:${key}.message`, params),
  }),
}

export interface KeptWrites extends Writes {
  readonly listeners: Listeners
  /** Committed domain events, in order. */
  readonly happened: DomainEvent[]
  /** The live events for open tabs. */
  readonly published: EventDraft[]
  /** Runs a write and returns its live events. */
  tell(orgId: string, work: (write: OrgWrite) => Promise<unknown>): Promise<EventDraft[]>
}

/** Real writes that keep their events for assertions. */
export function keptWrites(parts: {
  databases: Databases
  clock: HandClock
  log?: KeptLog
  words?: EventWords
}): KeptWrites {
  const { words = eventWords, ...rest } = parts
  const happened: DomainEvent[] = []
  const published: EventDraft[] = []
  const keep: TransactionListener = {
    name: 'kept',
    on: 'all',
    async handle(write, events) {
      write.afterCommit(() => {
        happened.push(...events)
        published.push(...presentEvents(events, words))
      })
    },
  }
  const known = createListeners()
  // It runs last, so that it sees the events of all other listeners, whenever they are registered.
  const listeners: Listeners = Object.create(known, { transactional: { get: () => [...known.transactional, keep] } })
  const writes = createWrites({ log: keptLog(), ...rest, listeners })
  return {
    ...writes,
    listeners,
    happened,
    published,
    async tell(orgId, work) {
      const before = published.length
      await writes.run(orgId, systemActor('test'), work)
      return published.slice(before)
    },
  }
}
