import type { TFunction } from 'i18next'
import { testNumberFaults } from '#shared/simulator/faults.ts'
import type { PhoneMessage, SandboxCustomer } from '#shared/simulator/phone.ts'

export type SimulatorT = TFunction<'simulator'>

const kinds = [
  'text',
  'image',
  'video',
  'audio',
  'voice',
  'document',
  'sticker',
  'location',
  'contacts',
  'interactive',
  'choice',
  'form',
  'order',
  'template',
  'request_welcome',
  'unsupported',
] as const
type Kind = (typeof kinds)[number]
const isKind = (type: string): type is Kind => (kinds as readonly string[]).includes(type)

/** The name of a kind of message. A kind newer than this release is just "message". */
export const kindName = (t: SimulatorT, message: Pick<PhoneMessage, 'type' | 'text'>): string => {
  if (message.type === 'system') return t('kind.system', { number: message.text })
  return t(`kind.${isKind(message.type) ? message.type : 'other'}`)
}

/** A message in one line. */
export const gist = (t: SimulatorT, message: Pick<PhoneMessage, 'type' | 'text'>): string =>
  (message.type === 'system' ? '' : message.text) || kindName(t, message)

export const lastLine = (t: SimulatorT, { last }: SandboxCustomer): string => {
  if (!last) return t('customers.noMessages')
  if (last.type === 'revoked') return t(last.mine ? 'bubble.revokedMine' : 'bubble.revokedTheirs')
  const text = gist(t, last)
  if (last.type === 'system') return text
  return last.mine ? t('customers.you', { text }) : text
}

/** The codes of all failures that can be simulated. */
export const faultCodes: readonly string[] = [...new Set(testNumberFaults.map(fault => fault.code))]

export const faultName = (t: SimulatorT, code: string): string =>
  // The codes come from the contract. A test checks that each has a text.
  faultCodes.includes(code) ? t(`fault.code.${code}` as 'fault.code.500') : code
