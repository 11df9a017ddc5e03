import { contactNoteMaxChars } from '#shared/contacts/chat-contact.ts'
import { calculate } from '#shared/flows/formula/formula.ts'
import type { NodeOf } from '#shared/flows/graph.ts'
import { variableValue } from '#shared/flows/variables.ts'
import { wallTime } from '#shared/kernel/time.ts'
import type { FlowStep } from '../step/advance-types.ts'
import { readName } from '../step/answers.ts'
import type { NodeStep } from '../step/node-step.ts'
import type { RunningSession } from '../step/running-session.ts'

/** Stores a text in the contact. An empty text, or an invalid name, changes nothing. */
const keepOfContact = (field: 'name' | 'note', text: string, session: RunningSession): Partial<FlowStep> => {
  const value = field === 'name' ? readName(text) : text.trim().slice(0, contactNoteMaxChars)
  if (value === undefined) return { why: 'notAName' }
  if (!value) return { why: 'nothingToKeep' }
  const before = field === 'name' ? session.builtIn['contacto.nombre'] || null : null
  if (field === 'name') session.builtIn = { ...session.builtIn, 'contacto.nombre': value }
  const name = field === 'name' ? 'contacto.nombre' : 'contacto.nota'
  return { effect: { kind: 'contact', field, value }, changes: { [name]: { before, after: value } } }
}

/** Stores the result of a formula. If it cannot be calculated the variable is empty, and the step records why. */
const keepResult = ({ value: formula, variable }: NodeOf<'set'>, session: RunningSession): Partial<FlowStep> => {
  const { variables, builtIn, work, world } = session
  const today = wallTime(Date.parse(world.now), world.timeZone).slice(0, 10)
  const made = session.within(() => ({
    value: calculate(formula, { valueOf: name => variableValue(name, variables, builtIn), today, work }),
  }))
  const { value } = made === 'tooMuchWork' ? {} : made
  return {
    why: made === 'tooMuchWork' ? made : value === undefined ? 'notCalculated' : 'calculated',
    changes: session.assign({ [variable]: value ?? '' }),
  }
}

export const set: NodeStep<NodeOf<'set'>> = {
  enter(node, session) {
    const { contact, formula, variable, value } = node
    const kept = contact
      ? keepOfContact(contact, session.fill(value), session)
      : formula
        ? keepResult(node, session)
        : { changes: session.assign({ [variable]: session.fill(value) }) }
    session.step(node, { output: 'next', ...kept })
    return { output: 'next' }
  },
}
