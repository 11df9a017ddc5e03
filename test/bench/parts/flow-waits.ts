import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { startChild } from './child.ts'
import { callAs, fillSessions, pageTimes } from './flow-sessions.ts'
import type { Installation } from './installation.ts'
import { bound, fact, figure, type Line } from './report.ts'
import { spreadOf } from './samples.ts'

/** A flow that waits and then sends a message. */
const reminds = {
  name: 'Recuerda',
  triggers: [{ id: 't', kind: 'manual' }],
  graph: {
    nodes: [
      { id: 's', type: 'start' },
      { id: 'w', type: 'wait', data: { ms: 3_600_000 } },
      { id: 'v', type: 'set', data: { variable: 'paso', value: '1' } },
      { id: 'q', type: 'question', data: { text: '¿Venís mañana?', variable: 'dijo', ends: ['next', 'invalid'] } },
    ],
    edges: [
      { source: 's', target: 'w' },
      { source: 'w', target: 'v' },
      { source: 'v', target: 'q' },
    ],
  },
}
const idlePages = 80
const giveUpMs = 180_000

/** Many sessions wait for the same second: measures when the last one continues, and pages meanwhile. */
export async function measureWaits(place: Installation, env: Record<string, string>, count: number): Promise<Line[]> {
  let server = await startChild('server/main.ts', { env })
  const { id } = await callAs<{ id: string }>(server, place, '/whatsapp/flows', reminds)
  await callAs(server, place, `/whatsapp/flows/${id}/publish`, {})
  await server.stop()
  const due = Date.now() + 30_000
  const waiting = fillSessions(place, { flowId: id, nodeId: 'w', count, dueAt: new Date(due).toISOString() })
  server = await startChild('server/main.ts', { env })
  const db = new Sqlite(place.databasePath, { readonly: true })
  const left = db.prepare(`select count(*) from flow_session where flow_id = ? and state = 'waitingTime'`).pluck()
  const last = db.prepare(`select max(moved_at) from flow_session where flow_id = ?`).pluck()
  try {
    await pageTimes(server, place, { least: 20 })
    const idle = await pageTimes(server, place, { least: idlePages })
    while (Date.now() < due) await pause(100)
    const isOver = async () => left.get(id) === 0 || Date.now() > due + giveUpMs
    const busy = await pageTimes(server, place, { least: 24, until: isOver })
    const remaining = left.get(id) as number
    const asked = db.prepare(`select count(*) from flow_session where flow_id = ? and state = 'waitingAnswer'`).pluck()
    const wentOn = asked.get(id) as number
    return [
      bound(
        `${waiting} waits due in the same second, all resumed`,
        (Date.parse(last.get(id) as string) - due) / 1000,
        's',
        60,
      ),
      fact('waits that went on as drawn', `${wentOn} of ${waiting}`, remaining === 0 && wentOn === waiting),
      bound('page p99 meanwhile, to idle', busy / idle, '×', 2),
      figure('page p99 idle', spreadOf([idle]), 'ms'),
    ]
  } finally {
    db.close()
    await server.stop()
  }
}
