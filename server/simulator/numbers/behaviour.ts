import type { SandboxState } from '#shared/simulator/api.ts'

export type Behaviour = SandboxState['behaviour']

/** The defaults: everything is delivered and read within seconds, and there are no limits. */
const defaults: Behaviour = {
  autoRead: true,
  skipDelivered: false,
  duplicate: false,
  reorder: false,
  batch: false,
  statusDelayMs: 500,
  webhookVersion: 'v25.0',
  reengagement: 'async',
  throughputLimit: false,
  pairLimit: false,
  messagingLimit: 'TIER_UNLIMITED',
  allowListMode: false,
  quality: 'GREEN',
  nameStatus: 'APPROVED',
  registered: true,
  tokenDays: 0,
  paymentFails: false,
  accountUpdates: true,
  agentFields: true,
}

/** Merged with the defaults, so that a setting added later has a value. */
export const readBehaviour = (stored: string): Behaviour => ({
  ...defaults,
  ...(JSON.parse(stored) as Partial<Behaviour>),
})

/** Undefined leaves a setting as it is. */
export const changedBehaviour = (before: Behaviour, change: Partial<Behaviour>): string =>
  JSON.stringify({
    ...before,
    ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
  })

export const newBehaviour = '{}'
