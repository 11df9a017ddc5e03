import type { Sitting, Talk } from './month.ts'
import type { TellParts } from './tell.ts'

const minuteMs = 60_000
/** Milliseconds until WhatsApp says `sent`; it says `read` after six times as long. */
const monthStatusMs = 20_000
/** Between two messages of a conversation of the month. */
const turnMs = 3 * minuteMs

interface MonthParts extends Omit<TellParts, 'endMs' | 'tagIds'> {
  settle(): Promise<void>
}

/** Lets the conversations of a month happen. */
export function createMonthTeller({ backend, clock, members, teamIds, settle }: MonthParts) {
  const { inbox, sandbox } = backend.services
  const { luis } = members

  const takeTurn = async ({ customer, by, lines, waitMs }: Talk, turn: number) => {
    const text = lines[turn]
    if (!text) return
    if (turn % 2) return inbox.sendMessage(members[by], { body: { message: text, numberTel: customer.phone } })
    const { phone: from, name } = customer
    const at = turn ? {} : { at: new Date(clock.now().getTime() - waitMs).toISOString() }
    return sandbox.inbound(luis, { body: { from, name, text, ...at } })
  }

  const idsOf = async (talks: readonly Talk[]) => {
    const phones = [...new Set(talks.map(({ customer }) => customer.phone))]
    const chats = await Promise.all(phones.map(phone => inbox.getConversation(luis, { params: { phone } })))
    return chats.map(({ id }) => id)
  }
  /** Flows give their conversations to a team themselves. */
  const giveToTeams = async (talks: readonly Talk[]) => {
    const byTeam = Map.groupBy(
      talks.filter(({ isFlow }) => !isFlow),
      ({ team }) => team,
    )
    for (const [team, own] of byTeam)
      await inbox.changeChats(members.ana, { body: { ids: await idsOf(own), teamId: teamIds[team] } })
  }

  /** Conversations of one sitting go on side by side, because one after another a month would take too long. */
  return async function tellMonth(sittings: readonly Sitting[]) {
    await sandbox.configure(luis, { body: { statusDelayMs: monthStatusMs, batch: true, skipDelivered: true } })
    for (const { atMs, talks } of sittings) {
      const longest = Math.max(...talks.map(({ lines }) => lines.length))
      for (let turn = 0; turn < longest; turn += 1) {
        clock.moveTo(atMs + Math.max(0, turn - 1) * turnMs)
        await Promise.all(talks.map(talk => takeTurn(talk, turn)))
        if (turn % 2) continue
        // Before a person answers, the flow has to be done.
        await (talks.some(({ isFlow }) => isFlow) ? settle() : backend.derive.drain())
        if (turn === 0) await giveToTeams(talks)
      }
      // What was sent, and then what was read, each in one webhook.
      for (const passedMs of [monthStatusMs, 6 * monthStatusMs]) {
        clock.moveTo(clock.now().getTime() + passedMs)
        await settle()
      }
    }
    await sandbox.configure(luis, { body: { statusDelayMs: 0, batch: false, skipDelivered: false } })
    await settle()
    const ids = await idsOf(sittings.flatMap(({ talks }) => talks))
    await inbox.changeChats(luis, { body: { ids, archived: true, read: true } })
    await settle()
  }
}
