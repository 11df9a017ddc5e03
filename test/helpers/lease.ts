import type { Lease } from '#server/platform/jobs/lease.ts'

/** The lease of the only process. */
export const alone: Lease = { take: async () => true, isHeld: async () => true }
