import { replayLimits } from '#shared/flows/testing/replay.ts'
import { startChild } from './child.ts'
import { callAs, fillPlayed, pageTimes } from './flow-sessions.ts'
import type { Installation } from './installation.ts'
import { bound, fact, type Line } from './report.ts'

const answers = 10
const idlePages = 80
interface Replay {
  readonly replay: { state: string; done: number; startedAt: string; endedAt: string | null } | null
}

/** Replays conversations on the draft of a flow, and measures pages meanwhile. */
export async function measureReplay(
  place: Installation,
  env: Record<string, string>,
  flow: object,
  count: number,
): Promise<Line[]> {
  let server = await startChild('server/main.ts', { env })
  const { id } = await callAs<{ id: string }>(server, place, '/whatsapp/flows', flow)
  await callAs(server, place, `/whatsapp/flows/${id}/publish`, {})
  await server.stop()
  fillPlayed(place, id, count, answers)
  server = await startChild('server/main.ts', { env })
  try {
    await pageTimes(server, place, { least: 20 })
    const idle = await pageTimes(server, place, { least: idlePages })
    await callAs(server, place, `/whatsapp/flows/${id}/replay`, { days: replayLimits.days })
    let last: Replay['replay'] = null
    const isOver = async () => {
      last = (await callAs<Replay>(server, place, `/whatsapp/flows/${id}/replay`)).replay
      return last?.state !== 'running'
    }
    const busy = await pageTimes(server, place, { least: 8, until: isOver })
    const { done, startedAt, endedAt } = last as unknown as NonNullable<Replay['replay']>
    const seconds = (Date.parse(endedAt ?? '') - Date.parse(startedAt)) / 1000
    return [
      bound(`replay of ${count} conversations of ${answers} messages`, seconds, 's', 30),
      fact('conversations that were played', `${done} of ${count}`, done === count),
      bound('page p99 meanwhile, to idle', busy / idle, '×', 2),
    ]
  } finally {
    await server.stop()
  }
}
