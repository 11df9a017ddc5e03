import type { Db } from '#server/platform/db/database.ts'
import type { SandboxTemplate } from './template-store.ts'

export interface ReviewJobs {
  /** After every change of a template: its review, or the end of its pause, comes when its row says so. */
  plan(trx: Db, template: Pick<SandboxTemplate, 'orgId' | 'id' | 'reviewMs'>): Promise<void>
  bringForward(orgId: string, ms: number): Promise<void>
}
