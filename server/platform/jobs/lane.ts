/** Served in this order: people who wait at a screen, automatic answers, bulk sends. */
export const lanes = ['person', 'bot', 'bulk'] as const
export type Lane = (typeof lanes)[number]

export const rankOf = (lane: Lane): number => lanes.indexOf(lane)

/**
 * Limits the slots of a kind that a lane may use: slow calls of a lower lane never take the last slot from a higher
 * one. A kind with one slot has it for every lane.
 */
export const slotsOf = (rank: number, slots: number): number => {
  const share = rank === 0 ? 1 : rank === 1 ? 0.75 : 0.5
  return Math.max(1, Math.floor(slots * share))
}

/** `kind/lane/organization/pace key`: the unit that is served in turn. */
export const queueOf = (job: { kind: string; lane: Lane; orgId: string; paceKey: string }): string =>
  `${job.kind}/${rankOf(job.lane)}/${job.orgId}/${job.paceKey}`

/** The range of names of a lane's queues. */
export const boundsOf = (kind: string, rank: number): { after: string; end: string } => ({
  after: `${kind}/${rank}/`,
  end: `${kind}/${rank}0`,
})

export interface Queue {
  readonly name: string
  readonly kind: string
  readonly rank: number
  readonly orgId: string
  readonly paceKey: string
}

export const readQueue = (name: string): Queue => {
  const [kind = '', rank = '', orgId = '', ...rest] = name.split('/')
  return { name, kind, rank: Number(rank), orgId, paceKey: rest.join('/') }
}
