import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Outbound } from '#server/platform/outbound/outbound.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { OrgVariables } from '#shared/orgs/variables.ts'
import type { Engine } from './engine.ts'
import type { FactParts } from './facts.ts'
import type { FlowHooks } from './hooks.ts'
import type { FlowInbox } from './inbox.ts'
import type { FlowSecrets } from './secrets.ts'

export interface FlowServiceParts extends FactParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly ids: (at?: number) => string
  readonly writes: Pick<Writes, 'run'>
  /** Whether the organization attends at a moment. */
  isOpen(orgId: string, at: string, db: Db): Promise<boolean>
  /** The same for many moments. */
  openingOf(orgId: string, db: Db): Promise<(at: string) => boolean>
  timeZoneOf(orgId: string, db: Db): Promise<string>
  orgVariablesOf(orgId: string, db: Db): Promise<OrgVariables>
  /** What opens a list of options for which a flow names nothing, in the organization's language. */
  listLabelOf(orgId: string, db: Db): Promise<string>
  /** Of several contacts, by their ids. */
  tagIdsOf(db: Db, orgId: string, contactIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>
  /** Those of these by which customers opt out of marketing, or back in. */
  optOutWordsIn(db: Db, orgId: string, texts: readonly string[]): Promise<ReadonlySet<string>>
  readonly engine: Engine
  readonly inbox: Pick<FlowInbox, 'read' | 'turn' | 'whoAre' | 'fieldsOf'>
  readonly flowSecrets: Pick<FlowSecrets, 'listFor' | 'open'>
  readonly outbound: Outbound
  readonly hooks: Pick<FlowHooks, 'ensure' | 'remove'>
  /** @throws for a chat this viewer does not see */
  requireChat(db: Db, viewer: Viewer, address: string): Promise<{ conversationId: string; contactId: string }>
}
