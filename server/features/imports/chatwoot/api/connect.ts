import { InvalidInput } from '#server/platform/http/validate.ts'
import type { Outbound } from '#server/platform/outbound/outbound.ts'
import { createClient, RemoteTrouble, type TroubleReason } from './client.ts'
import { idOf, jsonObjectOf, readObjects, readText } from './json.ts'

interface Connected {
  /** The address without a path. */
  readonly address: string
  readonly account: string
  readonly accountName: string
}

const accountsNamed = 10

const invalid = (field: 'address' | 'token', code: string, params: Record<string, string> = {}) =>
  new InvalidInput([{ field: `body.from.${field}`, code, params }])

const faults: Readonly<Record<Exclude<TroubleReason, 'refused'>, string>> = {
  missing: 'chatwootOther',
  odd: 'chatwootOther',
  tooLarge: 'chatwootOther',
  limited: 'chatwootBusy',
  silent: 'chatwootSilent',
  moved: 'chatwootMoved',
}

/** The origin of an address as people copy it from the browser, and the account that it names. */
const readAddress = (typed: string): { address: string; account: string | undefined } => {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed.trim()) ? typed.trim() : `https://${typed.trim()}`
  if (!URL.canParse(text)) throw invalid('address', 'invalid')
  const { origin, pathname, username, password } = new URL(text)
  if (origin === 'null' || username || password) throw invalid('address', 'invalid')
  return { address: origin, account: /\/accounts\/(\d{1,15})(?:\/|$)/.exec(pathname)?.[1] }
}

/**
 * Asks Chatwoot whose the token is. @throws InvalidInput naming `address` or `token`: nobody answers, it is no Chatwoot,
 * the token is refused or not an administrator's, or it opens several accounts and the address names none
 */
export async function connectChatwoot(
  outbound: Pick<Outbound, 'call' | 'mayCall'>,
  { address: typed, token }: { address: string; token: string },
): Promise<Connected> {
  const { address, account } = readAddress(typed)
  if (!outbound.mayCall(`${address}/`)) throw invalid('address', 'chatwootAddress')
  // A header holds nothing else.
  if (!/^[\x21-\x7e]+$/.test(token)) throw invalid('token', 'chatwootToken')
  const client = createClient({ outbound, address, token })
  let answer: unknown
  try {
    answer = await client.get('profile')
  } catch (error) {
    if (!(error instanceof RemoteTrouble)) throw error
    throw error.reason === 'refused' ? invalid('token', 'chatwootToken') : invalid('address', faults[error.reason])
  }
  const all = readObjects(jsonObjectOf(answer).accounts)
  if (!all) throw invalid('address', 'chatwootOther')
  const accounts = all.flatMap(({ id, name, role }) => {
    const own = idOf(id)
    const isAdministrator = role === 'administrator' || role === 1 || role === '1'
    return own === undefined ? [] : [{ id: String(own), name: readText(name)?.slice(0, 100) ?? '', isAdministrator }]
  })
  const [first, ...more] = account === undefined ? accounts : accounts.filter(({ id }) => id === account)
  if (!first) throw invalid('address', 'chatwootAccount')
  if (more.length) {
    const names = [first, ...more].slice(0, accountsNamed).map(({ id, name }) => `${name} (${id})`)
    throw invalid('address', 'chatwootSeveral', {
      names: names.join(', '),
      example: `${address}/app/accounts/${first.id}`,
    })
  }
  if (!first.isAdministrator) throw invalid('token', 'chatwootAgent')
  return { address, account: first.id, accountName: first.name }
}
