import { findEntry } from './error-catalogue.ts'

/**
 * What a code of Meta's means to whoever sends, refuses or waits. The numbers end here: outside this folder a code is
 * kept and shown, never compared.
 */

/** A token that is not valid any more; kept as the reason where no call was needed to know it. */
export const tokenRefusedCode = '190'
/** Ours: it may have left, and nobody knows whether WhatsApp took it. */
export const unconfirmedCode = 'UNCONFIRMED'
/** A kind of message that cannot be sent. */
export const unsupportedTypeCode = '131051'

const ofNumber = new Set(['4', '17', '32', '613', '80007', '80008', '130429', '131048', '131057'])
/** A limit of the whole number or account, not of one customer: everything of the number waits. */
export const limitsWholeNumber = (code: string): boolean => ofNumber.has(code)

const blocking = new Set(['368', '131031'])
/** Meta has blocked the account; nothing leaves until somebody clears it there. */
export const blocksAccount = (code: string): boolean => blocking.has(code)

/**
 * Certain not to have been delivered, and another spelling of the line may be the one Meta knows.
 * @param isUnconfirmedContact Meta has never confirmed this spelling for the contact
 */
export const mayKnowOtherSpelling = (code: string, isUnconfirmedContact: boolean): boolean =>
  code === '131030' || (code === '131026' && isUnconfirmedContact)

const lasting = new Set([
  '100',
  '130403',
  '130472',
  '131008',
  '131009',
  '131021',
  '131050',
  '131051',
  '131062',
  '132000',
  '132005',
  '132007',
  '132008',
  '132012',
  '132016',
  '132018',
])
/** The same message would fail the same way: for its content, or by the customer's own will. */
export const failsAgain = (code: string): boolean => lasting.has(code)

/** The customer wants no marketing from this business; only they can take that back. */
export const refusesMarketing = (code: string): boolean => code === '131050'

const ofFiles = new Set(['100', '131052', '131053'])
/** May mean that WhatsApp's copy of a file is not there any more: worth uploading it anew. */
export const mayMeanLostFile = (code: string): boolean => ofFiles.has(code)

type TemplateRefusal = 'EXISTS' | 'NAME_BLOCKED' | 'NOT_EDITABLE' | 'NOT_DELETABLE'
const ofTemplates: Readonly<Record<string, TemplateRefusal>> = {
  '2388024': 'EXISTS',
  '2388023': 'NAME_BLOCKED',
  '2388039': 'NOT_EDITABLE',
  '2388094': 'NOT_DELETABLE',
}
/** Why a template was refused, where Meta's finer number says it. */
export const templateRefusalOf = (subcode: string | undefined): TemplateRefusal | undefined =>
  subcode === undefined ? undefined : ofTemplates[subcode]

/** Meta's words for a template that is not there. */
export const isMissingTemplate = (subcode: string | undefined): boolean => subcode === '2593002' || subcode === '33'

export type ConnectRefusal = 'TOKEN_REFUSED' | 'PERMISSION_MISSING' | 'NOT_FOUND'
const whileConnecting: Readonly<Record<string, ConnectRefusal>> = {
  '0': 'TOKEN_REFUSED',
  '102': 'TOKEN_REFUSED',
  '104': 'TOKEN_REFUSED',
  '190': 'TOKEN_REFUSED',
  '3': 'PERMISSION_MISSING',
  '10': 'PERMISSION_MISSING',
  '131005': 'PERMISSION_MISSING',
  '33': 'NOT_FOUND',
  '100': 'NOT_FOUND',
  '803': 'NOT_FOUND',
}
/** Why a number could not be connected; some codes mean something else here than while sending. */
export const connectRefusalOf = (code: string): ConnectRefusal | undefined => {
  const known = whileConnecting[code]
  const number = Number(code)
  return known ?? (number >= 200 && number <= 299 ? 'PERMISSION_MISSING' : undefined)
}

const ofPayment = new Set(['131042', '131044', '141006'])
/** The account could not be charged; the last of them where Meta tells how a number stands. */
export const meansPayment = (code: string): boolean => ofPayment.has(code)

type RegistrationRefusal = 'CODE_WRONG' | 'CODE_NOT_SENT' | 'PIN_WRONG' | 'BUSY'
const whileRegistering: Readonly<Record<string, RegistrationRefusal>> = {
  '136025': 'CODE_WRONG',
  '133006': 'CODE_WRONG',
  '136024': 'CODE_NOT_SENT',
  '133005': 'PIN_WRONG',
  '133008': 'BUSY',
  '133009': 'BUSY',
  '133015': 'BUSY',
}
/** Why a number could not be proved or registered, where that is not what connecting one would say. */
export const registrationRefusalOf = (code: string): RegistrationRefusal | undefined => whileRegistering[code]

/** Something of what was asked for is not as Meta wants it: a number, a name, a code of its page. */
export const refusesInput = (code: string): boolean => code === '100'

const stopping: Readonly<Record<string, StopsMany>> = {
  '190': 'tokenLost',
  '102': 'tokenLost',
  '104': 'tokenLost',
  '10': 'tokenLost',
  '131005': 'tokenLost',
  '368': 'accountBlocked',
  '131031': 'accountBlocked',
  '131042': 'accountBlocked',
  '131048': 'limitReached',
  '131064': 'limitReached',
  '132001': 'templateGone',
  '132015': 'templatePaused',
  '132016': 'templateDisabled',
  '132000': 'templateRefused',
  '132005': 'templateRefused',
  '132007': 'templateRefused',
  '132012': 'templateRefused',
}
/** What people mend: a payment, a name, a registration, a template that is paused or not there yet. */
const mendable = new Set(['131037', '131042', '131044', '131045', '132001', '132015', '133010'])
/** Ours, of a message that certainly has not left. */
const neverLeft = new Set(['NETWORK', 'NOT_CONNECTED', 'KEYS_UNREADABLE'])
/**
 * Whether a message to many that failed so may be sent again as it is: it has certainly not arrived, and the next try may
 * end otherwise. What may have arrived, what the customer does not want and what nobody has described never is.
 */
export const mayRetryMany = (code: string): boolean => {
  if (neverLeft.has(code) || mendable.has(code)) return true
  const entry = findEntry(code)
  return entry !== undefined && entry.retry !== 'never'
}

type StopsMany =
  | 'tokenLost'
  | 'accountBlocked'
  | 'limitReached'
  | 'templateGone'
  | 'templatePaused'
  | 'templateDisabled'
  | 'templateRefused'
/** Whoever sends the same template to many need not try the next one: why. Undefined: it was this customer's message alone. */
export const whyManyStop = (code: string): StopsMany | undefined => {
  const number = Number(code)
  return stopping[code] ?? (number >= 200 && number <= 299 ? 'tokenLost' : undefined)
}
