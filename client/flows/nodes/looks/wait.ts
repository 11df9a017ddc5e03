import type { NodeLook } from '#client/flows/nodes/look.ts'
import { type WaitUnit, waitUnitMs } from '#shared/flows/limits.ts'

/** `ms` in the largest unit in which it is a whole number. */
export const readWait = (ms: number): { amount: number; unit: WaitUnit } => {
  const units = Object.keys(waitUnitMs) as WaitUnit[]
  const unit = units.find(one => ms >= waitUnitMs[one] && ms % waitUnitMs[one] === 0) ?? 'seconds'
  return { amount: ms / waitUnitMs[unit], unit }
}

const look: NodeLook<'wait'> = {
  icon: 'M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 7v5l3 2',
  tone: 'waits',
  says({ ms, until }, t) {
    if (until !== undefined) return t('says.until', { time: until })
    const { amount, unit } = readWait(ms)
    return t(`says.wait.${unit}`, { count: amount })
  },
}
export default look
