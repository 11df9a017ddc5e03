import type { FileException } from './exception.ts'

/* Files that interpret Meta's codes and words outside their place. */

export const vendorCodes: readonly FileException[] = [
  {
    where: ['shared/simulator/faults.ts', 'shared/simulator/api.ts', 'client/simulator/tools.tsx'],
    why: 'the simulator lets people choose the error code that Meta returns',
  },
  { where: ['shared/inbox/failures.ts'], why: 'has the next step for each code, which both sides show' },
]

export const vendorWords: readonly FileException[] = [
  { where: ['shared/templates/words.ts'], why: 'names and translates them; the contract of templates has them' },
  { where: ['shared/templates/api.ts', 'server/features/upstream/shapes.ts'], why: 'examples in the API reference' },
  { where: ['server/features/stats/cost/estimate.ts'], why: "which of Meta's categories count as which of its prices" },
  { where: ['shared/simulator/api.ts'], why: 'the decisions that the simulated Meta can be asked for' },
  {
    where: ['server/features/outgoing-webhooks/kinds/organization.ts'],
    why: 'the sample of `template.status`, whose fields hold them',
  },
]
