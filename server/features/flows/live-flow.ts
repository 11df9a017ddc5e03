import type { FlowTrigger } from '#shared/flows/triggers/triggers.ts'
import type { WireTrigger } from '#shared/flows/wire.ts'

/** A published flow that messages can start. */
export interface LiveFlow {
  readonly flowId: string
  readonly name: string
  readonly version: number
  readonly triggers: readonly FlowTrigger[]
  readonly wireTriggers: readonly WireTrigger[]
  /** Ids of the flows it runs. */
  readonly calls: readonly string[]
  /** Variables that it assigns. */
  readonly variables: readonly string[]
}
