import type { Hanging } from '#server/simulator/faults/breakage.ts'
import type { SandboxParts } from '#server/simulator/parts.ts'
import type { ReviewJobs } from '#server/simulator/templates/reviews.ts'
import type { StatusJobs } from '#server/simulator/webhooks/status-jobs.ts'
import type { Write } from '#server/simulator/write-queue.ts'
import type { Limits } from './limits.ts'

export interface GraphParts extends Pick<SandboxParts, 'databases' | 'clock' | 'log' | 'vault' | 'jobs' | 'app'> {
  limits: Limits
  write: Write
  hanging: Hanging
  statuses: Pick<StatusJobs, 'add'>
  reviews: Pick<ReviewJobs, 'plan'>
}
