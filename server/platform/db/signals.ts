/** What processes tell one another: which of the listeners is meant, and what about. */
export type SignalTopic = 'events' | 'journal' | 'streams' | 'seats' | 'numbers' | 'budgets'

/**
 * Word between the processes that serve from one database. It only wakes: rows tell the truth, and a word that is lost
 * costs a second. Only budgets and seats (how
 * many streams a person has) have no rows: what a lost word told of is allowed once more.
 */
export interface Signals {
  /** Whether other processes may serve from this database at the same time. */
  readonly isShared: boolean
  /** Tells the others, soon, if this process hears them. Only after the commit of what it is about; never throws. */
  send(topic: SignalTopic, detail?: string): void
  /**
   * Hears what others told, never what this process told itself; with undefined about once a second, when whoever hears
   * should look by itself. Where nobody else can be, nothing is ever heard.
   */
  hear(topic: SignalTopic, onSignal: (detail: string | undefined) => void): void
}

/** Of an engine that one process has for itself. */
export const noSignals: Signals = { isShared: false, send: () => undefined, hear: () => undefined }
