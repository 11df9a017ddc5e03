import { defaultTimeZone, timeOfWall, wallTime } from '#shared/kernel/time.ts'
import { createDice, type Dice } from '../seed-words.ts'
import { type Customer, neighbours } from './customers.ts'
import { type Exchange, exchanges, forFlows } from './exchanges.ts'
import { type PersonKey, type TeamKey, teams } from './shop.ts'

export interface Talk {
  readonly customer: Customer
  readonly team: TeamKey
  readonly by: PersonKey
  /** Customer and bakery in turn, the customer first. Empty: a flow answers. */
  readonly lines: readonly string[]
  /** How long the customer has waited when the bakery answers. */
  readonly waitMs: number
  readonly isFlow: boolean
}

/** Conversations that somebody answers at about the same time. */
export interface Sitting {
  /** The first answers. */
  readonly atMs: number
  readonly talks: readonly Talk[]
}

const minuteMs = 60_000
const dayMs = 86_400_000
const days = 27
/** Conversations of each sitting, by weekday from Sunday on. A day has few, because each message takes some ten milliseconds. */
const sittingsOf: readonly (readonly number[])[] = [[2], [4], [4], [4], [4], [4, 2], [4, 3]]
/** Hours of a day's first sitting and of its second one. */
const hours = { sunday: [9, 10, 11], first: [8, 9, 9, 10, 10, 11, 12], second: [15, 16, 17, 18, 18, 19] }
const flowShare = 0.35

/** Mostly a few minutes, at times more than the promised 15. */
const waitOf = (dice: Dice): number => {
  const chance = dice.roll()
  if (chance < 0.7) return 1 + dice.below(5)
  return chance < 0.88 ? 6 + dice.below(8) : 18 + dice.below(45)
}

/** The first one of a team answers most. */
const memberOf = (dice: Dice, team: TeamKey): PersonKey =>
  dice.roll() < 0.6 ? teams[team].people[0] : dice.pick<PersonKey>(teams[team].people)

/**
 * The conversations of four weeks, the same ones in every demo, in opening hours.
 * @param untilMs the last sitting is earlier; the story begins there
 */
export function monthUntil(untilMs: number): readonly Sitting[] {
  const dice = createDice(30)
  const sittings: Sitting[] = []
  let turn = 0
  const talk = (): Talk => {
    const isFlow = dice.roll() < flowShare
    const { team, lines } = dice.pick<Exchange>(isFlow ? forFlows : exchanges)
    // All neighbours have their turn before the first one writes again.
    const customer = neighbours[turn++ % neighbours.length] as Customer
    const waitMs = (waitOf(dice) * 60 + dice.below(60)) * 1000
    return { customer, team, by: memberOf(dice, team), lines, waitMs: isFlow ? 0 : waitMs, isFlow }
  }
  for (let ago = days; ago >= 0; ago -= 1) {
    const date = wallTime(untilMs - ago * dayMs, defaultTimeZone).slice(0, 10)
    const midnightMs = Date.parse(timeOfWall(`${date}T00:00`, defaultTimeZone) ?? '')
    const weekday = new Date(`${date}T12:00Z`).getUTCDay()
    const counts = sittingsOf[weekday] ?? []
    for (const [index, count] of counts.entries()) {
      const anyHour = [...hours.first, ...hours.second]
      const ofDay = weekday === 0 ? hours.sunday : index ? hours.second : counts.length > 1 ? hours.first : anyHour
      const hour = dice.pick(ofDay)
      const atMs = midnightMs + ((hour * 60 + dice.below(50)) * 60 + dice.below(60)) * 1000
      sittings.push({ atMs, talks: Array.from({ length: count }, talk) })
    }
  }
  return sittings.filter(({ atMs }) => atMs < untilMs - 60 * minuteMs)
}
