import type { Db } from '#server/platform/db/database.ts'
import type { SandboxTemplate } from './template-store.ts'

export interface ReviewJobs {
  /** Schedules the end of a template's review or pause. Call it after every change of a template. */
  plan(trx: Db, template: Pick<SandboxTemplate, 'orgId' | 'id' | 'reviewMs'>): Promise<void>
  bringForward(orgId: string, ms: number): Promise<void>
}
