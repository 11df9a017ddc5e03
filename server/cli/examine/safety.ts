import type { Config } from '#server/platform/config/config.ts'
import { unsealedConnections } from '#server/platform/crypto/unsealed.ts'
import type { Verdict } from './finding.ts'

/** If a list of leaked passwords is set, it must be readable as one. */
export const examinePasswordList = async ({ passwordList }: Config): Promise<Verdict> => {
  const { requirePasswordList } = await import('#server/identity/auth/passwords/leaked-passwords.ts')
  await requirePasswordList(passwordList)
  return { says: passwordList ?? 'no PASSWORD_LIST: rules alone decide' }
}

/** Unencrypted connections within a network may be intended; over the internet they never are. */
export const examineEncryption = (config: Config): Verdict => {
  const names = unsealedConnections(config)
  const says = names.length ? `${names.join(', ')}: can be read on the way` : 'every connection is encrypted'
  return names.includes('PUBLIC_URL')
    ? { says, fix: 'set PUBLIC_URL to https://…, with a reverse proxy that has a certificate' }
    : { says }
}
