import type { CostEstimate } from '#shared/stats/cost.ts'

export const nothingBilled: CostEstimate = { delivered: 0, free: 0, billed: 0, unpriced: 0, amounts: [] }

/** Costs of an organization that was billed nothing. */
export const noCosts = { total: async () => nothingBilled }
