import type { NodeOf } from '#shared/flows/graph.ts'
import { waitUnitMs } from '#shared/flows/limits.ts'
import { timeOfWall, wallTime } from '#shared/kernel/time.ts'
import type { FlowWorld } from '../step/advance-types.ts'
import type { NodeStep } from '../step/node-step.ts'

/** Returns the end of a wait that begins now, ISO 8601. */
const endOfWait = ({ ms, until }: NodeOf<'wait'>, { now, timeZone }: FlowWorld): string => {
  const at = Date.parse(now)
  if (until === undefined) return new Date(at + ms).toISOString()
  const today = `${wallTime(at, timeZone).slice(0, 10)}T${until}`
  const then = timeOfWall(today, timeZone) ?? now
  if (then > now) return then
  const tomorrow = wallTime(Date.parse(then) + waitUnitMs.days, timeZone).slice(0, 10)
  return timeOfWall(`${tomorrow}T${until}`, timeZone) ?? now
}

export const wait: NodeStep<NodeOf<'wait'>> = {
  enter(node, session) {
    session.step(node, { why: 'waits' })
    return session.waitAt(node, 'time', endOfWait(node, session.world))
  },

  onTime(node, session) {
    session.step(node, { output: 'next', why: 'waited' })
    return { output: 'next' }
  },
}
