import { setTimeout as pause } from 'node:timers/promises'
import type { ImportSource } from '#shared/imports/states.ts'
import { chatwootTables, specialMessages } from '#test/fixtures/dumps/chatwoot.ts'
import { postgresDump } from '#test/fixtures/dumps/plain.ts'
import { type Child, startChild } from './parts/child.ts'
import { callAs } from './parts/flow-sessions.ts'
import { type Installation, openInstallation } from './parts/installation.ts'
import { bound, fact, type Line, option, report } from './parts/report.ts'

export const name = 'moving'
export const title = "Moving: an organization's archive made, and taken in by an empty organization; a dump of Chatwoot"

const megabyte = 2 ** 20
const pieceBytes = 16 * megabyte
const lookMs = 50
/** By then a server has collected the garbage of its start, which holds its event loop once. */
const startedMs = 4_000

interface Archive {
  readonly state: string
  readonly url: string
}
interface Import {
  readonly id: string
  readonly state: string
  readonly failure: string | null
  readonly taken: { readonly messages: number }
}

/** Asks until the work is in another state. */
const waitWhile = async <T extends { readonly state: string }>(
  states: readonly string[],
  ask: () => Promise<T>,
): Promise<T> => {
  for (;;) {
    const one = await ask()
    if (!states.includes(one.state)) return one
    await pause(lookMs)
  }
}

const startOn = async (place: Installation): Promise<Child> => {
  const server = await startChild('server/main.ts', { env: place.env, flags: ['--expose-gc'] })
  await pause(startedMs)
  return server
}

/** What a piece of work takes: seconds, memory above idle and the longest hold of the event loop. */
const measured = async <T>(server: Child, work: () => Promise<T>) => {
  const idle = await server.settle()
  // The collection just asked for is not the work's.
  await pause(lookMs)
  await server.peak()
  const from = performance.now()
  const result = await work()
  const seconds = (performance.now() - from) / 1000
  const { resident, heldMs } = await server.peak()
  return { result, seconds, memory: (resident - idle.resident) / megabyte, heldMs }
}

const makeArchive = async (server: Child, place: Installation) => {
  await callAs(server, place, '/organization/export', {})
  const archive = await waitWhile(
    ['running'],
    async () => (await callAs<{ archive: Archive }>(server, place, '/organization/export')).archive,
  )
  if (archive.state !== 'done') throw new Error(`The archive is ${archive.state}\n${server.output()}`)
  return archive
}

const upload = async (
  server: Child,
  place: Installation,
  { source, file }: { source: ImportSource; file: Buffer },
): Promise<string> => {
  const { id } = await callAs<Import>(server, place, '/imports', { source })
  for (let start = 0; start < file.length; start += pieceBytes) {
    const end = Math.min(start + pieceBytes, file.length)
    const reply = await fetch(`http://127.0.0.1:${server.port}/api/imports/${id}/file`, {
      ...{ method: 'PUT', body: file.subarray(start, end) as BodyInit },
      headers: {
        ...{ cookie: place.cookies[0] as string, origin: 'http://localhost', 'content-type': 'application/zip' },
        'content-range': `bytes ${start}-${end - 1}/${file.length}`,
      },
    })
    if (!reply.ok) throw new Error(`The upload answers ${reply.status}: ${await reply.text()}`)
  }
  return id
}

const look = async (server: Child, place: Installation, id: string) => {
  await callAs(server, place, `/imports/${id}/preview`, {})
  return waitWhile(['uploading', 'reading'], () => callAs<Import>(server, place, `/imports/${id}`))
}

const take = async (server: Child, place: Installation, id: string) => {
  await callAs(server, place, `/imports/${id}/start`, {})
  return waitWhile(['running'], () => callAs<Import>(server, place, `/imports/${id}`))
}

/** Looks through a file and takes it in, into an organization that has nothing. */
const bring = async (
  { what, source, file, messages }: { what: string; source: ImportSource; file: Buffer; messages: number },
  lines: Line[],
) => {
  const place = await openInstallation({ conversations: 1, messages: 1, people: 1 })
  const server = await startOn(place)
  try {
    const id = await upload(server, place, { source, file })
    const looked = await measured(server, () => look(server, place, id))
    if (looked.result.state !== 'ready') throw new Error(`It is ${looked.result.failure}\n${server.output()}`)
    const taken = await measured(server, () => take(server, place, id))
    const came = taken.result.taken.messages
    lines.push(
      bound(`${what}: preview, messages a second`, messages / looked.seconds, '', 20_000, true),
      bound(`${what}: import, messages a second`, came / taken.seconds, '', 5_000, true),
      bound(`${what}: memory above idle`, Math.max(looked.memory, taken.memory), 'MB', 150),
      bound(`${what}: longest hold of the event loop`, Math.max(looked.heldMs, taken.heldMs), 'ms', 50),
      fact(`${what}: messages that came in`, `${came} of ${messages}`, came === messages),
    )
  } finally {
    await server.stop()
    place.remove()
  }
}

export async function run(args: readonly string[]): Promise<boolean> {
  const volume = { conversations: option(args, 'conversations', 2_000), messages: option(args, 'messages', 100_000) }
  const lines: Line[] = []
  const from = await openInstallation({ ...volume, people: 1 })
  const source = await startOn(from)
  let file: Buffer
  try {
    const made = await measured(source, () => makeArchive(source, from))
    lines.push(
      bound('export, messages a second', volume.messages / made.seconds, '', 20_000, true),
      bound('export, memory above idle', made.memory, 'MB', 150),
      bound('export, longest hold of the event loop', made.heldMs, 'ms', 50),
    )
    const headers = { cookie: from.cookies[0] as string }
    file = Buffer.from(
      await (await fetch(`http://127.0.0.1:${source.port}${made.result.url}`, { headers })).arrayBuffer(),
    )
  } finally {
    await source.stop()
    from.remove()
  }

  await bring({ what: 'archive', source: 'recado', file, messages: volume.messages }, lines)
  const { messages, conversations: contacts } = volume
  const dump = Buffer.from(postgresDump(chatwootTables({ contacts, messages })))
  await bring({ what: 'Chatwoot', source: 'chatwoot', file: dump, messages: messages + specialMessages }, lines)
  return report(args, lines, [
    `${volume.messages} messages in ${volume.conversations} chats; the archive is ${Math.round(file.length / megabyte)} MB, the dump ${Math.round(dump.length / megabyte)} MB`,
  ])
}
