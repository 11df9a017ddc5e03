import { seesAll } from '#server/identity/visibility/scope.ts'
import { findConversationsByContact } from '#server/messaging/search/contact-search.ts'
import { findMessages } from '#server/messaging/search/message-search.ts'
import type { Narrowing } from '#server/messaging/search/narrowing.ts'
import { searchWords } from '#server/messaging/search/words.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { openInstallation } from './parts/installation.ts'
import { bound, report } from './parts/report.ts'

export const name = 'search'
export const title = 'Names, numbers and words out of 100,000 conversations, in the process'

const goalMs = 15

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
const p95 = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0

/** Processor time, so that other work on the machine does not count. `--conversations N --messages N --rounds N`. */
export async function run(args: readonly string[]): Promise<boolean> {
  const option = (word: string, fallback: number) => Number(args[args.indexOf(`--${word}`) + 1]) || fallback
  const of = (word: string, fallback: number) => (args.includes(`--${word}`) ? option(word, fallback) : fallback)
  const [conversations, messages] = [of('conversations', 100_000), of('messages', 1_000_000)]
  const rounds = of('rounds', 100)
  const place = await openInstallation({ conversations, messages, people: 1 })
  const databases = openDatabase(place.databasePath)
  const db = databases.read
  const viewer = { orgId: place.org.id, scope: seesAll }
  const phones = place.phones
  const measure = async (what: string, work: (round: number) => Promise<readonly unknown[]>) => {
    const times: number[] = []
    let found = 0
    for (let round = 0; round < rounds; round += 1) {
      const began = cpuMs()
      found += (await work(round)).length
      times.push(cpuMs() - began)
    }
    return bound(`${what}, p95 (${Math.round(found / rounds)} found)`, p95(times), 'ms', goalMs)
  }
  const called = (typed: string) => findConversationsByContact(db, viewer, { typed, limit: 500 })
  const said = (typed: string, more: Narrowing = {}) =>
    findMessages(db, viewer, { words: searchWords(typed), ...more, limit: 31 }).then(({ seqs }) => seqs)
  const phone = (round: number) => phones[round % phones.length] ?? ''
  try {
    return report(args, [
      await measure('a whole number', round => called(`+${phone(round)}`)),
      await measure('its last four digits', round => called(phone(round).slice(-4))),
      await measure('three digits of most numbers', () => called('549')),
      await measure('a name', () => called('lucia')),
      await measure('two letters of many names', () => called('ma')),
      await measure('two words of a name', () => called('mar gom')),
      await measure('nobody', () => called('zzzzz')),
      await measure('a common word', () => said('gracias')),
      await measure('two words', () => said('hola pan')),
      await measure('three letters of many words', () => said('par')),
      await measure('no word', () => said('zzzzz')),
      await measure('two operators', () => said('', { types: ['image'], statuses: ['failed'] })),
      await measure('a common word and two operators', () => said('gracias', { types: ['text'], agents: ['nobody'] })),
    ])
  } finally {
    await databases.close()
    place.remove()
  }
}
