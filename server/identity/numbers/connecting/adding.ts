import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { randomInt } from '#server/platform/crypto/random.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { Log } from '#server/platform/log/log.ts'
import { displayPhone } from '#server/platform/text/phone-display.ts'
import type {
  AccountNumber,
  EmbeddedSignup,
  NumberNames,
  NumberRegistrar,
} from '#server/whatsapp/management/registration.ts'
import type { WhatsAppNumber } from '#server/whatsapp/provider.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { type Connection, maxNumbers, type numbersApi } from '#shared/numbers/api.ts'
import { whichOf } from '../chosen-number.ts'
import type { ClientFacts } from '../client-facts.ts'
import { numbersErrors } from '../errors.ts'
import type { Keyring } from '../keyring.ts'
import { asked, refusedField } from '../refusals.ts'
import { findConnectionBy, listConnections, type StoredConnection, setVerifiedName } from '../store.ts'
import { unreadableKeys } from '../unusable-number.ts'
import { connectionChanged, type createConnections } from './connections.ts'

interface AddingParts {
  readonly databases: Databases
  readonly log: Log
  readonly keyring: Keyring
  readonly connections: Pick<ReturnType<typeof createConnections>, 'change' | 'store'>
  clientFor(facts: ClientFacts): WhatsAppNumber
  registrarFor(facts: Omit<ClientFacts, 'phoneNumberId'>): NumberRegistrar
  /** Undefined: the installation has no Meta app of its own. */
  readonly signup: (EmbeddedSignup & { appSecret: string; verifyToken: string }) | undefined
  /** The digits of a typed number; undefined: not a number. */
  readPhone(orgId: string, typed: string): Promise<string | undefined>
  present(member: OrgCaller, stored: StoredConnection): Promise<Connection>
}

/** Credentials of a WhatsApp business account. */
interface AccountKeys {
  readonly wabaId: string
  readonly accessToken: string
  readonly appSecret: string
  readonly verifyToken: string
}

interface Found extends AccountNumber {
  readonly keys: AccountKeys
}

/** Meta sends codes as three digits, a hyphen and three more. */
const digitsOfCode = (code: string): string | undefined => /^(\d{3})-?(\d{3})$/.exec(code)?.slice(1).join('')

const locales = { es: 'es_AR', en: 'en_US' } as const

const randomPin = (): string => String(randomInt(1_000_000)).padStart(6, '0')

/** Undefined: this name was not requested. */
const stateOf = ({ current, asked: next }: NumberNames, name: string) => {
  if (next.name === name) return next.isApproved === null ? 'inReview' : next.isApproved ? 'approved' : 'declined'
  if (current.name !== name) return undefined
  return current.isApproved === null ? 'inReview' : current.isApproved ? 'inUse' : 'declined'
}

type Adding = Pick<ServiceOf<typeof numbersApi, OrgCaller>, 'addNumber' | 'confirmNumber' | 'setVerifiedName'>

/**
 * Adds numbers that are not yet in use at Meta, or that a business shared on Meta's sign-up page, and requests display
 * names.
 */
export function createAdding(parts: AddingParts): Adding {
  const { databases, log, keyring, connections, signup, registrarFor } = parts

  /**
   * Reads a typed number. One of the organization's own is accepted even if it is not a valid phone number, like the
   * simulator's.
   */
  const readNumber = async (orgId: string, field: string, typed: string) => {
    const connected = await listConnections(databases.read, orgId)
    const known = whichOf(connected, { number: typed })
    if (known) return { connected, own: known, phone: known.phone }
    const phone = await parts.readPhone(orgId, typed)
    if (phone === undefined) throw refusedField('NUMBER_INVALID', field)
    return { connected, own: whichOf(connected, { number: phone }), phone }
  }

  const openedOf = (stored: StoredConnection) => {
    const opened = keyring.open(stored)
    if (!opened) throw numbersErrors.TOKEN_REFUSED({ params: { code: unreadableKeys } })
    return opened
  }

  const registrarOf = (keys: AccountKeys) => registrarFor({ kind: 'cloud', ...keys })

  /** The accounts of the organization's numbers, that of the first number first. */
  const accountsOf = (connected: readonly StoredConnection[]): AccountKeys[] => {
    const byAccount = new Map<string, AccountKeys>()
    for (const stored of connected)
      if (!byAccount.has(stored.wabaId)) {
        const { wabaId, accessToken, appSecret, verifyToken } = openedOf(stored)
        byAccount.set(wabaId, { wabaId, accessToken, appSecret, verifyToken })
      }
    return [...byAccount.values()]
  }

  const findIn = async (
    accounts: readonly AccountKeys[],
    which: { phone: string } | { id: string },
  ): Promise<Found | undefined> => {
    for (const keys of accounts) {
      const found = await asked(registrarOf(keys).find(which))
      if (found) return { ...found, keys }
    }
    return undefined
  }

  const refuseTaken = async (orgId: string, phoneNumberId: string) => {
    const holder = await findConnectionBy(databases.read, { phoneNumberId })
    if (holder && holder.orgId !== orgId) throw numbersErrors.TAKEN()
  }

  /** Registers a number and connects it with its account's credentials. */
  const adopt = async (member: OrgCaller, { id, isRegistered, keys }: Found, pin: string | undefined) => {
    await refuseTaken(member.orgId, id)
    if (!isRegistered) await asked(registrarOf(keys).register(id, pin ?? randomPin()))
    const number = parts.clientFor({ kind: 'cloud', phoneNumberId: id, ...keys })
    const facts = await asked(number.check())
    await asked(number.subscribe())
    const stored = await connections.change(member.orgId, actorOf(member), write =>
      connections.store(write, { ...keys, phoneNumberId: id, ...facts }, 'cloud'),
    )
    log.info({ orgId: member.orgId, connectionId: stored.id, phoneNumberId: id }, 'a WhatsApp number was added')
    return parts.present(member, stored)
  }

  const add = async (keys: AccountKeys, phone: string, name: string): Promise<Found> => {
    const number = parsePhoneNumberFromString(`+${phone}`)
    if (!number) throw refusedField('NUMBER_INVALID', 'phone')
    const { countryCallingCode: callingCode, nationalNumber: national } = number
    const id = await asked(registrarOf(keys).add({ callingCode, national, name }), {
      name: 'NUMBER_REFUSED',
      field: 'phone',
    })
    return { id, isVerified: false, isRegistered: false, keys }
  }

  /**
   * Adds a number with the code of Meta's sign-up page. The token belongs to the business, the app to the installation.
   */
  const signUp = async (
    member: OrgCaller,
    code: string,
    which: { phone: string } | { id: string },
    pin: string | undefined,
  ) => {
    if (!signup) throw numbersErrors.SIGNUP_OFF()
    const { appSecret, verifyToken } = signup
    const accessToken = await asked(signup.exchange(code), { name: 'CODE_WRONG', field: 'code' })
    const accounts = (await asked(signup.accountsOf(accessToken))).map(wabaId => ({
      wabaId,
      accessToken,
      appSecret,
      verifyToken,
    }))
    const found = await findIn(accounts, which)
    if (!found) throw refusedField('NOT_ADDED', 'phone' in which ? 'number' : 'phoneNumberId')
    return adopt(member, found, pin)
  }

  return {
    async addNumber(member, { body }) {
      const { orgId } = member
      const name = body.nameWaba.trim()
      const { connected, own, phone } = await readNumber(orgId, 'phone', body.phone)
      const shown = { phone, displayPhone: displayPhone(phone), nameWaba: name }
      const [first] = connected
      if (!first) throw numbersErrors.NOT_CONNECTED()
      if (own) return { ...shown, state: 'connected' }
      if (first.kind === 'sandbox') throw numbersErrors.SANDBOX_HAS_ONE()
      if (connected.length >= maxNumbers) throw numbersErrors.TOO_MANY({ params: { max: maxNumbers } })
      const accounts = accountsOf(connected)
      const found = (await findIn(accounts, { phone })) ?? (await add(accounts[0] as AccountKeys, phone, name))
      if (found.isRegistered || found.isVerified) {
        await adopt(member, found, body.pin)
        return { ...shown, state: 'connected' }
      }
      await refuseTaken(orgId, found.id)
      await asked(
        registrarOf(found.keys).requestCode(found.id, { way: body.method ?? 'sms', locale: locales[member.language] }),
      )
      return { ...shown, state: 'codeSent' }
    },

    async confirmNumber(member, { body }) {
      const { orgId } = member
      const code = digitsOfCode(body.code)
      if (code === undefined && body.phoneNumberId !== undefined)
        return signUp(member, body.code, { id: body.phoneNumberId }, body.pin)
      if (body.number === undefined) throw new InvalidInput([{ field: 'body.number', code: 'required', params: {} }])
      const { connected, own, phone } = await readNumber(orgId, 'number', body.number)
      if (code === undefined) return signUp(member, body.code, { phone }, body.pin)
      if (own) return parts.present(member, own)
      const found = await findIn(accountsOf(connected.filter(({ kind }) => kind === 'cloud')), { phone })
      if (!found) throw refusedField('NOT_ADDED', 'number')
      await refuseTaken(orgId, found.id)
      if (!found.isVerified)
        await asked(registrarOf(found.keys).verifyCode(found.id, code), { name: 'CODE_WRONG', field: 'code' })
      return adopt(member, found, body.pin)
    },

    async setVerifiedName(member, { body }) {
      const { orgId } = member
      const name = body.name.trim()
      const { own: known } = await readNumber(orgId, 'phone', body.phone)
      if (!known) throw refusedField('NOT_CONNECTED', 'phone')
      const { phoneNumberId } = known
      const registrar = registrarFor(openedOf(known))
      const before = stateOf(await asked(registrar.namesOf(phoneNumberId)), name)
      if (before === 'approved' && body.pin !== undefined) await asked(registrar.register(phoneNumberId, body.pin))
      else if (before === undefined || before === 'declined')
        await asked(registrar.requestName(phoneNumberId, name), { name: 'NAME_REFUSED', field: 'name' })
      const names = await asked(registrar.namesOf(phoneNumberId))
      const verifiedName = names.current.name
      if (verifiedName !== null && verifiedName !== known.verifiedName)
        await connections.change(orgId, actorOf(member), async write => {
          await setVerifiedName(write.db, orgId, known.id, verifiedName)
          write.emit(connectionChanged(known.status, known.phone, known.statusReason))
        })
      return {
        phone: known.phone,
        displayPhone: displayPhone(known.phone),
        name,
        verifiedName,
        state: stateOf(names, name) ?? 'inReview',
      }
    },
  }
}
