import type { FlowFacts, Found } from '#shared/flows/problem.ts'
import type { TemplateChoice } from './fields.ts'

/** The colors by which people see on the canvas which nodes belong together. */
export const stepColors = ['green', 'blue', 'amber', 'red', 'violet'] as const
export type StepColor = (typeof stepColors)[number]

/** What every node has beside the content of its kind. */
export interface NodeFrame {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly name?: string
  readonly color?: StepColor
  /** Outputs where the flow is meant to end although nothing follows. */
  readonly ends?: readonly string[]
}

/** A text that a customer reads, or that becomes a value. It may hold variables. */
export interface NodeText {
  /** The field it stands in, or `options.ID`. */
  readonly field: string
  readonly text: string
  readonly isRequired?: boolean
}

/** What a node needs that is not in it. */
export interface NodeUses {
  /** The flow's own variables that it sets. */
  readonly sets?: readonly string[]
  readonly templates?: readonly TemplateChoice[]
  readonly patterns?: readonly { readonly field: string; readonly pattern: string }[]
  readonly secrets?: readonly string[]
  /** Other flows that it runs. */
  readonly flowIds?: readonly string[]
  readonly teamIds?: readonly string[]
  readonly memberIds?: readonly string[]
  /** Facts about the organization that its step reads. */
  readonly facts?: readonly ('hours' | 'timeZone' | 'tags' | 'listLabel')[]
}

/** What a check may look at. */
export interface CheckedFlow {
  readonly nodes: readonly { readonly id: string; readonly type: string }[]
  readonly facts: FlowFacts
  /** The variables that texts may name. */
  readonly names: ReadonlySet<string>
}

/**
 * Everything that both sides know of one kind of node. `Content` is what stands in its `data`, with defaults filled in.
 * The server's step is in `server/features/flows/nodes`, the editor's look in `client/flows/nodes`.
 */
export interface NodeKind<Content> {
  /** Fields that a draft may leave out. */
  readonly defaults: Partial<Content>
  /** The content of a node that is added in the editor; absent: the defaults. `newId` names a new part of it. */
  create?(newId: () => string): Content
  /** Content from `data` as it was written, where that is not the same. The defaults are filled in afterwards. */
  read?(data: never): Partial<Content>
  /** The other way round. */
  show?(content: Content): object
  /** Where it can go on, in the order they are shown. Absent: at `next`. Empty: the flow ends here or jumps. */
  outputs?(node: Content): readonly string[]
  /** The author's own name of an output; undefined: the texts have one. */
  outputName?(node: Content, output: string): string | undefined
  /** An output where a person takes over if nothing is connected. */
  readonly personAt?: string
  /** The node it jumps to; such a node has no outputs. */
  jumpsTo?(node: Content): string
  /** The same jump, to another node. */
  withJump?(node: Content, nodeId: string): Content
  /** See `ChoosingKind`. */
  choose?(node: Content & NodeFrame, customerId: string): string
  /** The session stays at it until something comes from outside. */
  readonly waits?: boolean
  /** A loop through it is no endless loop: it waits for people or for a time. */
  readonly breaksLoops?: boolean
  /** The customer reads its text: that is what the node is known by. */
  readonly isSpoken?: boolean
  /** Its card shows its title only. */
  isBare?(node: Content): boolean
  /** What the customer reads of it; undefined: nothing. */
  speech?(node: Content): string | undefined
  /** The most characters of its texts. */
  textLimit?(node: Content): number
  texts?(node: Content): readonly NodeText[]
  /** Texts of this kind may name secrets. */
  readonly takesSecrets?: boolean
  /** What is wrong with it, apart from its texts. */
  problems?(node: Content, flow: CheckedFlow): Found[]
  uses?(node: Content): NodeUses
  /** The most minutes since the customer's last message at an output. `before`: the same when the node is reached. */
  silentMinutes?(node: Content, output: string, before: number): number
}

/** A kind that only chooses where the session goes on. It needs no step on the server. */
export interface ChoosingKind<Content> extends NodeKind<Content> {
  /** The output. `customerId`: of the conversation, the same at each visit. */
  choose(node: Content & NodeFrame, customerId: string): string
}
