import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { Outbound } from '#server/platform/outbound/outbound.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { flowsApi } from '#shared/flows/api.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { OrgVariables } from '#shared/orgs/variables.ts'
import type { FactParts } from './facts.ts'
import type { FlowHooks } from './hooks/hooks.ts'
import type { FlowInbox } from './inbox.ts'
import type { FlowSecrets } from './secrets.ts'
import type { Engine } from './sessions/engine.ts'

export type FlowService = ServiceOf<typeof flowsApi, OrgCaller>

export interface FlowServiceParts extends FactParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly ids: (at?: number) => string
  readonly writes: Pick<Writes, 'run'>
  /** True if the time is within the organization's business hours. */
  isOpen(orgId: string, at: string, db: Db): Promise<boolean>
  /** Returns a function that says whether the organization is open at a time, after one read. */
  readOpening(orgId: string, db: Db): Promise<(at: string) => boolean>
  readTimeZone(orgId: string, db: Db): Promise<string>
  readOrgVariables(orgId: string, db: Db): Promise<OrgVariables>
  /** The default label that opens a list of options, in the organization's language. */
  readListLabel(orgId: string, db: Db): Promise<string>
  listTagIds(db: Db, orgId: string, contactIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>
  /** The texts among these that opt out of marketing or back in. */
  optOutWordsIn(db: Db, orgId: string, texts: readonly string[]): Promise<ReadonlySet<string>>
  readonly engine: Engine
  readonly inbox: Pick<FlowInbox, 'read' | 'changeControl' | 'whoAre' | 'fieldsOf'>
  readonly flowSecrets: Pick<FlowSecrets, 'listFor' | 'open'>
  readonly outbound: Outbound
  readonly hooks: Pick<FlowHooks, 'ensure' | 'remove'>
  /** @throws for a conversation this viewer may not see */
  requireChat(db: Db, viewer: Viewer, address: string): Promise<{ conversationId: string; contactId: string }>
}
