import { promises as dns } from 'node:dns'
import { domainToASCII } from 'node:url'

/** TXT records of a name, each as a list of its parts, like node's resolver. */
export type ResolveTxt = (name: string) => Promise<string[][]>

const answerWithinMs = 5_000

export const createResolveTxt = (): ResolveTxt => {
  const resolver = new dns.Resolver({ timeout: answerWithinMs, tries: 2 })
  return name => resolver.resolveTxt(name)
}

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const domainForm = new RegExp(`^(?=.{4,253}$)(?:${label}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$`)

/** Normalizes a domain as people type it (`@Trigal.example`, `https://trigal.example/`); undefined: not a domain. */
export const readDomain = (typed: string): string | undefined => {
  const bare = typed
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/^@/, '')
    .replace(/\/+$/, '')
  const domain = domainToASCII(bare.toLowerCase())
  return domainForm.test(domain) ? domain : undefined
}

/** Undefined: not an address. */
export const domainOfEmail = (email: string): string | undefined => {
  const at = email.lastIndexOf('@')
  return at < 1 ? undefined : readDomain(email.slice(at + 1))
}

/** The TXT record that verifies a domain. */
export const domainRecord = (domain: string, token: string) => ({
  name: `_recado.${domain}`,
  value: `recado-domain=${token}`,
})

/** Earlier builds asked for this name; such records are still accepted. */
const formerValue = (value: string): string => value.replace(/^recado-domain=/, 'recado-dominio=')

const notThere = new Set(['ENOTFOUND', 'ENODATA'])

/** `unreachable`: the DNS did not answer, so nothing is known about the record. */
export async function lookForRecord(
  resolveTxt: ResolveTxt,
  { name, value }: { readonly name: string; readonly value: string },
): Promise<'found' | 'missing' | 'unreachable'> {
  try {
    const texts = await resolveTxt(name)
    const said = texts.map(parts => parts.join('').trim())
    return said.includes(value) || said.includes(formerValue(value)) ? 'found' : 'missing'
  } catch (error) {
    return notThere.has((error as { code?: string }).code ?? '') ? 'missing' : 'unreachable'
  }
}
