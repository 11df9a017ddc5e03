/** Who is served first: somebody who looks at the screen, then what answers by itself, then what goes to many. */
export const lanes = ['person', 'bot', 'bulk'] as const
export type Lane = (typeof lanes)[number]

export const rankOf = (lane: Lane): number => lanes.indexOf(lane)

/**
 * Of the places a kind has, how many a lane may fill at most: slow calls of a lower lane never take the last place
 * from a higher one. A kind with one place has it for every lane.
 */
export const placesOf = (rank: number, places: number): number => {
  const share = rank === 0 ? 1 : rank === 1 ? 0.75 : 0.5
  return Math.max(1, Math.floor(places * share))
}

/** `kind/lane/organization/pace key`: what is served in turn. */
export const queueOf = (job: { kind: string; lane: Lane; orgId: string; paceKey: string }): string =>
  `${job.kind}/${rankOf(job.lane)}/${job.orgId}/${job.paceKey}`

/** What the names of all queues of a kind's lane stand between. */
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
