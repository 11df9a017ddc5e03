import type { Lease } from '#server/platform/jobs/lease.ts'

/** Of a process that has nobody beside it. */
export const alone: Lease = { take: async () => true, isHeld: async () => true }
