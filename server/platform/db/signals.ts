/** The subject of a signal between processes. */
export type SignalTopic = 'events' | 'journal' | 'streams' | 'seats' | 'numbers' | 'budgets' | 'webhooks' | 'imports'

/**
 * Signals between processes on one database. They only wake listeners: rows hold the truth, and a lost signal costs a
 * second. Exceptions are budgets and seats (the number of a person's streams), which have no rows: a lost signal allows
 * a little more.
 */
export interface Signals {
  /** True if other processes may use this database at the same time. */
  readonly isShared: boolean
  /** Notifies the other processes soon. Call it only after the commit; never throws. */
  send(topic: SignalTopic, detail?: string): void
  /**
   * Listens to signals of other processes, never its own. About once a second it is called with undefined, so that the
   * listener checks by itself. Never called if no other process is possible.
   */
  hear(topic: SignalTopic, onSignal: (detail: string | undefined) => void): void
}

/** Signals of an engine that only one process uses: nobody listens. */
export const noSignals: Signals = { isShared: false, send: () => undefined, hear: () => undefined }
