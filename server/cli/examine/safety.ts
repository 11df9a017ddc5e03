import type { Config } from '#server/platform/config/config.ts'
import { unsealedConnections } from '#server/platform/crypto/unsealed.ts'
import type { Verdict } from './finding.ts'

/** A list of leaked passwords is one, where there is one. */
export const examinePasswordList = async ({ passwordList }: Config): Promise<Verdict> => {
  const { requirePasswordList } = await import('#server/identity/auth/leaked-passwords.ts')
  await requirePasswordList(passwordList)
  return { says: passwordList ?? 'no PASSWORD_LIST: rules alone decide' }
}

/** Between machines of one network it may be meant so; what people send over the internet never is. */
export const examineSealing = (config: Config): Verdict => {
  const names = unsealedConnections(config)
  const says = names.length ? `${names.join(', ')}: can be read on the way` : 'what leaves this machine is sealed'
  return names.includes('PUBLIC_URL')
    ? { says, fix: 'set PUBLIC_URL to https://…, with a reverse proxy that has a certificate' }
    : { says }
}
