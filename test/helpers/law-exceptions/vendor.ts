import type { FileException } from './exception.ts'

/* Files that interpret Meta's codes and words outside their place. */

export const vendorCodes: readonly FileException[] = [
  {
    where: ['shared/simulator/faults.ts', 'client/simulator/tools.tsx'],
    why: 'the simulator lets people choose the error code that Meta returns',
  },
]

export const vendorWords: readonly FileException[] = [
  { where: ['shared/templates/words.ts'], why: 'names and translates them; the contract of templates has them' },
  { where: ['shared/simulator/api.ts'], why: 'the decisions that the simulated Meta can be asked for' },
  {
    where: ['server/features/outgoing-webhooks/kinds/organization.ts'],
    why: 'the sample of `template.status`, whose fields hold them',
  },
]
