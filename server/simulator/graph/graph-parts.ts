import type { Hanging } from '../faults/breakage.ts'
import type { SandboxParts } from '../parts.ts'
import type { ReviewJobs } from '../templates/reviews.ts'
import type { StatusJobs } from '../webhooks/status-jobs.ts'
import type { Write } from '../write-queue.ts'
import type { Limits } from './limits.ts'

export interface GraphParts extends Pick<SandboxParts, 'databases' | 'clock' | 'log' | 'vault' | 'jobs' | 'app'> {
  limits: Limits
  write: Write
  hanging: Hanging
  statuses: Pick<StatusJobs, 'add'>
  reviews: Pick<ReviewJobs, 'plan'>
}
