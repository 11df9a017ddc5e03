import type { FlowTrigger } from '#shared/flows/triggers.ts'
import type { WireTrigger } from '#shared/flows/wire.ts'

/** A flow that messages may start, as it was published. */
export interface LiveFlow {
  readonly flowId: string
  readonly name: string
  readonly version: number
  readonly triggers: readonly FlowTrigger[]
  readonly wireTriggers: readonly WireTrigger[]
  /** Flows that it runs. */
  readonly calls: readonly string[]
  /** Variables that it gives a value. */
  readonly variables: readonly string[]
}
