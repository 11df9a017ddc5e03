import type { FlowNames } from '../names.ts'
import type { FlowFacts, Found } from '../problems/problem.ts'
import type { TemplateChoice } from './fields.ts'

/** Colors with which authors group nodes on the canvas. */
export const stepColors = ['green', 'blue', 'amber', 'red', 'violet'] as const
export type StepColor = (typeof stepColors)[number]

/** The fields that every node has, whatever its kind. */
export interface NodeFrame {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly name?: string
  readonly color?: StepColor
  /** Unconnected outputs where the author wants the flow to end. */
  readonly ends?: readonly string[]
}

/** A text that a customer reads, or that becomes a value. It may hold variables. */
export interface NodeText {
  /** The field that holds it, or `options.ID`. */
  readonly field: string
  readonly text: string
  readonly isRequired?: boolean
}

/** The things outside its own content that a node refers to. */
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

/** The parts of a flow that the check of a node can read. */
export interface CheckedFlow {
  readonly nodes: readonly { readonly id: string; readonly type: string }[]
  readonly facts: FlowFacts
  /** The variables that texts may name. */
  readonly names: ReadonlySet<string>
}

/** Texts of `flows.json` in the reader's language, by their keys. */
export type FlowTexts = (key: string, params?: Readonly<Record<string, string | number>>) => string

/**
 * The definition of one kind of node, for server and browser. `Content` is its `data` with defaults filled in.
 * The server's step is in `server/features/flows/nodes`, the form of the editor's panel in `client/flows/nodes`.
 */
export interface NodeKind<Content> {
  /** A path on a grid of 24 pixels. */
  readonly icon: string
  /** The color of the icon. Absent: the color of steps that send a message. */
  readonly tone?: 'asks' | 'decides' | 'waits' | 'person' | 'ends'
  /** The node's content as text. Absent or empty: the node's title says everything. */
  summary?(node: Content, t: FlowTexts, names: FlowNames): string
  /** The text that the customer reads, for a kind that stores it outside the node, such as a template. */
  messageTextFrom?(node: Content, names: FlowNames): string
  /** Fields that a draft may leave out. */
  readonly defaults: Partial<Content>
  /** The content of a node that is added in the editor; absent: the defaults. `newId` names a new part of it. */
  create?(newId: () => string): Content
  /** Converts `data` to content, where the two differ. Defaults are filled in afterwards. */
  read?(data: never): Partial<Content>
  /** Converts content to `data`, where the two differ. */
  show?(content: Content): object
  /** Its outputs, in the order in which they are shown. Absent: `next` only. Empty: the flow ends or jumps here. */
  outputs?(node: Content): readonly string[]
  /** The name that the author gave an output; undefined: the output has a text in `locales`. */
  outputName?(node: Content, output: string): string | undefined
  /** An output where a person takes over if nothing is connected. */
  readonly personAt?: string
  /** The id of the node it jumps to. A node that jumps has no outputs. */
  jumpsTo?(node: Content): string
  /** The same jump, to another node. */
  withJump?(node: Content, nodeId: string): Content
  /** See `ChoosingKind`. */
  choose?(node: Content & NodeFrame, customerId: string): string
  /** A session stays at this node until a message, a time or the result of a call comes. */
  readonly waits?: boolean
  /** A loop through this node is not reported as endless, because a session can wait at it or inside it. */
  readonly breaksLoops?: boolean
  /** True if the summary is the text that the customer reads. */
  readonly sendsMessage?: boolean
  /** True: its card shows only the title. */
  isBare?(node: Content): boolean
  /** The text that the customer reads; undefined: the node sends none. */
  messageText?(node: Content): string | undefined
  /** The most characters that each of its texts may have. */
  textLimit?(node: Content): number
  texts?(node: Content): readonly NodeText[]
  /** Texts of this kind may name secrets. */
  readonly takesSecrets?: boolean
  /** Problems of its content, without those of its `texts`. */
  problems?(node: Content, flow: CheckedFlow): Found[]
  uses?(node: Content): NodeUses
  /**
   * The most minutes that can have passed since the customer's last message when a session leaves by `output`.
   * `before`: the same for a session that reaches the node.
   */
  silentMinutes?(node: Content, output: string, before: number): number
}

/** A kind that only chooses an output. It needs no step on the server. */
export interface ChoosingKind<Content> extends NodeKind<Content> {
  /** Returns the output. `customerId`: the conversation's id, which is the same at each visit. */
  choose(node: Content & NodeFrame, customerId: string): string
}
