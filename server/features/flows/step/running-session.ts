import type { FlowNode, GraphIndex } from '#shared/flows/graph.ts'
import { waitUnitMs } from '#shared/flows/limits.ts'
import type { TemplateChoice } from '#shared/flows/nodes/fields.ts'
import { type FlowVariables, fillIn, variableMaxChars } from '#shared/flows/variables.ts'
import { createWork, TooMuchWork, type Work, workLimits } from '#shared/kernel/work.ts'
import type {
  FlowAdvance,
  FlowEffect,
  FlowInput,
  FlowOutcome,
  FlowStep,
  FlowWorld,
  SessionPosition,
  TemplateRefusal,
} from './advance-types.ts'
import { type Fitted, textOfMessage } from './message-texts.ts'

/** The most calls of services in one advance. "Typing" counts as one. */
export const maxCallsInRow = 20
/** A session whose message could not be sent ends when the customer does not write for this long. */
const parkedMs = 30 * 24 * 60 * 60 * 1000
const noChanges = {}

/** The target after a node: one of its outputs, another node, the flow that runs this one, or the end of this advance. */
export type Next = { readonly output: string } | { readonly to: FlowNode } | { readonly leaves: true } | FlowAdvance

type Waits = Extract<FlowOutcome, { kind: 'waits' }>
type HandedOff = Extract<FlowOutcome, { kind: 'handedOff' }>

/** A session while it advances by one input: what it knows, and what its steps have done so far. Nothing is stored. */
export class RunningSession {
  readonly graph: GraphIndex
  readonly world: FlowWorld
  readonly work: Work
  readonly tagIds: Set<string>
  variables: FlowVariables
  builtIn: FlowWorld['builtIn']
  /** The nodes that run the flows the session is inside of, the outermost first. */
  inside: readonly string[]
  /** Calls of services since something came in from outside. */
  calls: number
  /** "Typing" was shown for the message that comes next. */
  isTyped = false
  /** Wrong answers so far to the question the session stands at. */
  readonly tries: number
  readonly #steps: FlowStep[] = []
  readonly #fileAt: string | undefined

  constructor(graph: GraphIndex, place: SessionPosition, input: FlowInput, world: FlowWorld) {
    this.graph = graph
    this.world = world
    this.work = world.work ?? createWork(workLimits.advance)
    this.tagIds = new Set(world.tagIds)
    this.variables = place.variables
    this.builtIn = world.builtIn
    this.inside = input.kind === 'begin' ? [] : (place.inside ?? [])
    this.calls = input.kind === 'call' || place.isTyping ? (place.calls ?? 0) : 0
    this.tries = place.tries
    this.#fileAt = input.kind === 'message' ? (input.shared?.kind === 'file' ? input.at : undefined) : place.fileAt
  }

  /** Records a step. */
  step(node: FlowNode, facts: Partial<Omit<FlowStep, 'nodeId'>>): void {
    const nothing = { input: null, output: null, why: null, changes: noChanges, effect: null }
    this.#steps.push({ nodeId: node.id, ...nothing, ...facts })
  }

  /** `text` with its variables filled in, cut after `most` UTF-16 units. */
  readonly fill = (text: string, most?: number): string => fillIn(text, this.variables, this.builtIn, most)

  /** Sets variables. Returns what changed. */
  assign(values: FlowVariables): FlowStep['changes'] {
    const { variables } = this
    const before = (name: string) => (Object.hasOwn(variables, name) ? (variables[name] as string) : null)
    this.variables = { ...variables, ...values }
    return Object.fromEntries(Object.entries(values).map(([name, after]) => [name, { before: before(name), after }]))
  }

  /** The result of `find`; `tooMuchWork`: it costs more than this advance has left. */
  within<T>(find: () => T): T | 'tooMuchWork' {
    try {
      return find()
    } catch (error) {
      if (error instanceof TooMuchWork) return 'tooMuchWork'
      throw error
    }
  }

  /** The effect of a text that stands alone; none if nothing is left of it. */
  textEffect(text: string, why: FlowStep['why'] = null): Pick<FlowStep, 'effect' | 'why'> {
    const said = textOfMessage(this.fill, text)
    if (!said.text) return { effect: null, why }
    return { effect: { kind: 'text', text: said.text }, why: said.fit === 'cut' ? (why ?? 'textCut') : why }
  }

  /** A template with its values, each on one line as WhatsApp wants it. */
  byTemplate({ template, language, values }: TemplateChoice): (FlowEffect & Partial<Fitted>) | TemplateRefusal {
    const filled = Object.entries(values).map(([at, text]) => [at, this.fill(text).replace(/\s+/g, ' ').trim()])
    const choice = { template, language, values: Object.fromEntries(filled) }
    const ready = this.world.fillTemplate(choice, this.world.now)
    if (typeof ready === 'string') return ready
    return { kind: 'template', ready, fit: ready.isCut ? 'cut' : null }
  }

  /** Ends the advance. */
  over(outcome: FlowOutcome): FlowAdvance {
    return { steps: this.#steps, outcome }
  }

  /** Ends the session: a person has to look. */
  giveUp(reason: HandedOff['reason']): FlowAdvance {
    return this.over({ kind: 'handedOff', reason, teamId: null, memberId: null, note: null })
  }

  /** Ends the advance at a node that waits. `until`: ISO 8601. */
  waitAt(node: FlowNode, what: Waits['for'] | 'typing', until: string, tries = 0): FlowAdvance {
    const said = this.world.builtIn.ultimo_mensaje.slice(0, variableMaxChars)
    return this.over({
      kind: 'waits',
      for: what === 'typing' ? 'time' : what,
      until,
      place: {
        nodeId: node.id,
        variables: this.variables,
        tries,
        ...(this.inside.length ? { inside: this.inside } : {}),
        ...(said ? { said } : {}),
        ...(what === 'call' || what === 'typing' ? { calls: this.calls } : {}),
        ...(what === 'typing' ? { isTyping: true } : {}),
        ...(this.#fileAt === undefined ? {} : { fileAt: this.#fileAt }),
        ...(what === 'window' ? { isParked: true } : {}),
      },
    })
  }

  /** Ends the advance at a node that cannot send before the customer writes. */
  parkAt(node: FlowNode): FlowAdvance {
    return this.waitAt(node, 'window', this.after(parkedMs))
  }

  /** Ends the advance at a question. `timeoutMs` 0: the organization's settings say when the session expires. */
  waitForAnswer(node: FlowNode, timeoutMs: number, tries = 0): FlowAdvance {
    const expiresMs = this.world.expiresAfterHours * waitUnitMs.hours || parkedMs
    return this.waitAt(node, 'answer', this.after(timeoutMs || expiresMs), tries)
  }

  /** The time in `ms`, ISO 8601. */
  after(ms: number): string {
    return new Date(Date.parse(this.world.now) + ms).toISOString()
  }
}
