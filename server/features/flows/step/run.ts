import { contactNoteMaxChars } from '#shared/contacts/api.ts'
import { calculate } from '#shared/flows/formula.ts'
import {
  type FlowNode,
  type FlowRule,
  type GraphIndex,
  isWaiting,
  type NodeOf,
  type TemplateChoice,
  waitUnitMs,
} from '#shared/flows/graph.ts'
import { prepareCall, type ReadCall, readCall } from '#shared/flows/http.ts'
import { mostInside } from '#shared/flows/subflows.ts'
import { type FlowVariables, fillIn, variableMaxChars, variableValue } from '#shared/flows/variables.ts'
import { timeOfWall, wallTime } from '#shared/kernel/time.ts'
import { createWork, TooMuchWork, workLimits } from '#shared/kernel/work.ts'
import { optionOf, readAnswer, readName, readShared } from './answers.ts'
import { holds } from './rules.ts'
import { type Fill, type Fitted, spokenMedia, spokenOptions, spokenText } from './speech.ts'
import type {
  FlowEffect,
  FlowInput,
  FlowOutcome,
  FlowStep,
  FlowTurn,
  FlowWorld,
  SessionPlace,
  TemplateRefusal,
} from './turn.ts'

/** A session that is asked nothing and waits for nothing may go so many steps at once. */
const mostStepsAtOnce = 50
/** So many calls of services in a row are no answer to anybody. */
const mostCallsInRow = 20
/** A call of which nothing is heard for so long beyond its tries came to nothing. */
const callGraceMs = 10 * 60 * 1000

/** Nobody writes for so long: the flow that could not say its word lets them go. */
const parkedMs = 30 * 24 * 60 * 60 * 1000

/** When a wait that begins now is over. */
const endOfWait = (node: NodeOf<'wait'>, { now, timeZone }: FlowWorld): string => {
  const at = Date.parse(now)
  if (node.until === undefined) return new Date(at + node.amount * waitUnitMs[node.unit]).toISOString()
  const today = `${wallTime(at, timeZone).slice(0, 10)}T${node.until}`
  const then = timeOfWall(today, timeZone) ?? now
  if (then > now) return then
  const tomorrow = wallTime(Date.parse(then) + waitUnitMs.days, timeZone).slice(0, 10)
  return timeOfWall(`${tomorrow}T${node.until}`, timeZone) ?? now
}

/** How something was asked, by what had to be done to make it fit. */
const askedWhy = { whole: 'asked', cut: 'askedCut', asList: 'askedAsList' } as const
const noChanges = {}
const nobody = { teamId: null, memberId: null, note: null }

/**
 * One turn of a session: from what came in to where it waits next, or its end. Pure: whoever runs it does what the steps
 * say, in one transaction with keeping where it stands. A node that says something does so only while the window is open;
 * one that cannot waits there until the customer writes, and then says it.
 * @param place where it stood; of a session that begins, its variables alone count
 */
export function runTurn(graph: GraphIndex, place: SessionPlace, input: FlowInput, world: FlowWorld): FlowTurn {
  const steps: FlowStep[] = []
  const work = world.work ?? createWork(workLimits.turn)
  const tagIds = new Set(world.tagIds)
  let variables = place.variables
  let builtIn = world.builtIn
  let inside = input.kind === 'begin' ? [] : (place.inside ?? [])
  let calls = input.kind === 'call' || place.isTyping ? (place.calls ?? 0) : 0
  const lastSaid = world.builtIn.ultimo_mensaje.slice(0, variableMaxChars)
  const fileAt = input.kind === 'message' ? (input.shared?.kind === 'file' ? input.at : undefined) : place.fileAt

  const step = (node: FlowNode, facts: Partial<Omit<FlowStep, 'nodeId'>>): void =>
    void steps.push({
      nodeId: node.id,
      input: null,
      output: null,
      why: null,
      changes: noChanges,
      effect: null,
      ...facts,
    })
  const fill: Fill = (text, most) => fillIn(text, variables, builtIn, most)
  const optionsOf = (node: NodeOf<'buttons'>) => spokenOptions(node, fill, world.listLabel)
  /** A text by itself, whole or cut; no effect where nothing is left of it. */
  const saying = (text: string, why: FlowStep['why'] = null): Pick<FlowStep, 'effect' | 'why'> => {
    const said = spokenText(fill, text)
    if (!said.text) return { effect: null, why }
    return { effect: { kind: 'text', text: said.text }, why: said.fit === 'cut' ? (why ?? 'textCut') : why }
  }
  const assign = (values: FlowVariables): FlowStep['changes'] => {
    const changes = Object.fromEntries(
      Object.entries(values).map(([name, after]) => [
        name,
        { before: Object.hasOwn(variables, name) ? (variables[name] as string) : null, after },
      ]),
    )
    variables = { ...variables, ...values }
    return changes
  }
  /** Kept of the contact; what cannot be a name, or is nothing, leaves them as they are. */
  const keep = (field: 'name' | 'note', text: string): Partial<FlowStep> => {
    const value = field === 'name' ? readName(text) : text.trim().slice(0, contactNoteMaxChars)
    if (value === undefined) return { why: 'notAName' }
    if (!value) return { why: 'nothingToKeep' }
    const before = field === 'name' ? builtIn['contacto.nombre'] || null : null
    if (field === 'name') builtIn = { ...builtIn, 'contacto.nombre': value }
    const name = field === 'name' ? 'contacto.nombre' : 'contacto.nota'
    return { effect: { kind: 'contact', field, value }, changes: { [name]: { before, after: value } } }
  }
  /** `tooMuchWork`: it costs more than is left to this turn. */
  const within = <T>(find: () => T): T | 'tooMuchWork' => {
    try {
      return find()
    } catch (error) {
      if (error instanceof TooMuchWork) return 'tooMuchWork'
      throw error
    }
  }
  /** What cannot be calculated is empty, and the step says so. */
  const setBy = (here: NodeOf<'set'>): Partial<FlowStep> => {
    if (here.contact) return keep(here.contact, fill(here.value))
    if (!here.formula) return { changes: assign({ [here.variable]: fill(here.value) }) }
    const today = wallTime(Date.parse(world.now), world.timeZone).slice(0, 10)
    const made = within(() => ({
      value: calculate(here.value, { valueOf: name => variableValue(name, variables, builtIn), today, work }),
    }))
    const { value } = made === 'tooMuchWork' ? {} : made
    return {
      why: made === 'tooMuchWork' ? made : value === undefined ? 'notCalculated' : 'calculated',
      changes: assign({ [here.variable]: value ?? '' }),
    }
  }
  const over = (outcome: FlowOutcome): FlowTurn => ({ steps, outcome })
  const giveUp = (reason: Extract<FlowOutcome, { kind: 'handedOff' }>['reason']): FlowTurn =>
    over({ kind: 'handedOff', reason, ...nobody })
  /** Without variables, on one line each: so WhatsApp wants the values of templates. */
  const byTemplate = ({
    template,
    language,
    values,
  }: TemplateChoice): (FlowEffect & Partial<Fitted>) | TemplateRefusal => {
    const filled = Object.entries(values).map(([at, text]) => [at, fill(text).replace(/\s+/g, ' ').trim()])
    const ready = world.fillTemplate({ template, language, values: Object.fromEntries(filled) }, world.now)
    if (typeof ready === 'string') return ready
    return { kind: 'template', ready, fit: ready.isCut ? 'cut' : null }
  }
  /** What a node says: as it is written, or by its template while the window is closed. */
  const speech = (
    here: NodeOf<'message'> | NodeOf<'question'> | NodeOf<'buttons'>,
  ): (FlowEffect & Partial<Fitted>) | TemplateRefusal | 'nothingToSay' | 'windowClosed' => {
    const media = here.type === 'message' ? here.media : undefined
    if (!fill(here.text) && !media) return 'nothingToSay'
    if (!world.isWindowOpen) return here.fallback?.template ? byTemplate(here.fallback) : 'windowClosed'
    if (media) return { kind: 'media', ...spokenMedia(fill, media, here.text) }
    if (here.type !== 'buttons') return { kind: 'text', ...spokenText(fill, here.text) }
    const spoken = optionsOf(here)
    return spoken.options.length ? { kind: 'options', nodeId: here.id, ...spoken } : 'nothingToSay'
  }
  const waitAt = (
    node: FlowNode,
    kind: 'answer' | 'time' | 'typing' | 'call' | 'window',
    until: string,
    tries = 0,
  ): FlowTurn =>
    over({
      kind: 'waits',
      for: kind === 'typing' ? 'time' : kind,
      until,
      place: {
        ...{ nodeId: node.id, variables, tries },
        ...(inside.length ? { inside } : {}),
        ...(lastSaid ? { said: lastSaid } : {}),
        ...(kind === 'call' || kind === 'typing' ? { calls } : {}),
        ...(kind === 'typing' ? { isTyping: true } : {}),
        ...(fileAt === undefined ? {} : { fileAt }),
        ...(kind === 'window' ? { isParked: true } : {}),
      },
    })
  const parkAt = (node: FlowNode): FlowTurn =>
    waitAt(node, 'window', new Date(Date.parse(world.now) + parkedMs).toISOString())
  const answerBy = ({ timeoutMinutes }: NodeOf<'question'> | NodeOf<'buttons'>): string =>
    new Date(
      Date.parse(world.now) +
        (timeoutMinutes ? timeoutMinutes * 60_000 : world.expiresAfterHours * waitUnitMs.hours || parkedMs),
    ).toISOString()

  /** Where a step goes on whose call is over; a way that nobody drew leads to a person. */
  const called = (node: NodeOf<'http'>, { output, why, values, facts }: ReadCall): FlowTurn | { output: string } => {
    const isDrawn = output !== 'error' || node.ends?.includes(output) || graph.after(node.id, output)
    step(node, { why, call: facts, changes: assign(values), ...(isDrawn ? { output } : {}) })
    return isDrawn ? { output } : giveUp('callFailed')
  }

  /** What follows a node that something came in for; a turn: the session stays, or is over. */
  const answer = (node: FlowNode): FlowTurn | { output: string } => {
    if (node.type === 'http' && input.kind !== 'message') {
      const nothing = { kind: 'failed', why: 'callUnconfirmed', ms: 0, tries: 1 } as const
      return called(node, readCall(node, input.kind === 'call' ? input.result : nothing))
    }
    if (input.kind === 'time' && place.isParked) {
      step(node, { why: 'noAnswer' })
      return over({ kind: 'expired' })
    }
    if (input.kind === 'time') {
      if (node.type === 'wait') {
        step(node, { output: 'next', why: 'waited' })
        return { output: 'next' }
      }
      if ((node.type === 'question' || node.type === 'buttons') && node.timeoutMinutes) {
        step(node, { output: 'timeout', why: 'noAnswer' })
        return { output: 'timeout' }
      }
      step(node, saying(world.isWindowOpen ? (world.expiredText ?? '') : '', 'noAnswer'))
      return over({ kind: 'expired' })
    }
    if (input.kind !== 'message') return giveUp('nodeGone')
    if (node.type === 'buttons') {
      const option = optionOf(node, input, optionsOf(node).options)
      const output = option?.id ?? 'other'
      const value = (option?.title ?? input.text.trim()).slice(0, variableMaxChars)
      const changes = node.variable ? assign({ [node.variable]: value, [`${node.variable}_id`]: option?.id ?? '' }) : {}
      step(node, { input: input.text, output, why: option ? 'chosen' : 'otherAnswer', changes })
      return { output }
    }
    if (node.type !== 'question') return giveUp('nodeGone')
    const { answer: kind, pattern } = node
    const read = within(() => {
      if (kind === 'file' || kind === 'location') return { value: readShared(kind, input) }
      return { value: input.isText ? readAnswer(kind, input.text, { now: world.now, pattern, work }) : undefined }
    })
    const { value } = read === 'tooMuchWork' ? {} : read
    if (value !== undefined) {
      const said = node.answer === 'location' ? value : input.text
      step(node, { input: said, output: 'next', why: 'answered', changes: assign({ [node.variable]: value }) })
      return { output: 'next' }
    }
    const tries = place.tries + 1
    if (tries >= node.attempts) {
      step(node, { input: input.text, output: 'invalid', why: read === 'tooMuchWork' ? read : 'tooManyTries' })
      return { output: 'invalid' }
    }
    step(node, { input: input.text, why: read === 'tooMuchWork' ? read : 'notAnAnswer' })
    if (!world.isWindowOpen) return parkAt(node)
    step(node, saying(node.retryText?.trim() ? node.retryText : node.text, 'askedAgain'))
    return waitAt(node, 'answer', answerBy(node), tries)
  }

  /** What follows an output; where nothing does, what follows the step the flow was run by. */
  const follow = (from: FlowNode, output: string): FlowNode | FlowTurn => {
    const next = graph.after(from.id, output)
    return next ?? leave()
  }
  const leave = (): FlowNode | FlowTurn => {
    const outer = inside.at(-1)
    if (outer === undefined) return over({ kind: 'finished' })
    inside = inside.slice(0, -1)
    const caller = graph.node(outer)
    if (!caller) return giveUp('flowGone')
    step(caller, { output: 'next', why: 'returned' })
    return follow(caller, 'next')
  }

  /** What it comes to next has been announced. */
  let isTyped = false
  let node: FlowNode | FlowTurn | undefined
  if (input.kind === 'begin') node = graph.start
  else {
    const at = graph.node(place.nodeId)
    if (!at) return giveUp(inside.length ? 'flowGone' : 'nodeGone')
    if (place.isParked && input.kind === 'message') {
      step(at, { input: input.text, why: 'windowOpened' })
      node = at
    } else if (place.isTyping && input.kind === 'time') {
      isTyped = true
      node = at
    } else {
      const went = answer(at)
      if ('outcome' in went) return went
      node = follow(at, went.output)
    }
  }

  for (let count = 0; node; count += 1) {
    if ('outcome' in node) return node
    if (count >= mostStepsAtOnce && !isWaiting(node)) {
      step(node, { why: 'tooManySteps' })
      return giveUp('tooManySteps')
    }
    const here: FlowNode = node
    let output = 'next'
    switch (here.type) {
      case 'start':
        step(here, { output })
        break
      case 'message':
      case 'template':
      case 'question':
      case 'buttons': {
        if (here.type === 'message' && here.typingMs && !isTyped && calls < mostCallsInRow && world.isWindowOpen) {
          calls += 1
          step(here, { why: 'typing', effect: { kind: 'typing' } })
          return waitAt(here, 'typing', new Date(Date.parse(world.now) + here.typingMs).toISOString())
        }
        isTyped = false
        const said: ReturnType<typeof speech> = here.type === 'template' ? byTemplate(here) : speech(here)
        const isAsked = here.type === 'question' || here.type === 'buttons'
        if (typeof said === 'string') {
          const goesOn = said === 'nothingToSay' && here.type === 'message'
          step(here, { why: said, ...(goesOn ? { output } : {}) })
          if (said === 'windowClosed') return parkAt(here)
          if (!goesOn) return giveUp(said)
          break
        }
        const { fit = null, ...effect } = said
        const isFallback = effect.kind === 'template' && here.type !== 'template' && fit === null
        const why = isFallback ? 'byTemplate' : isAsked ? askedWhy[fit ?? 'whole'] : fit === null ? null : 'textCut'
        step(here, { effect, why, output: isAsked ? null : output })
        if (isAsked) return waitAt(here, 'answer', answerBy(here))
        break
      }
      case 'condition': {
        const isTrue = within(() => {
          const isSo = (rule: FlowRule) => holds(rule, variables, { ...world, builtIn }, { tagIds, work })
          return here.all ? here.rules.every(isSo) : here.rules.some(isSo)
        })
        output = isTrue === true ? 'yes' : 'no'
        step(here, { output, why: isTrue === 'tooMuchWork' ? isTrue : isTrue ? 'rulesHold' : 'rulesFail' })
        break
      }
      case 'set':
        step(here, { output, ...setBy(here) })
        break
      case 'tag':
        if (!world.knownTagIds.includes(here.tagId)) {
          step(here, { why: 'tagGone' })
          return giveUp('tagGone')
        }
        if (here.action === 'add') tagIds.add(here.tagId)
        else tagIds.delete(here.tagId)
        step(here, { output, effect: { kind: 'tag', action: here.action, tagId: here.tagId } })
        break
      case 'wait':
        step(here, { why: 'waits' })
        return waitAt(here, 'time', endOfWait(here, world))
      case 'http': {
        if (calls >= mostCallsInRow) {
          step(here, { why: 'tooManySteps' })
          return giveUp('tooManySteps')
        }
        calls += 1
        const call = prepareCall(here, variables, builtIn)
        if (typeof call !== 'string') {
          step(here, { why: 'calls', effect: { kind: 'call', call } })
          return waitAt(here, 'call', new Date(Date.parse(world.now) + callGraceMs).toISOString())
        }
        const went = called(here, readCall(here, { kind: 'failed', why: call, ms: 0, tries: 0 }))
        if ('outcome' in went) return went
        output = went.output
        break
      }
      case 'goto': {
        const target = graph.node(here.nodeId)
        if (!target) {
          step(here, { why: 'nodeGone' })
          return giveUp('nodeGone')
        }
        step(here, {})
        node = target
        continue
      }
      case 'subflow': {
        const target = graph.startOf(here.flowId)
        const why = !target ? 'flowGone' : inside.length >= mostInside ? 'tooDeep' : undefined
        step(here, { why: why ?? 'entered' })
        if (!target || why) return giveUp(why ?? 'flowGone')
        inside = [...inside, here.id]
        node = target
        continue
      }
      case 'handoff': {
        if (here.hours && !world.isOpen) {
          output = 'closed'
          step(here, { output, why: 'outsideHours' })
          break
        }
        step(here, saying(world.isWindowOpen ? (here.text ?? '') : ''))
        const { teamId = null, memberId = null } = here
        return over({ kind: 'handedOff', reason: 'asked', teamId, memberId, note: fill(here.note ?? '') || null })
      }
      case 'archive':
        step(here, { effect: { kind: 'archive' } })
        return over({ kind: 'finished' })
      case 'end':
        step(here, {})
        node = leave()
        continue
    }
    node = follow(here, output)
  }
  return over({ kind: 'finished' })
}
