import type { OwnNumber } from '#server/messaging/imported/imported.ts'
import type { ImportFound } from '#shared/imports/found.ts'
import { digitsOf, isPhoneDigits, phoneKey } from '#shared/kernel/phone.ts'
import type { StoredImport, StoredMapping } from '../store.ts'

/** The name that WhatsApp gives the file: `Chat de WhatsApp con Ana.zip`, `WhatsApp Chat - Ana.zip`. */
const namedChat = /(?:\bcon|\bwith|\bcom|-)\s+(.+?)(?:\s*\(\d+\))?\.(?:zip|txt)$/iu

const asNumber = (name: string | undefined): string | undefined => {
  if (name === undefined || /\p{L}/u.test(name)) return undefined
  const digits = digitsOf(name)
  return isPhoneDigits(digits) ? digits : undefined
}

/** Suggests a mapping of people and numbers from what the file says, unless a person has chosen one. */
export function suggestedMapping(
  numbers: readonly OwnNumber[],
  { mapping, file_name: fileName }: Pick<StoredImport, 'mapping' | 'file_name'>,
  { names }: ImportFound,
): StoredMapping {
  const all = names.map(({ name }) => name)
  const said = namedChat.exec(fileName ?? '')?.[1]
  const customer =
    all.find(name => name === said) ?? all.find(name => asNumber(name) !== undefined && name !== mapping.ours)
  const ours = mapping.ours !== undefined && all.includes(mapping.ours) ? mapping.ours : undefined
  const other = ours ?? (customer === undefined ? undefined : all.find(name => name !== customer))
  const connected = numbers.filter(({ isConnected }) => isConnected)
  const own = mapping.connectionId === undefined && connected.length === 1 ? connected[0] : undefined
  const number = mapping.number ?? asNumber(customer) ?? asNumber(said)
  const { ours: _ours, ...kept } = mapping
  return {
    ...kept,
    ...(other === undefined ? {} : { ours: other }),
    ...(number === undefined ? {} : { number }),
    ...(own ? { phone: own.phone, connectionId: own.id } : {}),
  }
}

/** Numbers and people of an archive that are here, too. Nothing that somebody chose is changed. */
export function suggestedArchiveMapping(
  numbers: readonly OwnNumber[],
  people: readonly { readonly id: string; readonly email: string }[],
  { mapping, found, emails }: { mapping: StoredMapping; found: ImportFound; emails: ReadonlyMap<string, string> },
): StoredMapping {
  const connected = numbers.filter(({ isConnected }) => isConnected)
  const ids = new Map(people.map(({ id, email }) => [email.toLowerCase(), id]))
  const { archive } = found
  return {
    ...(mapping.account === undefined ? {} : { account: mapping.account }),
    numbers: (archive?.numbers ?? []).flatMap(({ id: from, phone }) => {
      const chosen = mapping.numbers?.find(one => one.from === from)
      if (chosen) return [chosen]
      const same = phone ? numbers.find(own => phoneKey(own.phone) === phoneKey(phone)) : undefined
      const own = same ?? (connected.length === 1 && archive?.numbers.length === 1 ? connected[0] : undefined)
      return own ? [{ from, to: own.phone, connectionId: own.id }] : []
    }),
    agents: (archive?.agents ?? []).map(({ id: from }) => {
      const chosen = mapping.agents?.find(one => one.from === from)
      return chosen ?? { from, to: ids.get(emails.get(from)?.toLowerCase() ?? '') ?? null }
    }),
    tags: mapping.tags ?? [],
  }
}
