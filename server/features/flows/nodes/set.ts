import { readName } from '#server/features/flows/step/answers.ts'
import type { NodeStep } from '#server/features/flows/step/node-step.ts'
import type { SessionTurn } from '#server/features/flows/step/session-turn.ts'
import type { FlowStep } from '#server/features/flows/step/turn.ts'
import { contactNoteMaxChars } from '#shared/contacts/api.ts'
import { calculate } from '#shared/flows/formula.ts'
import type { NodeOf } from '#shared/flows/graph.ts'
import { variableValue } from '#shared/flows/variables.ts'
import { wallTime } from '#shared/kernel/time.ts'

/** Stores a text in the contact. An empty text, or an invalid name, changes nothing. */
const keepOfContact = (field: 'name' | 'note', text: string, turn: SessionTurn): Partial<FlowStep> => {
  const value = field === 'name' ? readName(text) : text.trim().slice(0, contactNoteMaxChars)
  if (value === undefined) return { why: 'notAName' }
  if (!value) return { why: 'nothingToKeep' }
  const before = field === 'name' ? turn.builtIn['contacto.nombre'] || null : null
  if (field === 'name') turn.builtIn = { ...turn.builtIn, 'contacto.nombre': value }
  const name = field === 'name' ? 'contacto.nombre' : 'contacto.nota'
  return { effect: { kind: 'contact', field, value }, changes: { [name]: { before, after: value } } }
}

/** Stores the result of a formula. If it cannot be calculated the variable is empty, and the step records why. */
const keepResult = ({ value: formula, variable }: NodeOf<'set'>, turn: SessionTurn): Partial<FlowStep> => {
  const { variables, builtIn, work, world } = turn
  const today = wallTime(Date.parse(world.now), world.timeZone).slice(0, 10)
  const made = turn.within(() => ({
    value: calculate(formula, { valueOf: name => variableValue(name, variables, builtIn), today, work }),
  }))
  const { value } = made === 'tooMuchWork' ? {} : made
  return {
    why: made === 'tooMuchWork' ? made : value === undefined ? 'notCalculated' : 'calculated',
    changes: turn.assign({ [variable]: value ?? '' }),
  }
}

export const set: NodeStep<NodeOf<'set'>> = {
  enter(node, turn) {
    const { contact, formula, variable, value } = node
    const kept = contact
      ? keepOfContact(contact, turn.fill(value), turn)
      : formula
        ? keepResult(node, turn)
        : { changes: turn.assign({ [variable]: turn.fill(value) }) }
    turn.step(node, { output: 'next', ...kept })
    return { output: 'next' }
  },
}
