import type { DeliveryState } from '#shared/outgoing-webhooks/api.ts'

const chips = { waiting: 'chip chip-amber', delivered: 'chip chip-green', failed: 'chip chip-red' } as const

export const stateChip = (state: DeliveryState): string => chips[state]
