import type { PatternFault } from '#shared/kernel/pattern.ts'
import type { TemplateComponent } from '#shared/templates/components.ts'
import type { LiveFlowFacts } from '../reached.ts'
import type { KeywordCount } from '../triggers/keyword-limits.ts'

export interface FlowProblem {
  /** The node; absent: the problem is the whole flow's, or a trigger's. */
  readonly nodeId?: string
  readonly triggerId?: string
  /** The field of the node or trigger, its output, or `options.ID`. */
  readonly field?: string
  /** The key of its text in `flows:problem.*`. */
  readonly code: string
  /** Values for the text: a limit, a length, a name. */
  readonly params: Readonly<Record<string, string | number>>
  /** Errors prevent publishing, warnings do not. */
  readonly isError: boolean
}

/** A template of the organization, in one language. */
export interface KnownTemplate {
  readonly name: string
  readonly language: string
  readonly status: string
  readonly components: readonly TemplateComponent[]
}

/** The objects outside a flow that it refers to. */
export interface FlowFacts {
  readonly tagIds: readonly string[]
  readonly teamIds: readonly string[]
  readonly memberIds: readonly string[]
  /** The existing templates among those it uses; undefined: not all are known here. */
  readonly templates: readonly KnownTemplate[] | undefined
  /** The organization's secrets and their hosts; undefined: not known here. */
  readonly secrets: readonly { readonly name: string; readonly host: string }[] | undefined
  /** True if a service may be called; absent: public addresses only. */
  mayCall?(address: string): boolean
  /** The existing bulk sends among those it uses; undefined: not all are known here. */
  readonly sendIds: readonly string[] | undefined
  /** The flow itself. */
  readonly flowId: string
  readonly flows: readonly LiveFlowFacts[]
  /** Variables of the organization's contact fields; undefined: not known here. */
  readonly fields?: readonly string[] | undefined
  /** The fault of a pattern; undefined: not known here. */
  patternFault?(pattern: string): PatternFault | 'fine' | undefined
  /** The keywords of the organization's other live flows; absent: not known here. */
  readonly otherKeywords?: KeywordCount | undefined
  /** Another live flow of the organization has the default trigger. */
  readonly hasOtherDefault: boolean
}

/** A problem as reported by a check. */
export type Found = Omit<FlowProblem, 'params' | 'isError'> & Partial<Pick<FlowProblem, 'params' | 'isError'>>

/** The most unknown variables listed for one text. */
export const maxUnknownNamed = 5
