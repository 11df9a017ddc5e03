import Sqlite from 'better-sqlite3'
import { newId } from '#server/platform/crypto/ids.ts'
import { queueOf } from '#server/platform/jobs/lane.ts'
import type { Child } from './child.ts'
import type { Installation } from './installation.ts'
import { percentile } from './samples.ts'
import { volley } from './volley.ts'

/** Calls the API as the installation's first person. @throws with the answer unless it is 2xx */
export const callAs = async <T>(
  server: Pick<Child, 'port'>,
  place: Installation,
  path: string,
  body?: object,
  origin = 'http://localhost',
): Promise<T> => {
  const response = await fetch(`http://127.0.0.1:${server.port}/api${path}`, {
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    headers: {
      cookie: place.cookies[0] as string,
      origin,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

interface Filled {
  readonly flowId: string
  /** The node at which they wait. */
  readonly nodeId: string
  readonly count: number
  /** When all of them continue by themselves. Absent: each waits for an answer until tomorrow. */
  readonly dueAt?: string
}

/** Inserts `count` sessions while the server is stopped. Returns how many. */
export function fillSessions({ databasePath, org }: Installation, { flowId, nodeId, count, dueAt }: Filled): number {
  const db = new Sqlite(databasePath)
  const now = new Date().toISOString()
  const rows = db
    .prepare('select max(id) as id, contact_id from conversation where org_id = ? group by contact_id limit ?')
    .all(org.id, count) as { id: string; contact_id: string }[]
  const session = db.prepare(
    `insert into flow_session (id, org_id, flow_id, version, contact_id, conversation_id, trigger, state, reason, place,
      steps, wakes_at, started_at, moved_at, ended_at)
    values (?, ?, ?, 1, ?, ?, 't', ?, null, ?, 2, ?, ?, ?, null)`,
  )
  // The rows belong to a former number, which cannot receive messages.
  const given = db.prepare(
    `update conversation set control = 'bot', window_closes_at = ?, connection_id =
      (select id from wa_connection where org_id = conversation.org_id and disconnected_at is null limit 1) where id = ?`,
  )
  const kind = 'flows.timer'
  const queue = queueOf({ kind, lane: 'bot', orgId: org.id, paceKey: '' })
  const timer = db.prepare(
    `insert into job (org_id, kind, lane, queue, order_key, pace_key, unique_key, payload, state, blocked, attempts, due_at, added_at)
    values (?, '${kind}', 1, ?, ?, '', ?, ?, 'scheduled', 1, 0, ?, ?)`,
  )
  const state = dueAt ? 'waitingTime' : 'waitingAnswer'
  const stands = JSON.stringify({ nodeId, variables: {}, tries: 0 })
  const tomorrow = new Date(Date.now() + 23 * 60 * 60 * 1000).toISOString()
  const wakesAt = dueAt ?? tomorrow
  db.transaction(() => {
    for (const { id, contact_id: contactId } of rows) {
      const sessionId = newId()
      session.run(sessionId, org.id, flowId, contactId, id, state, stands, wakesAt, now, now)
      given.run(tomorrow, id)
      const payload = JSON.stringify({ sessionId, contactId, steps: 2 })
      timer.run(org.id, queue, `flow ${contactId}`, `${sessionId} 2`, payload, wakesAt, now)
    }
  })()
  db.close()
  return rows.length
}

/** Inserts ended sessions, each with `answers` messages of its customer. */
export function fillPlayed({ databasePath, org }: Installation, flowId: string, count: number, answers: number): void {
  const db = new Sqlite(databasePath)
  const rows = db
    .prepare('select max(id) as id, contact_id from conversation where org_id = ? group by contact_id limit ?')
    .all(org.id, count) as { id: string; contact_id: string }[]
  const session = db.prepare(
    `insert into flow_session (id, org_id, flow_id, version, contact_id, conversation_id, trigger, state, reason, place,
      steps, wakes_at, started_at, moved_at, ended_at)
    values (?, ?, ?, 1, ?, ?, 't', 'left', null, '{"nodeId":"q","variables":{},"tries":0}', ?, null, ?, ?, ?)`,
  )
  const step = db.prepare(
    `insert into flow_step (session_id, place, org_id, node_id, at, input, output, why) values (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  db.transaction(() => {
    for (const [n, { id, contact_id }] of rows.entries()) {
      const begun = Date.now() - (n + 1) * 60_000
      const at = (i: number) => new Date(begun + i * 1000).toISOString()
      const sessionId = newId(begun)
      session.run(sessionId, org.id, flowId, contact_id, id, 2 + 3 * answers, at(0), at(answers), at(answers))
      let place = 0
      const add = (node: string, i: number, input: string | null, output: string | null, why: string | null) => {
        place += 1
        step.run(sessionId, place, org.id, node, at(i), input, output, why)
      }
      add('s', 0, 'Hola', 'next', null)
      add('q', 0, null, null, 'asked')
      for (let i = 0; i < answers; i += 1) {
        add('q', i, `Respuesta ${i} de ${n}`, 'next', 'answered')
        add('g', i, null, null, null)
        add('q', i, null, null, 'asked')
      }
    }
  })()
  db.close()
}

const pagesASecond = 8

/**
 * The 99th percentile of the inbox page, requested at a steady rate until `until` returns true, and for at least
 * `least`.
 */
export async function pageTimes(
  server: Pick<Child, 'port'>,
  { org, cookies }: Installation,
  { least, until }: { least: number; until?: () => Promise<boolean> },
): Promise<number> {
  const request = Buffer.from(
    `GET /org/${org.slug}/c HTTP/1.1\r\nhost: localhost\r\naccept: text/html\r\ncookie: ${cookies[0]}\r\n\r\n`,
  )
  const times: number[] = []
  do {
    const outcome = await volley({
      ...{ port: server.port, connections: 4, count: least, rate: pagesASecond },
      request: () => request,
      onAnswer: (_i, status) => {
        if (status !== 200) throw new Error(`The page answered ${status}`)
      },
    })
    times.push(...outcome.last)
  } while (until && !(await until()))
  return percentile(times, 0.99)
}
