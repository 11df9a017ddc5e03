/** What sends to many were going to cost, for whoever looks after the costs. */
export { listSendCosts } from './cost-store.ts'
