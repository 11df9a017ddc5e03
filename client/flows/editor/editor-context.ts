import { createContext, use } from 'react'
import type { EndpointReply } from '#client/app/queries.ts'
import type { FlowNames } from '#client/flows/words.ts'
import type { FlowGraph, FlowNode } from '#shared/flows/graph.ts'
import type { FlowProblem } from '#shared/flows/problem.ts'
import type { FlowTrigger } from '#shared/flows/triggers.ts'
import type { AddableType, FlowDraft, OutputPlace } from './draft.ts'
import type { KeptDraft } from './kept-draft.ts'
import { useKept } from './use-flow-draft.ts'

/** What both views and the panel do to the one draft. */
export interface EditorActions {
  /** `key`: changes of the same one in a row are one step back. */
  change(change: (graph: FlowGraph) => FlowGraph, key?: string): void
  changeNode(id: string, part: Partial<FlowNode>, key?: string): void
  /** Puts a new step there, chooses it and goes into its panel. Without `place`: loose, at `at` or below everything. */
  add(type: AddableType, place?: OutputPlace, at?: { x: number; y: number }): void
  changeTriggers(change: (triggers: readonly FlowTrigger[]) => readonly FlowTrigger[], key?: string): void
  select(ids: readonly string[], goesIntoPanel?: boolean): void
  /** Chooses a step and brings it into sight; the keys stay where they are. */
  reveal(id: string): void
  /** Takes one more step into what is chosen, or out of it. */
  toggle(id: string): void
  remove(ids: readonly string[]): void
  copy(ids: readonly string[]): void
  /** `text`: of a clipboard, which may have steps; else what was copied here last. */
  paste(place?: OutputPlace, text?: string): void
  duplicate(ids: readonly string[]): void
}

/** The way a conversation took. */
export interface Trail {
  readonly nodes: ReadonlySet<string>
  /** `node output` */
  readonly ways: ReadonlySet<string>
  /** Where it stands; null: it is over. */
  readonly at: string | null
  /** The step it came to last. */
  readonly last: string | undefined
}

/** What customers did at a step. */
export type StepFigures = EndpointReply<'flows.figures'>['nodes'][number]

export interface EditorFacts {
  readonly flowId: string
  readonly names: FlowNames
  readonly problems: readonly FlowProblem[]
  /** False: it is not known yet what is wrong. */
  readonly isChecked: boolean
  /** Steps that keep the flow from being published. */
  readonly errorIds: ReadonlySet<string>
  /** Names of variables that texts may use, as between braces. */
  readonly variables: readonly string[]
  /** Other flows that are live, by id. */
  readonly runnable: readonly string[]
  /** Names of secrets that steps may name, as between braces. */
  readonly secrets: readonly string[]
  /** What starts the flow, in one line; empty: nothing. */
  readonly beginsBy: string
  readonly isReadOnly: boolean
  /** Whether publishing was asked for: from then on it is said beside the field, too, that something is missing. */
  readonly isAsked: boolean
  /** Of the conversation that is tried; undefined: none is. */
  readonly trail: Trail | undefined
  /** By step; undefined: nobody wants to see them. */
  readonly figures: ReadonlyMap<string, StepFigures> | undefined
}

/** The draft itself, for what is written in. */
export const KeptDraftContext = createContext<KeptDraft | undefined>(undefined)

/** A part of the draft as it is with the letter typed just now. */
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
