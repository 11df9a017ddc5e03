import type { InboxT } from './words.ts'

/** Of each reason the codes it is said for; failures.json has the whole story of every one. */
const codesOf = {
  window: ['470', '131047'],
  unreachable: ['131026', 'NO_ADDRESS'],
  held: ['131049', '130472'],
  optedOut: ['131050'],
  blocked: ['130403'],
  identity: ['137000'],
  limit: ['4', '17', '32', '613', '80007', '80008', '130429', '131048', '131056', '131064', '131208', '132069'],
  trouble: ['1', '2', '131000', '131016', '131057', '133004', '2494100'],
  network: ['NETWORK'],
  unconfirmed: ['INTERNAL', 'TIMEOUT', 'UNCONFIRMED', 'UNREADABLE'],
  file: ['131052', '131053', 'FILE_MISSING', 'MEDIA_HOST', 'TOO_LARGE', 'UPLOAD_FAILED'],
  kind: ['131051', '131055'],
  facts: ['100', '131008', '131009', '135000'],
  recipient: ['131021', '131030', '131062'],
  notAllowed: ['130497', '131037', '131063', '134011', '134100', '134102'],
  connection: [
    ...['0', '3', '10', '33', '104', '190', '200', '803', '131005', '131045', '133006', '133010'],
    ...['APP_SECRET', 'KEYS_UNREADABLE', 'NOT_CONNECTED', 'WRONG_ACCOUNT'],
  ],
  payment: ['131042', '131044'],
  locked: ['368', '131031'],
  template: [
    ...['132000', '132001', '132005', '132007', '132008', '132012', '132015', '132016', '132018', '132068'],
    '134101',
  ],
  cancelled: ['CANCELLED'],
} as const
type Reason = keyof typeof codesOf

const reasonOf: ReadonlyMap<string | undefined, Reason> = new Map(
  Object.entries(codesOf).flatMap(([reason, codes]) => codes.map(code => [code, reason as Reason])),
)

/** That it was not sent, and why in as few words as a row has room for; the whole story stands in the chat. */
export const shortReason = (code: string | undefined, t: InboxT): string =>
  t('row.failed', { reason: t(`row.why.${reasonOf.get(code) ?? 'unknown'}`) })
