import { setTimeout as sleep } from 'node:timers/promises'
import type { ChatImport } from '#shared/imports/api.ts'
import { chatwootTables, phoneOf, specialMessages } from '#test/fixtures/dumps/chatwoot.ts'
import { postgresDump, type Tables } from '#test/fixtures/dumps/plain.ts'
import { startChatwoot } from './chatwoot-stub.ts'
import type { Claim, World } from './round.ts'

export interface ImportLoad {
  readonly messages: number
  /** In each part of the work: while it is looked through, while it comes in, while it is undone. */
  readonly kills: number
}

interface Chat {
  readonly name: string
  readonly found: number
  readonly foundSum: string
  readonly kept: number
  readonly keptSum: string
}

const contacts = 40
const pieceBytes = 256 * 1024
const settleMs = 120_000

const get = ({ office }: World, id: string) => office.insist<ChatImport>('GET', `/imports/${id}`)

/** Kills the server at random moments until the import is in another state than these. Returns it, and how often. */
const killWhile = async (world: World, id: string, { states, kills }: { states: readonly string[]; kills: number }) => {
  const { server, dice } = world
  const until = Date.now() + settleMs
  let killed = 0
  let wait = dice.below(40)
  for (;;) {
    await sleep(wait)
    const one = await get(world, id)
    if (!states.includes(one.state) || Date.now() > until) return { one, killed }
    if (killed < kills) {
      await server.kill()
      await server.start()
      killed += 1
      wait = dice.below(300)
    } else wait = 50
  }
}

/** Uploads in pieces, over a kill between two of them. */
const upload = async (world: World, file: Buffer): Promise<string> => {
  const { server, office, dice } = world
  const { id } = await office.insist<ChatImport>('POST', '/imports', { body: { source: 'chatwoot' } })
  let killAt = dice.below(file.length)
  for (let from = 0; from < file.length; ) {
    const to = Math.min(from + pieceBytes, file.length)
    await server.ready
    await fetch(`${server.url}/api/imports/${id}/file`, {
      ...{ method: 'PUT', body: file.subarray(from, to) as BodyInit },
      headers: {
        ...{ ...office.headers, 'content-type': 'application/octet-stream' },
        'content-range': `bytes ${from}-${to - 1}/${file.length}`,
      },
    }).catch(() => undefined)
    if (to > killAt) {
      killAt = Number.POSITIVE_INFINITY
      await server.kill()
      await server.start()
    }
    from = (await get(world, id)).received
  }
  return id
}

/** An import that is fetched or looked through, and taken in, while the server is killed. */
const bring = async (world: World, id: string, kills: number) => {
  const { office } = world
  const looked = await killWhile(world, id, { states: ['reading'], kills })
  if (looked.one.state !== 'ready') return { ...looked, chats: [] }
  await office.insist('POST', `/imports/${id}/start`, { body: {} })
  const { one, killed } = await killWhile(world, id, { states: ['running'], kills })
  const { items } = await office.insist<{ items: Chat[] }>('GET', `/imports/${id}/chats`)
  return { one, killed: looked.killed + killed, chats: items }
}

const bringFile = async (world: World, file: Buffer, kills: number) => {
  const id = await upload(world, file)
  await world.office.insist('POST', `/imports/${id}/preview`, { body: {} })
  return bring(world, id, kills)
}

/** Fetched page by page from the address of the program. */
const bringByAddress = async (world: World, tables: Tables, kills: number) => {
  const chatwoot = await startChatwoot(tables)
  try {
    const body = { source: 'chatwoot', from: chatwoot.from }
    const { id } = await world.office.insist<ChatImport>('POST', '/imports', { body })
    return await bring(world, id, kills)
  } finally {
    chatwoot.close()
  }
}

/** Takes an import back while the server is killed, and lists the chats that are left of it. */
const undo = async (world: World, id: string, kills: number) => {
  const { office } = world
  await office.insist('POST', `/imports/${id}/undo`, { body: {} })
  const ended = await killWhile(world, id, { states: ['running'], kills })
  const left: string[] = []
  for (let n = 1; n <= contacts; n += 1) {
    const { status } = await office.call('GET', `/whatsapp/chats/${phoneOf(n)}`)
    if (status !== 404) left.push(`${phoneOf(n)}: ${status}`)
  }
  return { ...ended, left }
}

/** A dump is brought, brought again and undone, and fetched by address, each time while the server is killed. */
export async function playImportRound(world: World, round: number, { messages, kills }: ImportLoad): Promise<Claim[]> {
  const tables = chatwootTables({ contacts, messages })
  const file = Buffer.from(postgresDump(tables))
  const all = messages + specialMessages
  const first = await bringFile(world, file, kills)
  const stateFaults = ({ state, failure }: ChatImport, wanted: string) =>
    state === wanted ? [] : [`it is ${state}, ${failure}, not ${wanted}`]
  const countFaults = ({ taken }: ChatImport, wanted: { messages: number; existing: number }) =>
    taken.messages === wanted.messages && taken.existing === wanted.existing
      ? []
      : [`it brought ${taken.messages}, and ${taken.existing} were there`]
  const chatFaults = ({ chats }: Awaited<ReturnType<typeof bring>>) => [
    ...chats
      .filter(({ found, foundSum, kept, keptSum }) => found !== kept || foundSum !== keptSum)
      .map(({ name, found, kept }) => `${name}: ${kept} of ${found}, or others`),
    ...(chats.length === contacts ? [] : [`there are ${chats.length}`]),
  ]
  const second = await bringFile(world, file, kills)
  const undone = await undo(world, first.one.id, kills)
  const fetched = await bringByAddress(world, tables, kills)
  // The next round finds none of these messages.
  const fetchedUndone = await undo(world, fetched.one.id, 0)
  const says = (killed: number, what: string) => `round ${round}, an import, killed ${killed} times: ${what}`
  return [
    {
      says: says(first.killed, `${all} messages came in, each once`),
      faults: [...stateFaults(first.one, 'done'), ...countFaults(first.one, { messages: all, existing: 0 })],
    },
    {
      says: says(first.killed, `${contacts} chats are those of the file`),
      faults: chatFaults(first),
    },
    {
      says: says(second.killed, 'a second time it brings nothing'),
      faults: [...stateFaults(second.one, 'done'), ...countFaults(second.one, { messages: 0, existing: all })],
    },
    {
      says: says(undone.killed, 'undone, nothing is left'),
      faults: [...stateFaults(undone.one, 'undone'), ...undone.left],
    },
    {
      says: says(fetched.killed, 'by address, they come in, each once'),
      faults: [
        ...stateFaults(fetched.one, 'done'),
        ...countFaults(fetched.one, { messages: all, existing: 0 }),
        ...chatFaults(fetched),
        ...stateFaults(fetchedUndone.one, 'undone'),
        ...fetchedUndone.left,
      ],
    },
  ]
}
