import { createContext, use } from 'react'
import type { EndpointReply } from '#client/app/queries/queries.ts'
import type { FlowGraph, FlowNode } from '#shared/flows/graph.ts'
import type { FlowNames } from '#shared/flows/names.ts'
import type { FlowProblem } from '#shared/flows/problems/problem.ts'
import type { FlowTrigger } from '#shared/flows/triggers/triggers.ts'
import type { AddableType, FlowDraft, OutputPlace } from './draft/draft.ts'
import type { KeptDraft } from './draft/kept-draft.ts'
import { useKept } from './draft/use-flow-draft.ts'

/** The changes that both views and the panel make to the draft. */
export interface EditorActions {
  /** `key`: consecutive changes with the same key are undone together. */
  change(change: (graph: FlowGraph) => FlowGraph, key?: string): void
  changeNode(id: string, part: Partial<FlowNode>, key?: string): void
  /** Adds a step there, selects it and focuses its panel. Without `place`: unconnected, below everything. */
  add(type: AddableType, place?: OutputPlace): void
  changeTriggers(change: (triggers: readonly FlowTrigger[]) => readonly FlowTrigger[], key?: string): void
  select(ids: readonly string[], goesIntoPanel?: boolean): void
  /** Selects a step and scrolls it into view; the focus stays. */
  reveal(id: string): void
  /** Adds a step to the selection, or removes it. */
  toggle(id: string): void
  remove(ids: readonly string[]): void
  copy(ids: readonly string[]): void
  /** `text`: of the clipboard, used if it has steps; otherwise the last copy of this browser. */
  paste(place?: OutputPlace, text?: string): void
  duplicate(ids: readonly string[]): void
}

/** The path of a conversation. */
export interface Trail {
  readonly nodes: ReadonlySet<string>
  /** `node output` */
  readonly ways: ReadonlySet<string>
  /** The current step; null: the session has ended. */
  readonly at: string | null
  /** The last step reached. */
  readonly last: string | undefined
}

/** The figures of a step: what customers did there. */
export type StepFigures = EndpointReply<'flows.figures'>['nodes'][number]

export interface EditorFacts {
  readonly flowId: string
  readonly names: FlowNames
  readonly problems: readonly FlowProblem[]
  /** False: not all problems are known or shown yet, so that none does not mean ready to publish. */
  readonly isChecked: boolean
  /** Steps that prevent publishing. */
  readonly errorIds: ReadonlySet<string>
  /** The variable names that texts may use, as written between braces. */
  readonly variables: readonly string[]
  /** Ids of other live flows. */
  readonly runnable: readonly string[]
  /** The secret names that texts may use, as written between braces. */
  readonly secrets: readonly string[]
  /** The flow's triggers in one line; empty: none. */
  readonly beginsBy: string
  readonly isReadOnly: boolean
  /** True if publishing was tried: from then on missing values are also reported at their field. */
  readonly isAsked: boolean
  /** The path of the simulated conversation; undefined: none. */
  readonly trail: Trail | undefined
  /** The figures by step id. Undefined: they are hidden. */
  readonly figures: ReadonlyMap<string, StepFigures> | undefined
}

/** The draft itself, for text fields. */
export const KeptDraftContext = createContext<KeptDraft | undefined>(undefined)

/** A part of the draft, including the letter just typed. */
export const useNow = <T>(read: (draft: FlowDraft) => T): T => {
  const kept = use(KeptDraftContext)
  if (!kept) throw new Error('A part of the flow editor stands outside of it')
  return useKept(kept, one => read(one.now().present))
}

const ActionsContext = createContext<EditorActions | undefined>(undefined)
const FactsContext = createContext<EditorFacts | undefined>(undefined)
export const EditorActionsContext = ActionsContext
export const EditorFactsContext = FactsContext

export const useEditorActions = (): EditorActions => {
  const actions = use(ActionsContext)
  if (!actions) throw new Error('A part of the flow editor stands outside of it')
  return actions
}
export const useEditorFacts = (): EditorFacts => {
  const facts = use(FactsContext)
  if (!facts) throw new Error('A part of the flow editor stands outside of it')
  return facts
}
