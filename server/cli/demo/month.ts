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
  /** The customer waits this long for the bakery's answer. */
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
/** Conversations by weekday, from Sunday on. Few, because each message takes some ten milliseconds. */
const perDay = [2, 4, 4, 4, 4, 5, 6]
const hours = [8, 9, 9, 10, 10, 11, 11, 12, 15, 16, 17, 18, 18]
const sundayHours = [9, 10, 11]
/**
 * The number of talks after which a flow answers again, or a person answers late, so that each week has some of both.
 */
const every = { flow: 3, late: 7 }

/** Minutes; late is after the promised 15. */
const waitOf = (dice: Dice, isLate: boolean): number => {
  if (isLate) return 18 + dice.below(45)
  return dice.roll() < 0.8 ? 1 + dice.below(5) : 6 + dice.below(8)
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
    turn += 1
    const isFlow = turn % every.flow === 0
    const { team, lines } = dice.pick<Exchange>(isFlow ? forFlows : exchanges)
    // All neighbours have their turn before the first one writes again.
    const customer = neighbours[turn % neighbours.length] as Customer
    const waitMs = (waitOf(dice, turn % every.late === 0) * 60 + dice.below(60)) * 1000
    return { customer, team, by: memberOf(dice, team), lines, waitMs: isFlow ? 0 : waitMs, isFlow }
  }
  for (let ago = days; ago >= 0; ago -= 1) {
    const date = wallTime(untilMs - ago * dayMs, defaultTimeZone).slice(0, 10)
    const midnightMs = Date.parse(timeOfWall(`${date}T00:00`, defaultTimeZone) ?? '')
    const weekday = new Date(`${date}T12:00Z`).getUTCDay()
    const hour = dice.pick(weekday === 0 ? sundayHours : hours)
    const atMs = midnightMs + ((hour * 60 + dice.below(50)) * 60 + dice.below(60)) * 1000
    sittings.push({ atMs, talks: Array.from({ length: perDay[weekday] ?? 0 }, talk) })
  }
  return sittings.filter(({ atMs }) => atMs < untilMs - 60 * minuteMs)
}
