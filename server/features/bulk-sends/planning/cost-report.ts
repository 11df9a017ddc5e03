/** Estimated costs of bulk sends, for people who watch costs. */
export { listSendCosts } from './cost-store.ts'
