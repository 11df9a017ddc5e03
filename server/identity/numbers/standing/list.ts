/** The last known standings of all numbers of an organization. */
export { listStandings, type NumberWithStanding } from './list-store.ts'
