import type { PatternFault } from '#shared/kernel/pattern.ts'
import type { TemplateComponent } from '#shared/templates/components.ts'
import type { KeywordCount } from './keyword-limits.ts'
import type { LiveFlowFacts } from './reached.ts'

export interface FlowProblem {
  /** Whose it is; absent: the flow's as a whole, or a trigger's. */
  readonly nodeId?: string
  readonly triggerId?: string
  /** The node's or trigger's field, its output, or `options.ID`. */
  readonly field?: string
  /** Its sentence is in the texts `flows:problem.*`. */
  readonly code: string
  /** What the sentence names: a limit, a length, a name. */
  readonly params: Readonly<Record<string, string | number>>
  /** Errors keep a flow from being published, warnings do not. */
  readonly isError: boolean
}

/** A template of the organization, in one language. */
export interface KnownTemplate {
  readonly name: string
  readonly language: string
  readonly status: string
  readonly components: readonly TemplateComponent[]
}

/** What a flow counts on that is not in it. */
export interface FlowFacts {
  readonly tagIds: readonly string[]
  readonly teamIds: readonly string[]
  readonly memberIds: readonly string[]
  /** Those it names, as far as they are there; undefined: not all of them are known here. */
  readonly templates: readonly KnownTemplate[] | undefined
  /** Those of the organization, and whom each is for; undefined: they are not known here. */
  readonly secrets: readonly { readonly name: string; readonly host: string }[] | undefined
  /** Bulk sends it names, as far as they are there; undefined: not all of them are known here. */
  readonly sendIds: readonly string[] | undefined
  /** The flow itself. */
  readonly flowId: string
  /** Live flows of the organization. */
  readonly flows: readonly LiveFlowFacts[]
  /** Variables of the organization's fields of contacts; undefined: they are not known here. */
  readonly fields?: readonly string[] | undefined
  /** What a pattern is worth; undefined: that is not known here. */
  patternFault?(pattern: string): PatternFault | 'fine' | undefined
  /** Of the keywords of the organization's other live flows; absent: not known here. */
  readonly otherKeywords?: KeywordCount | undefined
  /** Another live flow of the organization answers what nobody answers. */
  readonly hasOtherDefault: boolean
}

/** A problem as it is found. */
export type Found = Omit<FlowProblem, 'params' | 'isError'> & Partial<Pick<FlowProblem, 'params' | 'isError'>>

/** The most unknown variables that are named of one text. */
export const mostUnknownNamed = 5
