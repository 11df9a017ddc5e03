/** What Meta said last about all numbers of an organization. */
export { listStandings, type NumberWithStanding } from './standing-list-store.ts'
