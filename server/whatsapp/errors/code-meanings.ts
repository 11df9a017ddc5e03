import { findEntry } from './error-catalogue.ts'

/**
 * The meaning of Meta's codes for sending, refusals and waiting. Code outside this folder stores and shows a code but
 * never compares it.
 */

/** The token is no longer valid. Also used as the reason where no call was needed to know it. */
export const tokenRefusedCode = '190'
/** Our code for a message that may have been sent: nobody knows whether WhatsApp has it. */
export const unconfirmedCode = 'UNCONFIRMED'
/** A kind of message that cannot be sent. */
export const unsupportedTypeCode = '131051'

const ofNumber = new Set(['4', '17', '32', '613', '80007', '80008', '130429', '131048', '131057'])
/** A limit of the whole number or account, not of one customer: all messages of the number must wait. */
export const limitsWholeNumber = (code: string): boolean => ofNumber.has(code)

const blocking = new Set(['368', '131031'])
/** Meta has blocked the account; nothing is sent until somebody resolves it there. */
export const blocksAccount = (code: string): boolean => blocking.has(code)

/**
 * Certainly not delivered, and another spelling of the number may be the one Meta knows.
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
/** The same message would fail the same way, because of its content or the customer's choice. */
export const failsAgain = (code: string): boolean => lasting.has(code)

/** The customer refuses marketing from this business; only the customer can undo that. */
export const refusesMarketing = (code: string): boolean => code === '131050'

const ofFiles = new Set(['100', '131052', '131053'])
/** WhatsApp's copy of a file may be gone, so it is worth uploading the file again. */
export const mayMeanLostFile = (code: string): boolean => ofFiles.has(code)

type TemplateRefusal = 'EXISTS' | 'NAME_BLOCKED' | 'NOT_EDITABLE' | 'NOT_DELETABLE'
const ofTemplates: Readonly<Record<string, TemplateRefusal>> = {
  '2388024': 'EXISTS',
  '2388023': 'NAME_BLOCKED',
  '2388039': 'NOT_EDITABLE',
  '2388094': 'NOT_DELETABLE',
}
/** Why a template was refused, where Meta's subcode says it. */
export const templateRefusalOf = (subcode: string | undefined): TemplateRefusal | undefined =>
  subcode === undefined ? undefined : ofTemplates[subcode]

/** Meta's subcodes for a template that does not exist. */
export const isMissingTemplate = (subcode: string | undefined): boolean => subcode === '2593002' || subcode === '33'

type ConnectRefusal = 'TOKEN_REFUSED' | 'PERMISSION_MISSING' | 'NOT_FOUND'
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
/** Why a number could not be connected. Some codes mean something else here than in sending. */
export const connectRefusalOf = (code: string): ConnectRefusal | undefined => {
  const known = whileConnecting[code]
  const number = Number(code)
  return known ?? (number >= 200 && number <= 299 ? 'PERMISSION_MISSING' : undefined)
}

const ofPayment = new Set(['131042', '131044', '141006'])
/** The account could not be charged. Meta uses the last code only in health checks. */
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
/** Why a number could not be verified or registered; undefined: use `connectRefusalOf`. */
export const registrationRefusalOf = (code: string): RegistrationRefusal | undefined => whileRegistering[code]

/** Meta rejects a parameter, such as a number, a name, or a code of its sign-up page. */
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
/**
 * Codes whose cause people can fix: a payment, a name, a registration, a template that is paused or does not exist yet.
 */
const mendable = new Set(['131037', '131042', '131044', '131045', '132001', '132015', '133010'])
/** Our codes for messages that were certainly not sent. */
const neverLeft = new Set(['NETWORK', 'NOT_CONNECTED', 'KEYS_UNREADABLE'])
/**
 * A bulk message that failed with this code may be sent again unchanged: it certainly did not arrive, and the next
 * attempt may succeed. False for codes nobody has described.
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
/**
 * Why a bulk send should stop, because the same template would fail for every customer. Undefined: only this message
 * failed.
 */
export const whyManyStop = (code: string): StopsMany | undefined => {
  const number = Number(code)
  return stopping[code] ?? (number >= 200 && number <= 299 ? 'tokenLost' : undefined)
}
