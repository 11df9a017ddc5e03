import type { GraphIndex } from '#shared/flows/graph.ts'
import { mockedResult } from '#shared/flows/http/http.ts'
import type { FlowSettings } from '#shared/flows/settings.ts'
import {
  type SimulatedInput,
  type SimulatedLine,
  type SimulatedStep,
  type Simulation,
  simulationLimits,
} from '#shared/flows/testing/simulation.ts'
import type { StandingValues } from '#shared/flows/variables.ts'
import { createWork, workLimits } from '#shared/kernel/work.ts'
import { whatsAppOptions } from '../sessions/options.ts'
import { begunBy, readingOf } from '../sessions/received.ts'
import { advanceSession } from '../step/advance-session.ts'
import type { FlowEffect, FlowInput, FlowWorld, SessionPosition } from '../step/advance-types.ts'
import { flowWordsOf } from '../step/words.ts'

/** WhatsApp lets us write this long after the customer's last message. */
const windowMs = 24 * 60 * 60 * 1000

export interface SimulationParts {
  readonly graph: GraphIndex
  /** ISO 8601. */
  readonly from: string
  readonly opening: string | undefined
  readonly inputs: readonly SimulatedInput[]
  readonly timeZone: string
  /** All built-in variables except the customer's last message. */
  readonly builtIn: StandingValues
  readonly tagIds: readonly string[]
  readonly knownTagIds: readonly string[]
  readonly fillTemplate: FlowWorld['fillTemplate']
  readonly settings: FlowSettings
  readonly listLabel: string
  isOpen(at: string): boolean
  /** Called between two inputs, to yield to the event loop. */
  giveWay(): Promise<void> | undefined
}

type Ending = Pick<Simulation, 'state' | 'reason' | 'handoff'>

const nowhere: SessionPosition = { nodeId: '', variables: {}, tries: 0 }
const bare = (): Pick<SimulatedLine, 'options' | 'listLabel' | 'isRead'> => ({
  options: [],
  listLabel: null,
  isRead: true,
})

/** Returns the line that the customer sees of an effect; undefined: they see nothing. */
const lineOf = (effect: FlowEffect): Pick<SimulatedLine, 'text' | 'options' | 'listLabel' | 'isRead'> | undefined => {
  switch (effect.kind) {
    case 'template':
      return { text: effect.ready.text, ...bare() }
    case 'media':
      return { text: [effect.text, effect.media.url].filter(Boolean).join('\n'), ...bare() }
    case 'text':
      return { text: effect.text, ...bare() }
    case 'options': {
      const { body, interactive } = whatsAppOptions(effect, id => id)
      const { buttons = [], list } = interactive
      const options = list ? list.sections.flatMap(({ rows }) => rows) : buttons
      return { text: body, isRead: true, options: [...options], listLabel: list ? list.title : null }
    }
    default:
      return undefined
  }
}

const handoffOf = ({ teamId, memberId, note }: NonNullable<Ending['handoff']>): Ending['handoff'] => ({
  teamId,
  memberId,
  note,
})

interface Wait {
  readonly isTimed: boolean
  readonly isParked: boolean
  /** Milliseconds. */
  readonly until: number
}

const waitOf = ({ for: what, until }: { readonly for: string; readonly until: string }): Wait => ({
  isTimed: what === 'time',
  isParked: what === 'window',
  until: Date.parse(until),
})

const stateOf = ({ isTimed, isParked }: Partial<Wait> = {}) =>
  isParked ? 'parked' : isTimed ? 'waitingTime' : 'waitingAnswer'

type CustomerInput = Exclude<SimulatedInput, { kind: 'advance' }>

/** The customer's text, tap or file, as the engine reads it. */
const saidBy = (input: CustomerInput, graph: GraphIndex, at: string) => {
  const node = input.kind === 'option' ? graph.node(input.nodeId) : undefined
  const option =
    input.kind === 'option' && node?.type === 'buttons'
      ? node.options.find(({ id }) => id === input.optionId)
      : undefined
  const text = input.kind === 'text' ? input.text : input.kind === 'option' ? (option?.title ?? input.title ?? '') : ''
  const shared = input.kind === 'file' ? ({ kind: 'file', value: 'image/jpeg' } as const) : undefined
  return { text, isText: input.kind !== 'file', shared, at }
}

/** Simulates a conversation on the real engine with a clock of its own. Nothing is stored or sent. */
export async function simulate(parts: SimulationParts): Promise<Omit<Simulation, 'version' | 'revision'>> {
  const { graph, opening, inputs } = parts
  const words = flowWordsOf(parts.settings)
  let at = Date.parse(parts.from)
  let lastWroteAt = at
  let place = nowhere
  let workLeft: number = workLimits.simulation
  const session: { wait?: Wait | undefined; ending?: Ending } = {}
  const tags = new Set(parts.tagIds)
  /** The contact's name as changed by the flow. */
  let named: { 'contacto.nombre'?: string } = {}
  const transcript: SimulatedLine[] = []
  const steps: SimulatedStep[] = []

  const isoNow = () => new Date(at).toISOString()
  const isWindowOpen = () => at - lastWroteAt < windowMs
  const end = (state: Ending['state'], more: Partial<Ending> = {}): void => {
    session.wait = undefined
    session.ending = { state, reason: null, handoff: null, ...more }
  }

  const run = async (input: FlowInput, lastText: string): Promise<void> => {
    const now = isoNow()
    const most = Math.min(workLimits.advance, workLeft)
    const work = createWork(most)
    const done = advanceSession(graph, place, input, {
      now,
      // A new conversation id each time, so that every random branch can be reached.
      customerId: parts.from,
      timeZone: parts.timeZone,
      isOpen: parts.isOpen(now),
      builtIn: { ...parts.builtIn, ...named, ultimo_mensaje: lastText },
      tagIds: [...tags],
      isWindowOpen: isWindowOpen(),
      expiresAfterHours: parts.settings.expiresAfterHours,
      expiredText: parts.settings.expiredText,
      listLabel: parts.listLabel,
      knownTagIds: parts.knownTagIds,
      fillTemplate: parts.fillTemplate,
      work,
    })
    workLeft -= most - work.left
    const { outcome } = done
    const taken = input.kind === 'begin' ? begunBy(done.steps, lastText) : done.steps
    for (const { nodeId, input: entered, output, why, changes, effect, call = null } of taken) {
      steps.push({ at: now, nodeId, input: entered, output, why, changes: { ...changes }, call })
      if (effect?.kind === 'tag') tags[effect.action === 'add' ? 'add' : 'delete'](effect.tagId)
      if (effect?.kind === 'contact' && effect.field === 'name') named = { 'contacto.nombre': effect.value }
      const said = effect && lineOf(effect)
      if (said) transcript.push({ at: now, by: 'flow', nodeId, ...said })
    }
    switch (outcome.kind) {
      case 'waits':
        place = outcome.place
        if (outcome.for === 'call') {
          const node = graph.node(place.nodeId)
          // A simulation makes no calls: the step defines the service's answer.
          if (node?.type === 'http') return run({ kind: 'call', result: mockedResult(node) }, lastText)
        }
        if (place.isTyping) {
          at = Date.parse(outcome.until)
          return run({ kind: 'time' }, lastText)
        }
        session.wait = waitOf(outcome)
        break
      case 'handedOff':
        end('handedOff', { reason: outcome.reason, handoff: handoffOf(outcome) })
        break
      default:
        end(outcome.kind)
    }
    // Variables of an ended session are those after its last step.
    for (const { changes } of taken)
      for (const [name, { after }] of Object.entries(changes))
        place = { ...place, variables: { ...place.variables, [name]: after } }
    if (steps.length >= simulationLimits.steps && session.wait) end('tooLong')
  }

  const begin = (lastText: string): Promise<void> => {
    place = nowhere
    return run({ kind: 'begin' }, lastText)
  }

  const pass = async (ms: number): Promise<void> => {
    const until = at + ms
    while (session.wait && session.wait.until <= until) {
      at = Math.max(at, session.wait.until)
      await run({ kind: 'time' }, place.said ?? '')
      await parts.giveWay()
    }
    if (session.ending?.state !== 'tooLong') at = until
  }

  const say = async (input: CustomerInput): Promise<void> => {
    const said = saidBy(input, graph, isoNow())
    const { text } = said
    lastWroteAt = at
    const reading = session.wait ? readingOf({ ...session.wait, fileAt: place.fileAt }, said, words) : 'unread'
    transcript.push({
      at: isoNow(),
      by: 'customer',
      text,
      nodeId: null,
      ...bare(),
      isRead: reading !== 'unread' && reading !== 'burst',
    })
    switch (reading) {
      case 'burst':
        place = { ...place, fileAt: said.at }
        return
      case 'unread':
        return
      case 'leave':
        return end('left')
      case 'person':
        return end('handedOff', { reason: 'wanted', handoff: { teamId: null, memberId: null, note: null } })
      case 'restart':
        return begin(text)
      case 'answer': {
        const tapped = input.kind === 'option' ? { nodeId: input.nodeId, optionId: input.optionId } : null
        return run({ kind: 'message', ...said, tapped }, text)
      }
    }
  }

  if (opening !== undefined) transcript.push({ at: isoNow(), by: 'customer', text: opening, nodeId: null, ...bare() })
  await begin(opening ?? '')
  for (const input of inputs) {
    if (session.ending?.state === 'tooLong') break
    await (input.kind === 'advance' ? pass(input.ms) : say(input))
    await parts.giveWay()
  }
  const { wait, ending } = session
  return {
    from: new Date(Date.parse(parts.from)).toISOString(),
    now: isoNow(),
    ...(ending ?? { state: stateOf(wait), reason: null, handoff: null }),
    dueAt: wait ? new Date(wait.until).toISOString() : null,
    nodeId: wait ? place.nodeId : null,
    variables: { ...place.variables },
    tagIds: [...tags],
    isWindowOpen: isWindowOpen(),
    transcript,
    path: steps.map(({ nodeId }) => nodeId).filter((id, i, all) => id !== all[i - 1]),
    steps,
  }
}
